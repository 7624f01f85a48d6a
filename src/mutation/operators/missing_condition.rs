//! Missing condition.

use super::{Alterations, Definition};
use crate::model::{Automaton, BinaryOp, Expr};
use crate::mutation::Alteration;
use crate::mutation::formula::{Rewrite, conditions, parts, size};
use crate::mutation::place::{clock_atoms, guard_at};
use crate::mutation::rewrites::rewrites;

pub const MCD: Definition = Definition {
    name: "MCD",
    summary: "leave out a condition",
    meaning: "each clock constraint of a guard or an invariant that has another constraint or condition is left out, and each single integer condition that && or || connects to another one",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let is_one_of_several = |alteration: &(_, _, _)| {
        let guard = guard_at(automaton, alteration.0);
        guard.clocks.len() + guard.data.len() > 1
    };
    let atoms = clock_atoms(automaton).filter(is_one_of_several);
    let mut alterations: Vec<Alteration> = atoms
        .map(|(site, atom, _)| Alteration::DropAtom { site, atom })
        .collect();
    alterations.extend(rewrites(automaton, |formula, is_condition| {
        let conditions: Vec<u32> = conditions(formula, is_condition)
            .into_iter()
            .map(|(at, _)| at)
            .collect();
        let mut found = Vec::new();
        for (at, part) in (0..).zip(parts(formula)) {
            let Expr::Binary(BinaryOp::And | BinaryOp::Or, left, _) = part else {
                continue;
            };
            let (first, second) = (at + 1, at + 1 + size(left));
            found.extend(conditions.contains(&first).then_some((at, Rewrite::KeepRight)));
            found.extend(conditions.contains(&second).then_some((at, Rewrite::KeepLeft)));
        }
        found
    }));
    alterations
}
