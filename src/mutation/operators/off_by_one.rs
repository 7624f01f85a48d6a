//! Off by one.

use super::{Alterations, Definition};
use crate::model::{Automaton, Expr};
use crate::mutation::Alteration;
use crate::mutation::formula::{Rewrite, parts};
use crate::mutation::rewrites::rewrites;

pub const OBO: Definition = Definition {
    name: "OBO",
    summary: "take a number or a variable for one more or less",
    meaning: "each number and each occurrence of an integer or select variable in a condition, an assigned value or a bound with variables is 1 greater, and 1 less",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    rewrites(automaton, |formula, _| {
        let is_value = |part: &Expr| matches!(part, Expr::Const(_) | Expr::Var(_) | Expr::Select(_));
        let all = (0..).zip(parts(formula)).filter(|(_, part)| is_value(part));
        all.flat_map(|(at, _)| [(at, Rewrite::Plus(1)), (at, Rewrite::Plus(-1))])
            .collect()
    })
}
