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
    without_updates(automaton, |update| matches!(update, Update::Reset(..)))
}

/// Every update of a kind, left out.
pub(super) fn without_updates(automaton: &Automaton, is_left_out: fn(&Update) -> bool) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (edge, parts) in automaton.edges().iter_enumerated() {
        let updates = (0..).zip(&parts.updates).filter(|(_, update)| is_left_out(update));
        alterations.extend(updates.map(|(update, _)| Alteration::DropUpdate { edge, update }));
    }
    alterations
}
