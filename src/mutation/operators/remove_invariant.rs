//! Remove invariant.

use super::{Alterations, Definition};
use crate::model::Automaton;
use crate::mutation::Alteration;

pub const RIV: Definition = Definition {
    name: "RIV",
    summary: "remove an invariant",
    meaning: "each invariant that says something is left out",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let locations = automaton.locations().iter_enumerated();
    locations
        .filter(|(_, parts)| !parts.invariant.is_trivial())
        .map(|(location, _)| Alteration::DropInvariant { location })
        .collect()
}
