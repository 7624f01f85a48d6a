//! What an operator is: its names, and what it changes.

use crate::model::{Automaton, Edge, EdgeId, LocId};
use crate::mutation::Alteration;

/// What an operator is.
pub struct Definition {
    /// Its short name, in capitals.
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// Where it applies and what it makes, exactly.
    pub meaning: &'static str,
    /// Its changes of an automaton.
    pub alterations: Alterations,
}

/// The changes that an operator makes, in order.
#[derive(Clone, Copy)]
pub enum Alterations {
    /// Those of \[003\], which have records of their own.
    Paper,
    /// Few enough to be listed.
    Listed(fn(&Automaton) -> Vec<Alteration>),
    /// One end of each edge at each other location: as many as edges times locations, so they are computed from their number.
    Elsewhere {
        end: fn(&Edge) -> LocId,
        /// The change that brings it to a location.
        moved: fn(EdgeId, LocId) -> Alteration,
    },
}
