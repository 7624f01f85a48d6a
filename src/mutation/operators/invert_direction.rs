//! Invert direction.

use super::{Alterations, Definition};
use crate::model::{Automaton, Role};
use crate::mutation::Alteration;

pub const INV: Definition = Definition {
    name: "INV",
    summary: "make an input an output, or the other way round",
    meaning: "each edge that is no internal step gets the action of the same name in the other direction, which is new in the alphabet unless it is there",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let named = automaton
        .edges()
        .ids()
        .filter(|edge| automaton.role(*edge) != Role::Internal);
    named.map(|edge| Alteration::Direction { edge }).collect()
}
