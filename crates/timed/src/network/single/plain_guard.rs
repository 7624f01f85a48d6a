//! Guards and invariants of a single process: conjunctions, however they are spelt.

use crate::model::{BinaryOp, ClockConstraint, Expr, Guard, UnaryOp};
use crate::network::single::plain::{SingleAutomaton, TranslationResult};
use crate::network::{Condition, NotSingleAutomaton};

impl SingleAutomaton<'_> {
    /// Adds `condition`, a part of a conjunction, to `guard`.
    ///
    /// # Errors
    /// Only a composition can express it; `guard` may have some of it then.
    pub fn conjunct(&mut self, condition: &Condition, guard: &mut Guard) -> Result<(), NotSingleAutomaton> {
        self.condition(condition, true, guard)
    }

    /// Adds `condition` (negated, unless `positive`) to `guard`.
    fn condition(&mut self, condition: &Condition, positive: bool, guard: &mut Guard) -> TranslationResult<()> {
        match condition {
            Condition::Data(expr) => self.data_condition(expr, positive, guard),
            Condition::Atom(left, right, cmp, bound) => {
                let cmp = match (positive, cmp.negated()) {
                    (true, _) => *cmp,
                    (false, Some(negated)) => negated,
                    (false, None) => return Err(NotSingleAutomaton::Disequality),
                };
                let left = self.clock(left)?;
                let right = right.as_ref().map(|right| self.clock(right)).transpose()?;
                let bound = self.bound(bound)?;
                guard.clocks.push(ClockConstraint {
                    left,
                    right,
                    cmp,
                    bound,
                });
                Ok(())
            }
            Condition::Rate(clock, rate) => {
                self.clock(clock)?;
                match (self.data(rate)?.as_const(), positive) {
                    (Some(1), true) => Ok(()),
                    _ => Err(NotSingleAutomaton::Stopwatch),
                }
            }
            Condition::Not(part) => self.condition(part, !positive, guard),
            Condition::And(parts) if positive => self.all(parts, true, guard),
            Condition::Or(parts) if !positive => self.all(parts, false, guard),
            Condition::And(parts) | Condition::Or(parts) => self.one_of(parts, positive, guard),
            Condition::Cond(test, then, other) => match self.data(test)?.as_const() {
                Some(0) => self.condition(other, positive, guard),
                Some(_) => self.condition(then, positive, guard),
                None => Err(NotSingleAutomaton::Disjunction("`?:` between clock conditions")),
            },
            Condition::Quantified(all, ..) => {
                Err(NotSingleAutomaton::Quantifier(if *all { "forall" } else { "exists" }))
            }
        }
    }

    fn all(&mut self, parts: &[Condition], positive: bool, guard: &mut Guard) -> TranslationResult<()> {
        let all = parts.iter().map(|part| self.condition(part, positive, guard));
        // Every part is translated, to find its own errors.
        all.collect::<Vec<_>>().into_iter().collect()
    }

    /// Adds a disjunction of `parts` (each negated, unless `positive`), all but one of which must be constant.
    fn one_of(&mut self, parts: &[Condition], positive: bool, guard: &mut Guard) -> TranslationResult<()> {
        let mut open = Vec::new();
        for part in parts {
            match self.known(part)? {
                Some(holds) if holds == positive => return Ok(()),
                Some(_) => {}
                None => open.push(part),
            }
        }
        match open.as_slice() {
            [] => {
                push_data(guard, Expr::Const(0));
                Ok(())
            }
            [single] => self.condition(single, positive, guard),
            _ => Err(NotSingleAutomaton::Disjunction(match positive {
                true => "a disjunction of clock conditions",
                false => "the negation of a conjunction of clock conditions",
            })),
        }
    }

    /// Whether `condition` holds, if it is constant.
    fn known(&mut self, condition: &Condition) -> TranslationResult<Option<bool>> {
        match condition {
            Condition::Data(expr) => Ok(self.data(expr)?.as_const().map(|value| value != 0)),
            Condition::Not(part) => Ok(self.known(part)?.map(|holds| !holds)),
            _ => Ok(None),
        }
    }

    /// A condition without clocks: its conjuncts one by one. A negation stays as it is written.
    fn data_condition(
        &mut self,
        expr: &crate::network::Expr,
        positive: bool,
        guard: &mut Guard,
    ) -> TranslationResult<()> {
        use crate::network::Expr as N;
        let parts = match expr {
            N::Unary(UnaryOp::Not, operand) if !positive => return self.data_condition(operand, true, guard),
            N::Binary(BinaryOp::And, left, right) if positive => [(left, true), (right, true)],
            N::Binary(BinaryOp::Or, left, right) if !positive => [(left, false), (right, false)],
            N::Binary(BinaryOp::Imply, left, right) if !positive => [(left, true), (right, false)],
            _ => {
                let value = self.data(expr)?;
                let value = match positive {
                    true => value,
                    false => Self::fold(Expr::Unary(UnaryOp::Not, Box::new(value)))?,
                };
                push_data(guard, value);
                return Ok(());
            }
        };
        let [first, second] = parts.map(|(part, positive)| self.data_condition(part, positive, guard));
        first.and(second)
    }
}

/// Adds an integer condition; one that always holds adds nothing.
fn push_data(guard: &mut Guard, expr: Expr) {
    match expr {
        Expr::Const(0) if guard.data.contains(&Expr::Const(0)) => {}
        Expr::Const(value) if value != 0 => {}
        expr => guard.data.push(expr),
    }
}
