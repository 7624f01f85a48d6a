//! Condition negation.

use super::{Alterations, Definition};
use crate::model::{Automaton, Expr, UnaryOp};
use crate::mutation::Alteration;
use crate::mutation::formula::{Rewrite, conditions};
use crate::mutation::rewrites::rewrites;

pub const VNF: Definition = Definition {
    name: "VNF",
    summary: "negate a condition, or leave its negation out",
    meaning: "each single condition (what && || imply connect, and what stands alone) is negated; one that is a negation loses it",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    rewrites(automaton, |formula, is_condition| {
        let all = conditions(formula, is_condition).into_iter();
        all.map(|(at, condition)| match condition {
            Expr::Unary(UnaryOp::Not, _) => (at, Rewrite::Affirm),
            _ => (at, Rewrite::Negate),
        })
        .collect()
    })
}
