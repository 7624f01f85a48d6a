//! Associative shift.

use super::{Alterations, Definition};
use crate::model::{Automaton, BinaryOp, Expr};
use crate::mutation::Alteration;
use crate::mutation::formula::{Rewrite, parts};
use crate::mutation::rewrites::rewrites;

pub const ASF: Definition = Definition {
    name: "ASF",
    summary: "leave out brackets",
    meaning: "each && with an || as an operand is read as if that had no brackets: a && (b || c) as (a && b) || c, and (a || b) && c as a || (b && c)",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let is_or = |part: &Expr| matches!(part, Expr::Binary(BinaryOp::Or, _, _));
    rewrites(automaton, |formula, _| {
        let mut found = Vec::new();
        for (at, part) in (0..).zip(parts(formula)) {
            let Expr::Binary(BinaryOp::And, left, right) = part else {
                continue;
            };
            found.extend(is_or(left).then_some((at, Rewrite::ShiftLeft)));
            found.extend(is_or(right).then_some((at, Rewrite::ShiftRight)));
        }
        found
    })
}
