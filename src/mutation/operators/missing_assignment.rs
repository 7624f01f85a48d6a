//! Missing assignment.

use super::remove_reset::without_updates;
use super::{Alterations, Definition};
use crate::model::{Automaton, Update};
use crate::mutation::Alteration;

pub const MAS: Definition = Definition {
    name: "MAS",
    summary: "do not assign an integer",
    meaning: "each update of an edge that assigns an integer is left out",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    without_updates(automaton, |update| matches!(update, Update::Assign(..)))
}
