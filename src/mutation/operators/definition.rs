//! What an operator is.

use crate::model::Automaton;
use crate::mutation::Alteration;

/// What an operator is.
pub struct Definition {
    /// Its short name, in capitals.
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// Where it applies and what it makes, exactly.
    pub meaning: &'static str,
    /// Its changes of an automaton, in order; none where `list.rs` numbers them.
    pub alterations: Option<fn(&Automaton) -> Vec<Alteration>>,
}
