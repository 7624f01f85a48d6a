//! Remove reset.

use super::{Alterations, Definition};
use crate::model::{Automaton, Update};
use crate::mutation::Alteration;

pub const RRS: Definition = Definition {
    name: "RRS",
    summary: "do not set a clock",
    meaning: "each update of an edge that sets a clock is left out",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (edge, parts) in automaton.edges().iter_enumerated() {
        let resets = (0..)
            .zip(&parts.updates)
            .filter(|(_, update)| matches!(update, Update::Reset(..)));
        alterations.extend(resets.map(|(update, _)| Alteration::DropUpdate { edge, update }));
    }
    alterations
}
