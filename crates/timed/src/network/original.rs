//! A network whose mutants are composed: the steps from discrete states that a change does not affect are already known.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::compose::explored;
use super::emit::emit;
use super::error::ComposeError;
use super::explore::{EnabledMoves, Graph};
use super::moves::State;
use super::{Channel, Composed, Edge, Network, Process, View};
use tamper_text::Budget;

/// A network, its view, and the steps from each of its explored discrete states.
#[derive(Debug)]
pub struct Original {
    pub(super) network: Network,
    pub(super) view: View,
    steps: FxHashMap<Arc<State>, EnabledMoves>,
}

/// The steps of an original that a mutant shares.
pub(super) struct SharedSteps<'o> {
    steps: &'o FxHashMap<Arc<State>, EnabledMoves>,
    /// Per process and location, whether the steps there may differ.
    concerned: Vec<Vec<bool>>,
}

impl Original {
    /// Composes `network`.
    ///
    /// # Errors
    /// As of [`compose`](fn@super::compose).
    ///
    /// # Panics
    /// If the view does not have one side per process.
    pub fn compose(network: &Network, view: &View, budget: &Budget) -> Result<(Composed, Self), ComposeError> {
        let (channels, graph) = explored(network, network, view, None, budget)?;
        let original = Self {
            network: network.clone(),
            view: view.clone(),
            steps: steps(&graph),
        };
        Ok((emit(network, view, &channels, graph), original))
    }

    /// Composes a mutant: the same result as [`compose_mutant`](super::compose_mutant), with steps recomputed only where
    /// the mutant differs.
    ///
    /// # Errors
    /// As of [`compose`](fn@super::compose).
    ///
    /// # Panics
    /// If the mutant does not have the processes of the original.
    pub fn compose_mutant(&self, mutant: &Network, budget: &Budget) -> Result<Composed, ComposeError> {
        let explored = |known| explored(mutant, &self.network, &self.view, known, budget);
        let (channels, graph) = match SharedSteps::of(self, mutant) {
            Some(kept) => explored(Some(&|state: &State| kept.steps(state)))?,
            None => explored(None)?,
        };
        Ok(emit(mutant, &self.view, &channels, graph))
    }
}

fn steps(graph: &Graph) -> FxHashMap<Arc<State>, EnabledMoves> {
    let nodes = graph.nodes.iter().filter(|node| node.expanded);
    let steps = nodes.map(|node| (Arc::clone(&node.state), (Arc::clone(&node.moves), node.urgent)));
    steps.collect()
}

impl<'o> SharedSteps<'o> {
    /// `None` if the networks differ in more than edges and invariants of processes.
    pub fn of(original: &'o Original, mutant: &Network) -> Option<Self> {
        let network = &original.network;
        let n_channels = network.channels.len();
        let is_private = |channel: &Channel| !channel.broadcast;
        let is_alike = network.variables == mutant.variables
            && network.constants == mutant.constants
            && network.clocks == mutant.clocks
            && network.functions == mutant.functions
            && network.vectors == mutant.vectors
            && network.processes.len() == mutant.processes.len()
            && !network.has_timed_urgency()
            && !mutant.has_timed_urgency()
            && mutant.channels.starts_with(&network.channels)
            && mutant.channels[n_channels..].iter().all(is_private);
        if !is_alike {
            return None;
        }
        let pairs = network.processes.iter().zip(&mutant.processes);
        let concerned: Option<_> = pairs.map(|(own, other)| concerned(own, other, n_channels)).collect();
        Some(Self {
            steps: &original.steps,
            concerned: concerned?,
        })
    }

    /// The steps from `state`, if they are known and unaffected by the change.
    pub fn steps(&self, state: &State) -> Option<EnabledMoves> {
        let mut places = self.concerned.iter().zip(&state.locations);
        if places.any(|(concerned, at)| concerned[*at as usize]) {
            return None;
        }
        self.of_original(state)
    }

    /// The original's steps from `state`, if runs of it lead there.
    pub fn of_original(&self, state: &State) -> Option<EnabledMoves> {
        self.steps.get(state).cloned()
    }
}

/// Per location of a process, whether a mutation affects the steps there: the location's invariant differs, an edge from it
/// differs, or the invariant of an edge's target differs. `None` if anything else changed.
fn concerned(own: &Process, other: &Process, n_channels: usize) -> Option<Vec<bool>> {
    let is_alike = own.name == other.name
        && own.initial == other.initial
        && own.priority == other.priority
        && own.locations.len() == other.locations.len()
        && own.edges.len() <= other.edges.len();
    if !is_alike {
        return None;
    }
    let mut concerned = vec![false; own.locations.len()];
    for ((at, first), second) in own.locations.iter().enumerate().zip(&other.locations) {
        if (&first.name, first.urgency, first.frame) != (&second.name, second.urgency, second.frame) {
            return None;
        }
        concerned[at] = first.invariant != second.invariant;
    }
    let has_other_invariant = concerned.clone();
    for (at, edge) in other.edges.iter().enumerate() {
        let is_new = match own.edges.get(at) {
            Some(known) if !is_same_end(known, edge) => return None,
            Some(known) => known != edge,
            // A new edge leaves the classes of all known channels unchanged only if it uses none of them.
            None if edge
                .sync
                .as_ref()
                .is_some_and(|sync| sync.channel.range().start < n_channels) =>
            {
                return None;
            }
            None => true,
        };
        concerned[edge.source] |= is_new || has_other_invariant[edge.target];
    }
    Some(concerned)
}

/// Whether a changed edge has the same source and the same end of the same channel, or no channel any more: the possible
/// users of channels are taken from the original.
fn is_same_end(known: &Edge, edge: &Edge) -> bool {
    known.source == edge.source && (edge.sync.is_none() || known.sync == edge.sync)
}
