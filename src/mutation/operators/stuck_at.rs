//! Stuck at 0.

use super::{Alterations, Definition};
use crate::model::{Automaton, Expr};
use crate::mutation::Alteration;
use crate::mutation::formula::{Rewrite, parts};
use crate::mutation::rewrites::rewrites;

pub const STK: Definition = Definition {
    name: "STK",
    summary: "take a variable for 0",
    meaning: "each occurrence of an integer or select variable in a condition, an assigned value or a bound is replaced by 0",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    rewrites(automaton, |formula, _| {
        let all = (0..)
            .zip(parts(formula))
            .filter(|(_, part)| matches!(part, Expr::Var(_) | Expr::Select(_)));
        all.map(|(at, _)| (at, Rewrite::Constant(0))).collect()
    })
}
