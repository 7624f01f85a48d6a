//! The definition of an operator: its names and its changes.

use crate::model::{Automaton, Edge, EdgeId, LocId};
use crate::mutation::Alteration;

/// The definition of an operator.
pub struct Definition {
    /// Its short name, in capitals.
    pub name: &'static str,
    /// Its name with memory.
    pub again: &'static str,
    /// Its effect, in a few words.
    pub summary: &'static str,
    /// Its exact meaning: the places where it applies, and the mutants that it makes.
    pub meaning: &'static str,
    /// Its changes of an automaton.
    pub alterations: Alterations,
}

/// A function from an automaton to the changes that an operator makes of it.
pub type AlterationsOf = dyn Fn(&Automaton) -> Vec<Alteration> + Send + Sync;

/// The changes that an operator makes, in order.
#[derive(Clone, Copy)]
pub enum Alterations {
    /// The changes of the six operators of \[003\], which are separate variants of `Mutation`.
    Paper,
    /// Few enough changes to be listed.
    Listed(&'static AlterationsOf),
    /// The variants of the automaton that its operator has made.
    OfChart,
    /// One end of each edge moved to each other location: edges times locations many, so each change is computed from its
    /// number.
    Elsewhere {
        end: fn(&Edge) -> LocId,
        /// The change that brings it to a location.
        moved: fn(EdgeId, LocId) -> Alteration,
    },
}
