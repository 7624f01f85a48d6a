//! Missing assignment.

use super::{Alterations, Definition};
use crate::model::{Automaton, Update};
use crate::mutation::Alteration;

pub const MAS: Definition = Definition {
    name: "MAS",
    summary: "do not assign an integer",
    meaning: "each update of an edge that assigns an integer is left out",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (edge, parts) in automaton.edges().iter_enumerated() {
        let assignments = (0..)
            .zip(&parts.updates)
            .filter(|(_, update)| matches!(update, Update::Assign(..)));
        alterations.extend(assignments.map(|(update, _)| Alteration::DropUpdate { edge, update }));
    }
    alterations
}
