//! Commitment on.

use super::urgency_on::becoming;
use super::{Alterations, Definition};
use crate::model::{Automaton, Urgency};
use crate::mutation::Alteration;

pub const COM: Definition = Definition {
    name: "COM",
    summary: "make a location committed",
    meaning: "each location that is not committed is; in a single game time may not pass there, and nothing else",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    becoming(automaton, Urgency::Committed, |urgency| urgency != Urgency::Committed)
}
