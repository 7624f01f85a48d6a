//! Change target.

use super::Definition;
use crate::model::Automaton;
use crate::mutation::Alteration;

/// Change target.
pub const CTG: Definition = Definition {
    name: "CTG",
    summary: "lead an edge elsewhere",
    meaning: "each edge leads to each location other than its target",
    alterations: Some(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (edge, parts) in automaton.edges().iter_enumerated() {
        let others = automaton.locations().ids().filter(|location| *location != parts.target);
        alterations.extend(others.map(|target| Alteration::Target { edge, target }));
    }
    alterations
}
