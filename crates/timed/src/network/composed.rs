//! The result of a composition.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Network;
use super::moves::{FiringEdge, State};
use crate::model::{Action, Automaton, EdgeId, LocId, Role};
use tamper_text::Id as _;
use tamper_zones::Dbm;

/// A network as one game.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The game: one location per reached discrete state.
    pub automaton: Automaton,
    /// Per location, its discrete state.
    pub discrete: Vec<Arc<State>>,
    /// Whether some reached state has a committed location.
    pub has_committed: bool,
    /// Whether some step is hidden: inside the system with [`View::hide_internal`](super::View::hide_internal), or inside
    /// the environment.
    pub has_hidden: bool,
    /// The internal steps that are seen although no action shows them: steps of the system without a label, unless internal
    /// steps of the system are hidden. In ascending order.
    pub seen: Vec<EdgeId>,
    /// The processes' own edges of the first internal step, as messages name them.
    pub internal: Option<String>,
    /// Per edge of the game, the processes' own edges that take part in it.
    pub parts: EdgeParts,
    /// The processes' own edges that take part in no step, as process and edge; only of [`compose`](super::compose).
    pub untaken: Vec<(usize, usize)>,
    /// Per location, a zone that contains all clock values with which runs reach it; empty if it was not computed.
    pub reach: Vec<Dbm>,
    /// Symbolic states explored; with clock differences the discrete states, because then zones prune nothing.
    pub n_explored: u64,
    /// Symbolic states that were kept: no other one simulates them.
    pub n_kept: u64,
}

/// The processes' own edges of which each edge of a composition consists.
#[derive(Clone, Default, Debug)]
pub struct EdgeParts(pub(super) Vec<Arc<[FiringEdge]>>);

/// What the parts of a composition are, in words.
#[derive(Clone, Default, Debug)]
pub struct CompositionWords {
    /// Per edge, the step of each process that takes part in it; a broadcast from outside may have no receivers.
    pub edges: Vec<String>,
    /// Per location, where the processes are, and the values of the variables.
    pub locations: Vec<String>,
}

impl CompositionWords {
    /// The words for a composition of `network` with these discrete states and edges.
    ///
    /// # Panics
    /// If it is not a composition of `network`.
    pub fn of(network: &Network, discrete: &[Arc<State>], parts: &EdgeParts) -> Self {
        let words = |part: &FiringEdge| {
            let step = network.edge_name(part.process, part.edge);
            match part.selects.is_empty() {
                true => step,
                false => format!("{step} {:?}", part.selects),
            }
        };
        let step = |parts: &Arc<[FiringEdge]>| match parts.is_empty() {
            true => "no process".to_owned(),
            false => parts.iter().map(words).collect::<Vec<_>>().join(" with "),
        };
        Self {
            edges: parts.0.iter().map(step).collect(),
            locations: discrete.iter().map(|state| described(network, state)).collect(),
        }
    }
}

impl Composed {
    /// The actions that are seen: without `tau` if all steps without another action are hidden.
    pub fn seen_actions(&self) -> impl Iterator<Item = &Action> {
        let actions = self.automaton.actions().iter();
        actions.filter(|action| action.role != Role::Internal || !self.seen.is_empty())
    }

    /// The edges of the processes of `network` that take part in no step, as messages name them; only of
    /// [`compose`](super::compose). What no process of a template has is named once, for the template.
    pub fn untaken_edges(&self, network: &Network, templates: &[String]) -> Vec<String> {
        by_template(&self.untaken, templates, network, |process, edge, owner| {
            network.edge_of(owner, process, edge)
        })
    }

    /// The locations of the processes of `network` that no run reaches, likewise.
    pub fn unreached_locations(&self, network: &Network, templates: &[String]) -> Vec<String> {
        let states = self
            .discrete
            .iter()
            .flat_map(|state| state.locations.iter().enumerate());
        let reached: FxHashSet<(usize, usize)> = states.map(|(process, at)| (process, *at as usize)).collect();
        let processes = network.processes.iter().enumerate();
        let all = processes.flat_map(|(at, process)| (0..process.locations.len()).map(move |location| (at, location)));
        let unreached: Vec<(usize, usize)> = all.filter(|part| !reached.contains(part)).collect();
        by_template(&unreached, templates, network, |process, location, owner| {
            format!("{owner}.{}", network.processes[process].locations[location].name)
        })
    }

