//! The result of a composition.

use super::Network;
use super::moves::State;
use crate::model::{Action, Automaton, EdgeId, Role};
use tamper_zones::Dbm;

/// A network as one game.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The game: one location per reached discrete state.
    pub automaton: Automaton,
    /// Per location, the location of each process and the values of the variables, in words; only of
    /// [`compose`](super::compose).
    pub states: Vec<String>,
    /// Per location, its discrete state.
    pub discrete: Vec<State>,
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
    /// The processes' own edges that take part in no step, as process and edge; only of [`compose`](super::compose).
    pub untaken: Vec<(usize, usize)>,
    /// Per location, a zone that contains all clock values with which runs reach it; empty if it was not computed.
    pub reach: Vec<Dbm>,
    /// Symbolic states explored; with clock differences the discrete states, because then zones prune nothing.
    pub n_explored: u64,
    /// Symbolic states that were kept: no other one simulates them.
    pub n_kept: u64,
}

impl Composed {
    /// The actions that are seen: without `tau` if all steps without another action are hidden.
    pub fn seen_actions(&self) -> impl Iterator<Item = &Action> {
        let actions = self.automaton.actions().iter();
        actions.filter(|action| action.role != Role::Internal || !self.seen.is_empty())
    }

    /// The edges of the processes of `network` that take part in no step, as messages name them; only of
    /// [`compose`](super::compose).
    pub fn untaken_edges(&self, network: &Network) -> Vec<String> {
        let edges = self.untaken.iter();
        edges
            .map(|(process, edge)| network.edge_name(*process, *edge))
            .collect()
    }

    /// Whether the step is hidden.
    pub fn is_hidden(&self, edge: EdgeId) -> bool {
        self.automaton.role(edge) == Role::Internal && self.seen.binary_search(&edge).is_err()
    }
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
