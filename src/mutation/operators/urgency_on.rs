//! Urgency on.

use super::{Alterations, Definition};
use crate::model::{Automaton, Urgency};
use crate::mutation::Alteration;

pub const URG: Definition = Definition {
    name: "URG",
    summary: "let no time pass in a location",
    meaning: "each location that is neither urgent nor committed is urgent",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    becoming(automaton, Urgency::Urgent, |urgency| urgency == Urgency::Normal)
}

/// The locations whose urgency is one of `from` become `to`.
pub(super) fn becoming(automaton: &Automaton, to: Urgency, from: fn(Urgency) -> bool) -> Vec<Alteration> {
    let locations = automaton.locations().iter_enumerated();
    locations
        .filter(|(_, parts)| from(parts.urgency))
        .map(|(location, _)| Alteration::Urgency { location, urgency: to })
        .collect()
}