    /// The location of each process and the values of the variables, in words, in a location.
    ///
    /// # Panics
    /// If this is not a composition of `network`.
    pub fn state_in_words(&self, network: &Network, location: LocId) -> String {
        described(network, &self.discrete[location.index()])
    }

    /// [`place_in_words`] of the location of that name.
    pub fn place_in_words(&self, network: &Network, location: &str) -> Option<String> {
        let mut locations = self.automaton.locations().iter();
        let at = locations.position(|known| &*known.name == location)?;
        Some(place_in_words(network, self.discrete.get(at)?))
    }

    /// Whether the step is hidden.
    pub fn is_hidden(&self, edge: EdgeId) -> bool {
        self.automaton.role(edge) == Role::Internal && self.seen.binary_search(&edge).is_err()
    }
}

/// The parts, each a process and a number in it, in words; a part that all processes of a template have in common, and these
/// are several, is one.
fn by_template(
    parts: &[(usize, usize)],
    templates: &[String],
    network: &Network,
    words: impl Fn(usize, usize, &str) -> String,
) -> Vec<String> {
    let names = |process: usize| &*network.processes[process].name;
    let processes_of = |template: &String| templates.iter().filter(|other| *other == template).count();
    let mut found = BTreeMap::<(&String, usize), Vec<usize>>::new();
    for (process, part) in parts {
        found.entry((&templates[*process], *part)).or_default().push(*process);
    }
    let mut all = Vec::new();
    for (process, part) in parts {
        let template = &templates[*process];
        let sharing = &found[&(template, *part)];
        let n_processes = processes_of(template);
        match n_processes > 1 && sharing.len() == n_processes {
            true if sharing[0] == *process => {
                all.push(words(*process, *part, &format!("each of the {n_processes} {template}")));
            }
            true => {}
            false => all.push(words(*process, *part, names(*process))),
        }
    }
    all
}

/// `game` with the edges `seen` turned into an output of that name, so that all internal edges left are hidden. The output
/// is in the alphabet in any case.
///
/// # Panics
/// If `game` does not have such edges.
#[must_use]
pub fn with_seen_steps(game: &Automaton, seen: &[EdgeId], name: &str) -> Automaton {
    let (shown, action) = game.with_action(Action {
        name: name.into(),
        role: Role::Output,
        urgent: false,
    });
    shown.with_action_of(seen, action)
}

/// The state in words.
/// The locations of the processes in a state, the values, and the processes in whose locations time ends or does not pass.
pub fn place_in_words(network: &Network, state: &State) -> String {
    let parts = network.processes.iter().zip(&state.locations);
    let parts = parts.map(|(process, at)| (process, &process.locations[*at as usize]));
    let stopping = parts.filter(|(_, location)| location.may_stop_time());
    let stopping: Vec<String> = stopping
        .map(|(process, location)| format!("{}.{}", process.name, location.name))
        .collect();
    let words = described(network, state);
    match stopping.as_slice() {
        [] => words,
        _ => format!("{words}, where time is bounded by {}", stopping.join(" and ")),
    }
}

pub(super) fn described(network: &Network, state: &State) -> String {
    let locations = network.processes.iter().zip(&state.locations);
    let mut parts: Vec<String> = locations
        .map(|(process, at)| format!("{}.{}", process.name, process.locations[*at as usize].name))
        .collect();
    let values = network.variables.iter().zip(&state.store).enumerate();
    let values = values.filter(|(at, (variable, _))| !variable.meta && network.is_declared(*at));
    parts.extend(values.map(|(_, (variable, value))| format!("{}={value}", variable.name)));
    parts.join(" ")
}
