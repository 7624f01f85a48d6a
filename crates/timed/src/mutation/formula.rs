//! The integer expressions of a game, and changes of their parts.
//!
//! The integer conditions of a guard or an invariant are one formula, their conjunction, from the left. A part is known by
//! its position: a whole before its parts, left before right.

use super::place::{Site, guard_at};
use crate::model::{Automaton, BinaryOp, EdgeId, Expr, Guard, UnaryOp, Update};

/// The place of an integer expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FormulaSite {
    /// The conjunction of the integer conditions there.
    Conditions(Site),
    /// The bound of the clock constraint at that position, if it depends on variables.
    Bound(Site, u32),
    /// The value that the update at that position assigns to an integer.
    Value(EdgeId, u32),
}

/// A change of one part of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rewrite {
    /// Replaces the operator by this one.
    Operator(BinaryOp),
    /// Replaces the formula by this constant.
    Constant(i64),
    /// Adds this number.
    Plus(i64),
    /// Negates the whole formula.
    Negate,
    /// Removes the outermost negation.
    Affirm,
    /// Keeps only the left operand.
    KeepLeft,
    /// Keeps only the right operand.
    KeepRight,
    /// `(a || b) && c` becomes `a || (b && c)`.
    ShiftLeft,
    /// `a && (b || c)` becomes `(a && b) || c`.
    ShiftRight,
    /// Replaces the part by a copy of the part at this position.
    Copy(u32),
}

/// The expression at `place`, and whether it is a condition; `None` if `place` has no expression that can be mutated.
pub fn formula_at(automaton: &Automaton, place: FormulaSite) -> Option<(Expr, bool)> {
    match place {
        FormulaSite::Conditions(site) => {
            let conditions = guard_at(automaton, site).data.iter().cloned();
            let all = conditions.reduce(|all, next| binary(BinaryOp::And, all, next))?;
            Some((all, true))
        }
        FormulaSite::Bound(site, atom) => {
            let bound = &guard_at(automaton, site).clocks.get(atom as usize)?.bound;
            bound.as_const().is_none().then(|| (bound.clone(), false))
        }
        FormulaSite::Value(edge, update) => match automaton.edges()[edge].updates.get(update as usize)? {
            Update::Assign(_, value) => is_written(value).then(|| (value.clone(), false)),
            Update::Reset(..) => None,
        },
    }
}

/// Whether an assigned value is written in the file: `n++` has no written value.
fn is_written(value: &Expr) -> bool {
    match value {
        Expr::Unary(UnaryOp::Plus(_), _) => false,
        Expr::Unary(UnaryOp::Truth, part) => is_written(part),
        _ => true,
    }
}

/// The parts of `formula`, by position.
pub fn parts(formula: &Expr) -> Vec<&Expr> {
    let mut all = vec![formula];
    all.extend(operands(formula).into_iter().flat_map(parts));
    all
}

/// Number of parts of `formula`.
pub fn size(formula: &Expr) -> u32 {
    1 + operands(formula).into_iter().map(size).sum::<u32>()
}

fn operands(formula: &Expr) -> Vec<&Expr> {
    match formula {
        Expr::Const(_) | Expr::Var(_) | Expr::Select(_) => Vec::new(),
        Expr::Unary(_, part) => vec![part],
        Expr::Binary(_, left, right) => vec![left, right],
        Expr::Cond(test, then, other) => vec![test, then, other],
    }
}

/// Whether its operator connects conditions.
pub fn is_connective(part: &Expr) -> bool {
    matches!(part, Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Imply, _, _))
}

/// The atomic conditions of `formula`, by position: operands of connectives and tests of `? :` that are no connectives
/// themselves, negations of these, and the whole if it is a condition.
pub fn conditions(formula: &Expr, is_condition: bool) -> Vec<(u32, &Expr)> {
    let mut found = Vec::new();
    collect_conditions(formula, is_condition, 0, &mut found);
    found
}

fn collect_conditions<'e>(part: &'e Expr, is_condition: bool, at: u32, found: &mut Vec<(u32, &'e Expr)>) {
    let is_single = match part {
        Expr::Unary(UnaryOp::Not, negated) => !is_connective(negated),
        Expr::Cond(..) => false,
        _ => is_condition && !is_connective(part),
    };
    if is_single {
        found.push((at, part));
    }
    let inner = |position: usize| match part {
        Expr::Binary(..) => is_connective(part),
        Expr::Unary(UnaryOp::Not, _) => !is_single,
        Expr::Cond(..) => position == 0 || is_condition,
        _ => false,
    };
    let mut start = at + 1;
    for (position, operand) in operands(part).into_iter().enumerate() {
        collect_conditions(operand, inner(position), start, found);
        start += size(operand);
    }
}

