//! Change action.

use super::{Alterations, Definition};
use crate::model::Automaton;
use crate::mutation::Alteration;

pub const CAC: Definition = Definition {
    name: "CAC",
    summary: "give an edge another action of its direction",
    meaning: "each edge gets each other action of the alphabet that has the direction of its own",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (edge, parts) in automaton.edges().iter_enumerated() {
        let others = automaton
            .actions()
            .iter_enumerated()
            .filter(|(id, action)| *id != parts.action && action.role == automaton.role(edge));
        alterations.extend(others.map(|(action, _)| Alteration::Action { edge, action }));
    }
    alterations
}
