//! What a composition gives.

use super::moves::State;
use crate::model::Automaton;
use crate::zones::Dbm;

/// A network as one game.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The game: one location per reached discrete state.
    pub automaton: Automaton,
    /// Per location, where each process is and what the variables are, in words; only of [`compose`](super::compose).
    pub states: Vec<String>,
    /// Per location, the discrete state that it is.
    pub discrete: Vec<State>,
    /// Whether some reached state has a committed location.
    pub has_committed: bool,
    /// Whether some step is hidden: inside the system with [`View::hide_internal`](super::View::hide_internal), or inside
    /// the environment.
    pub has_hidden: bool,
    /// Per location, a zone that has all values with which runs reach it; none at all where that was not computed.
    pub reach: Vec<Dbm>,
    /// Symbolic states explored; with clock differences the discrete states, because then zones prune nothing.
    pub n_explored: u64,
}
