//! Arithmetic operator replacement.

use super::{Alterations, Definition};
use crate::model::{Automaton, BinaryOp};
use crate::mutation::Alteration;
use crate::mutation::rewrites::replaced;

pub const AOR: Definition = Definition {
    name: "AOR",
    summary: "replace an arithmetic operator",
    meaning: "each of + - * / % is replaced by each of the other four",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    use BinaryOp::{Add, Div, Mul, Rem, Sub};
    replaced(automaton, &[Add, Sub, Mul, Div, Rem])
}
