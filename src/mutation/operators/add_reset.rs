//! Add reset.

use super::{Alterations, Definition};
use crate::model::{Automaton, Update};
use crate::mutation::Alteration;

pub const ARS: Definition = Definition {
    name: "ARS",
    summary: "set another clock to 0",
    meaning: "each edge sets, after its own updates, each clock to 0 that it does not set",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (edge, parts) in automaton.edges().iter_enumerated() {
        let is_set = |clock| {
            parts
                .updates
                .iter()
                .any(|update| matches!(update, Update::Reset(set, _) if *set == clock))
        };
        let others = automaton.clocks().ids().filter(|clock| !is_set(*clock));
        alterations.extend(others.map(|clock| Alteration::Reset { edge, clock }));
    }
    alterations
}
