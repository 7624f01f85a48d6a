//! Urgency off.

use super::urgency_on::becoming;
use super::{Alterations, Definition};
use crate::model::{Automaton, Urgency};
use crate::mutation::Alteration;

pub const URO: Definition = Definition {
    name: "URO",
    summary: "let time pass in an urgent location",
    meaning: "each urgent location is an ordinary one",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    becoming(automaton, Urgency::Normal, |urgency| urgency == Urgency::Urgent)
}