/// `formula` with its part at position `at` rewritten; `None` if that part cannot be rewritten so.
pub fn rewritten(formula: &Expr, at: u32, rewrite: Rewrite) -> Option<Expr> {
    let part = *parts(formula).get(at as usize)?;
    let new = match (rewrite, part) {
        (Rewrite::Operator(operator), Expr::Binary(_, left, right)) => {
            Expr::Binary(operator, left.clone(), right.clone())
        }
        (Rewrite::Constant(value), _) => Expr::Const(value),
        (Rewrite::Plus(more), Expr::Const(value)) => {
            let sum = i32::try_from(value.checked_add(more)?).ok()?;
            Expr::Const(sum.into())
        }
        (Rewrite::Plus(more), _) if more < 0 => binary(BinaryOp::Sub, part.clone(), Expr::Const(more.checked_neg()?)),
        (Rewrite::Plus(more), _) => binary(BinaryOp::Add, part.clone(), Expr::Const(more)),
        (Rewrite::Negate, _) => Expr::Unary(UnaryOp::Not, Box::new(part.clone())),
        (Rewrite::Affirm, Expr::Unary(UnaryOp::Not, negated)) => (**negated).clone(),
        (Rewrite::KeepLeft, Expr::Binary(_, left, _)) => (**left).clone(),
        (Rewrite::KeepRight, Expr::Binary(_, _, right)) => (**right).clone(),
        (Rewrite::ShiftLeft, Expr::Binary(and, left, last)) => {
            let Expr::Binary(or, first, second) = &**left else {
                return None;
            };
            let inner = binary(*and, (**second).clone(), (**last).clone());
            binary(*or, (**first).clone(), inner)
        }
        (Rewrite::ShiftRight, Expr::Binary(and, first, right)) => {
            let Expr::Binary(or, second, last) = &**right else {
                return None;
            };
            let inner = binary(*and, (**first).clone(), (**second).clone());
            binary(*or, inner, (**last).clone())
        }
        (Rewrite::Copy(other), _) => (*parts(formula).get(other as usize)?).clone(),
        _ => return None,
    };
    Some(with_part(formula, at, &new))
}

fn with_part(formula: &Expr, at: u32, new: &Expr) -> Expr {
    if at == 0 {
        return new.clone();
    }
    let mut start = 1;
    let mut operand = |old: &Expr| {
        let n_parts = size(old);
        let is_inside = (start..start + n_parts).contains(&at);
        let result = if is_inside {
            with_part(old, at - start, new)
        } else {
            old.clone()
        };
        start += n_parts;
        Box::new(result)
    };
    match formula {
        Expr::Const(_) | Expr::Var(_) | Expr::Select(_) => formula.clone(),
        Expr::Unary(operator, part) => Expr::Unary(*operator, operand(part)),
        Expr::Binary(operator, left, right) => {
            let left = operand(left);
            Expr::Binary(*operator, left, operand(right))
        }
        Expr::Cond(test, then, other) => {
            let (test, then) = (operand(test), operand(then));
            Expr::Cond(test, then, operand(other))
        }
    }
}

/// The conjuncts of `formula`, in order.
pub fn conjuncts(formula: Expr) -> Vec<Expr> {
    match formula {
        Expr::Binary(BinaryOp::And, left, right) => {
            let mut all = conjuncts(*left);
            all.extend(conjuncts(*right));
            all
        }
        single => vec![single],
    }
}

fn binary(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(operator, Box::new(left), Box::new(right))
}

/// `formula` on one line without spaces; everything except names and numbers is in brackets.
pub fn text(automaton: &Automaton, edge: Option<EdgeId>, formula: &Expr) -> String {
    let inner = |part: &Expr| text(automaton, edge, part);
    match formula {
        Expr::Const(value) => value.to_string(),
        Expr::Var(int) => automaton.ints()[*int].name.to_string(),
        Expr::Select(position) => {
            let selects = edge.map(|edge| &automaton.edges()[edge].selects);
            let select = selects.and_then(|selects| selects.get(*position as usize));
            select.map_or_else(|| format!("select{position}"), |select| select.name.to_string())
        }
        Expr::Unary(UnaryOp::Neg, part) => format!("(-{})", inner(part)),
        Expr::Unary(UnaryOp::Not, part) => format!("(!{})", inner(part)),
        Expr::Unary(UnaryOp::Truth, part) => inner(part),
        Expr::Unary(op @ (UnaryOp::Plus(_) | UnaryOp::Times(_)), part) => inner(&op.written_out(part)),
        Expr::Binary(BinaryOp::Imply, left, right) => format!("({}->{})", inner(left), inner(right)),
        Expr::Binary(operator, left, right) => format!("({}{}{})", inner(left), operator.symbol(), inner(right)),
        Expr::Cond(test, then, other) => format!("({}?{}:{})", inner(test), inner(then), inner(other)),
    }
}

/// All places with an expression, in order: by location, then by edge; conditions, bounds, assigned values.
pub fn formula_sites(automaton: &Automaton) -> Vec<FormulaSite> {
    let mut all = Vec::new();
    let of_site = |site: Site, guard: &Guard, all: &mut Vec<FormulaSite>| {
        all.push(FormulaSite::Conditions(site));
        all.extend((0..).zip(&guard.clocks).map(|(atom, _)| FormulaSite::Bound(site, atom)));
    };
    for (id, location) in automaton.locations().iter_enumerated() {
        of_site(Site::Invariant(id), &location.invariant, &mut all);
    }
    for (id, edge) in automaton.edges().iter_enumerated() {
        of_site(Site::Guard(id), &edge.guard, &mut all);
        all.extend(
            (0..)
                .zip(&edge.updates)
                .map(|(update, _)| FormulaSite::Value(id, update)),
        );
    }
    all
}
