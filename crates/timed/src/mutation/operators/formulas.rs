//! Changes of integer expressions and of conditions on them.

use std::collections::HashSet;

use crate::model::{Automaton, BinaryOp, Expr, UnaryOp};
use crate::mutation::Alteration;
use crate::mutation::formula::{Rewrite, conditions, formula_at, formula_sites, is_connective, parts, rewritten, size};
use crate::mutation::place::{clock_atoms, guard_at, guard_conjuncts};
use tamper_text::IndexVec;

/// The changes that `found` returns for each expression (with whether it is a condition), in order. Among changes of one
/// expression with the same result only the first is kept; changes without effect are dropped.
fn rewrites(automaton: &Automaton, found: impl Fn(&Expr, bool) -> Vec<(u32, Rewrite)>) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for place in formula_sites(automaton) {
        let Some((formula, is_condition)) = formula_at(automaton, place) else {
            continue;
        };
        let mut results = vec![formula.clone()];
        for (part, rewrite) in found(&formula, is_condition) {
            let Some(result) = rewritten(&formula, part, rewrite) else {
                continue;
            };
            if !results.contains(&result) {
                results.push(result);
                alterations.push(Alteration::Expression { place, part, rewrite });
            }
        }
    }
    alterations
}

/// The rewrites that `of` returns for each part of each expression.
fn of_parts(automaton: &Automaton, of: impl Fn(&Expr) -> Vec<Rewrite>) -> Vec<Alteration> {
    rewrites(automaton, |formula, _| {
        let parts = (0..).zip(parts(formula));
        let each = parts.flat_map(|(at, part)| of(part).into_iter().map(move |rewrite| (at, rewrite)));
        each.collect()
    })
}

/// Each of `operators` replaced by each of the others.
pub fn replaced(automaton: &Automaton, operators: &[BinaryOp]) -> Vec<Alteration> {
    of_parts(automaton, |part| match part {
        Expr::Binary(operator, _, _) if operators.contains(operator) => {
            let others = operators.iter().filter(|other| *other != operator);
            others.map(|other| Rewrite::Operator(*other)).collect()
        }
        _ => Vec::new(),
    })
}

/// Each part with a connective, negated.
pub fn negated_parts(automaton: &Automaton) -> Vec<Alteration> {
    of_parts(automaton, |part| match is_connective(part) {
        true => vec![Rewrite::Negate],
        false => Vec::new(),
    })
}

/// Each single condition, negated; a negation, left out.
pub fn negated_conditions(automaton: &Automaton) -> Vec<Alteration> {
    rewrites(automaton, |formula, is_condition| {
        let all = conditions(formula, is_condition).into_iter();
        all.map(|(at, condition)| match condition {
            Expr::Unary(UnaryOp::Not, _) => (at, Rewrite::Affirm),
            _ => (at, Rewrite::Negate),
        })
        .collect()
    })
}

/// Each `&&` with an `||` as an operand, read as if the operand had no brackets.
pub fn without_brackets(automaton: &Automaton) -> Vec<Alteration> {
    let is_or = |part: &Expr| matches!(part, Expr::Binary(BinaryOp::Or, _, _));
    of_parts(automaton, |part| match part {
        Expr::Binary(BinaryOp::And, left, right) => {
            let shifts = [(is_or(left), Rewrite::ShiftLeft), (is_or(right), Rewrite::ShiftRight)];
            let possible = shifts.into_iter().filter(|(is_possible, _)| *is_possible);
            possible.map(|(_, shift)| shift).collect()
        }
        _ => Vec::new(),
    })
}

/// Each constraint or condition that is connected to another one, left out.
pub fn without_condition(automaton: &Automaton) -> Vec<Alteration> {
    let is_one_of_several = |alteration: &(_, _, _)| {
        let guard = guard_at(automaton, alteration.0);
        guard.clocks.len() + guard.data.len() > 1
    };
    let atoms = clock_atoms(automaton).filter(is_one_of_several);
    let mut alterations: Vec<Alteration> = atoms
        .map(|(site, atom, _)| Alteration::DropAtom { site, atom })
        .collect();
    alterations.extend(rewrites(automaton, |formula, is_condition| {
        let conditions = conditions(formula, is_condition);
        let is_condition = |at: u32| conditions.iter().any(|(condition, _)| *condition == at);
        let mut found = Vec::new();
        for (at, part) in (0..).zip(parts(formula)) {
            let Expr::Binary(BinaryOp::And | BinaryOp::Or, left, _) = part else {
                continue;
            };
            found.extend(is_condition(at + 1).then_some((at, Rewrite::KeepRight)));
            found.extend(is_condition(at + 1 + size(left)).then_some((at, Rewrite::KeepLeft)));
        }
        found
    }));
    alterations
}

/// Each guard extended by each conjunct that it lacks from another edge of the same location; of equal conjuncts only the
/// first.
pub fn extra_conditions(automaton: &Automaton) -> Vec<Alteration> {
    let edges = automaton.edges();
    // By location, so that no edge is compared with all others.
    let mut known = HashSet::new();
    let mut firsts = IndexVec::filled(Vec::new(), automaton.locations().len());
    for (from, parts) in edges.iter_enumerated() {
        for (conjunct, extra) in (0..).zip(guard_conjuncts(&parts.guard)) {
            if !extra.has_select() && known.insert((parts.source, extra)) {
                firsts[parts.source].push((extra, from, conjunct));
            }
        }
    }
    let mut alterations = Vec::new();
    for (edge, parts) in edges.iter_enumerated() {
        let own = guard_conjuncts(&parts.guard);
        let others = firsts[parts.source].iter().filter(|(extra, ..)| !own.contains(extra));
        alterations.extend(others.map(|&(_, from, conjunct)| Alteration::Extra { edge, from, conjunct }));
    }
    alterations
}

/// Each single condition, replaced by each other one of its formula.
pub fn other_conditions(automaton: &Automaton) -> Vec<Alteration> {
    rewrites(automaton, |formula, is_condition| {
        let all = conditions(formula, is_condition);
        let mut found = Vec::new();
        for (at, _) in &all {
            let others = all.iter().filter(|(other, _)| other != at);
            found.extend(others.map(|(other, _)| (*at, Rewrite::Copy(*other))));
        }
        found
    })
}

/// Each occurrence of a variable, replaced by 0.
pub fn stuck(automaton: &Automaton) -> Vec<Alteration> {
    of_parts(automaton, |part| match part {
        Expr::Var(_) | Expr::Select(_) => vec![Rewrite::Constant(0)],
        _ => Vec::new(),
    })
}

/// Each number and each occurrence of a variable, 1 greater and 1 less.
pub fn off_by_one(automaton: &Automaton) -> Vec<Alteration> {
    of_parts(automaton, |part| match part {
        Expr::Const(_) | Expr::Var(_) | Expr::Select(_) => vec![Rewrite::Plus(1), Rewrite::Plus(-1)],
        _ => Vec::new(),
    })
}
