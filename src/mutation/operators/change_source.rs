//! Change source.

use super::Definition;
use crate::model::Automaton;
use crate::mutation::Alteration;

/// Change source.
pub const CSR: Definition = Definition {
    name: "CSR",
    summary: "start an edge elsewhere",
    meaning: "each edge starts at each location other than its source",
    alterations: Some(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (edge, parts) in automaton.edges().iter_enumerated() {
        let others = automaton.locations().ids().filter(|location| *location != parts.source);
        alterations.extend(others.map(|source| Alteration::Source { edge, source }));
    }
    alterations
}
