//! Guard true.

use super::{Alterations, Definition};
use crate::model::Automaton;
use crate::mutation::Alteration;

pub const GTR: Definition = Definition {
    name: "GTR",
    summary: "make an edge always possible",
    meaning: "each guard that says something is left out",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let edges = automaton.edges().iter_enumerated();
    edges
        .filter(|(_, parts)| !parts.guard.is_trivial())
        .map(|(edge, _)| Alteration::DropGuard { edge })
        .collect()
}
