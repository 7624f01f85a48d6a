//! Logical operator replacement.

use super::{Alterations, Definition};
use crate::model::{Automaton, BinaryOp};
use crate::mutation::Alteration;
use crate::mutation::rewrites::replaced;

pub const LOR: Definition = Definition {
    name: "LOR",
    summary: "replace a connective",
    meaning: "each of && || imply is replaced by each of the other two; the integer conditions of a guard or an invariant are one conjunction, from the left",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    replaced(automaton, &[BinaryOp::And, BinaryOp::Or, BinaryOp::Imply])
}
