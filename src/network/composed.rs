//! What a composition gives.

use crate::model::Automaton;

/// A network as one game.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The game: one location per reached discrete state.
    pub automaton: Automaton,
    /// Per location, where each process is and what the variables are, in words.
    pub states: Vec<String>,
    /// Whether some reached state has a committed location.
    pub has_committed: bool,
    /// Whether some step is hidden: inside the system with [`View::hide_internal`](super::View::hide_internal), or inside
    /// the environment.
    pub has_hidden: bool,
    /// Symbolic states explored; with clock differences the discrete states, because then zones prune nothing.
    pub n_explored: u64,
}
