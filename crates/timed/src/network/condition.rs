//! Guards and invariants: clock atoms and conditions on variables, under any connective.

use super::{Clock, Expr};
use crate::model::Cmp;

/// A condition on variables and clocks.
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    /// Holds if the expression is not 0.
    Data(Expr),
    /// `left - right ~ bound`, or `left ~ bound` without `right`.
    Atom(Clock, Option<Clock>, Cmp, Expr),
    /// The clock runs at this rate: not a condition on states; only rate 1 has a meaning.
    Rate(Clock, Expr),
    /// All hold.
    And(Vec<Condition>),
    /// One holds.
    Or(Vec<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
    /// `if .0 then .1 else .2`.
    Cond(Expr, Box<Condition>, Box<Condition>),
    /// Holds for all (the flag) or for one of the values of that cell of the frame.
    Quantified(bool, u32, (i32, i32), Box<Condition>),
}

impl Condition {
    /// The condition that always holds.
    pub fn always() -> Self {
        Self::And(Vec::new())
    }

    /// Whether a part of it, which is not negated, is an upper bound of a clock.
    pub(super) fn has_upper_bound(&self) -> bool {
        match self {
            Self::Atom(_, None, cmp, _) => matches!(cmp, Cmp::Lt | Cmp::Le | Cmp::Eq),
            Self::Data(_) | Self::Atom(..) | Self::Rate(..) | Self::Not(_) => false,
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::has_upper_bound),
            Self::Cond(_, then, other) => then.has_upper_bound() || other.has_upper_bound(),
            Self::Quantified(_, _, _, part) => part.has_upper_bound(),
        }
    }

    /// Whether it is constantly false by its text, as in `false && x > 3`.
    pub(super) fn is_never(&self) -> bool {
        match self {
            Self::Data(Expr::Const(0)) => true,
            Self::And(parts) => parts.iter().any(Self::is_never),
            _ => false,
        }
    }

    /// Whether no variable is in it.
    pub(super) fn is_constant(&self) -> bool {
        let is_one = |clock: &Clock| clock.steps.is_empty();
        match self {
            Self::Data(expr) => expr.as_const().is_some(),
            Self::Atom(left, right, _, bound) => {
                is_one(left) && right.as_ref().is_none_or(is_one) && bound.as_const().is_some()
            }
            Self::Rate(..) | Self::Quantified(..) => false,
            Self::And(parts) | Self::Or(parts) => parts.iter().all(Self::is_constant),
            Self::Not(part) => part.is_constant(),
            Self::Cond(test, then, other) => test.as_const().is_some() && then.is_constant() && other.is_constant(),
        }
    }

    /// Removes the rates of clocks that `keep` does not keep, and calls `dropped` with each clock and rate.
    pub fn drop_rates(&mut self, keep: &impl Fn(&Clock) -> bool, dropped: &mut impl FnMut(&Clock, &Expr)) {
        match self {
            Self::Rate(clock, rate) if !keep(clock) => {
                dropped(clock, rate);
                *self = Self::always();
            }
            Self::Data(_) | Self::Atom(..) | Self::Rate(..) => {}
            Self::And(parts) | Self::Or(parts) => parts.iter_mut().for_each(|part| part.drop_rates(keep, dropped)),
            Self::Not(part) | Self::Quantified(_, _, _, part) => part.drop_rates(keep, dropped),
            Self::Cond(_, then, other) => {
                then.drop_rates(keep, dropped);
                other.drop_rates(keep, dropped);
            }
        }
    }

    /// Calls `visit` with every clock atom: both clocks and the bound.
    pub(super) fn atoms(&self, visit: &mut impl FnMut(&Clock, Option<&Clock>, &Expr)) {
        match self {
            Self::Data(_) | Self::Rate(..) => {}
            Self::Atom(left, right, _, bound) => visit(left, right.as_ref(), bound),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.atoms(visit)),
            Self::Not(part) | Self::Quantified(_, _, _, part) => part.atoms(visit),
            Self::Cond(_, then, other) => {
                then.atoms(visit);
                other.atoms(visit);
            }
        }
    }
}
