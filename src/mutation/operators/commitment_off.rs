//! Commitment off.

use super::urgency_on::becoming;
use super::{Alterations, Definition};
use crate::model::{Automaton, Urgency};
use crate::mutation::Alteration;

pub const CMO: Definition = Definition {
    name: "CMO",
    summary: "make a committed location an ordinary one",
    meaning: "each committed location is an ordinary one",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    becoming(automaton, Urgency::Normal, |urgency| urgency == Urgency::Committed)
}
