//! Sink location.

use super::{Alterations, Definition};
use crate::model::Automaton;
use crate::mutation::Alteration;

pub const SNK: Definition = Definition {
    name: "SNK",
    summary: "lead an edge to a location that does nothing any more",
    meaning: "each edge leads to a new location without invariant, which accepts every input of the alphabet and stays",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    automaton.edges().ids().map(|edge| Alteration::Sink { edge }).collect()
}
