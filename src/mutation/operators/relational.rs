//! Relational operator replacement.

use super::{Alterations, Definition};
use crate::model::{Automaton, BinaryOp};
use crate::mutation::Alteration;
use crate::mutation::rewrites::replaced;

pub const ROR: Definition = Definition {
    name: "ROR",
    summary: "replace a relation of integers",
    meaning: "each of < <= == != >= > between integers is replaced by each of the other five",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    replaced(automaton, &[Lt, Le, Eq, Ne, Ge, Gt])
}
