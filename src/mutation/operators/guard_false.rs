//! Guard false.

use super::{Alterations, Definition};
use crate::model::Automaton;
use crate::mutation::Alteration;
use crate::mutation::alteration::never;

pub const GFL: Definition = Definition {
    name: "GFL",
    summary: "make an edge never possible",
    meaning: "each guard becomes the condition that never holds, unless it is just that",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let is_never = |edge| automaton.edges()[edge].guard == never();
    automaton
        .edges()
        .ids()
        .filter(|edge| !is_never(*edge))
        .map(|edge| Alteration::NeverGuard { edge })
        .collect()
}
