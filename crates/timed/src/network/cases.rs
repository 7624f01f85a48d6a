//! Evaluation of conditions in one discrete state, to a disjunction of conjunctions of clock atoms.

use super::atoms::{Atoms, DifferenceConstraint, disjoint};
use super::{Clock, Condition, Expr, Fault, Machine};
use crate::model::Cmp;
use tamper_zones::{self as zones, Bound};

/// Most conjunctions that a condition may become: each is a separate step.
const MAX_CASES: usize = 1024;

impl Machine<'_> {
    /// Disjoint clock conditions: `condition` holds in this state under exactly these.
    pub(super) fn cases(&mut self, condition: &Condition) -> Result<Vec<Atoms>, Fault> {
        let cases = self.cases_of(condition, true)?;
        if cases.len() <= 1 {
            return Ok(cases);
        }
        disjoint(cases, MAX_CASES).ok_or(Fault::Cases(MAX_CASES))
    }

    fn cases_of(&mut self, condition: &Condition, positive: bool) -> Result<Vec<Atoms>, Fault> {
        match condition {
            Condition::Data(expr) => Ok(truth((self.eval(expr)? != 0) == positive)),
            Condition::Rate(_, expr) => match self.eval(expr)? {
                1 => Ok(truth(positive)),
                rate => Err(Fault::Rate(rate)),
            },
            Condition::Atom(left, right, cmp, bound) => self.atom(left, right.as_ref(), *cmp, bound, positive),
            Condition::And(parts) | Condition::Or(parts) => {
                let all = matches!(condition, Condition::And(_)) == positive;
                self.join(all, parts.iter().map(|part| (None, part)), positive)
            }
            Condition::Not(part) => self.cases_of(part, !positive),
            Condition::Cond(test, then, other) => {
                let chosen = if self.eval(test)? != 0 { then } else { other };
                self.cases_of(chosen, positive)
            }
            Condition::Quantified(all, cell, (low, high), part) => {
                let values = (*low..=*high).map(|value| (Some((*cell, value)), &**part));
                self.join(*all == positive, values, positive)
            }
        }
    }

    /// The conjunction (`all`) or disjunction of parts, each for a value of a cell; stops where the rest does not matter.
    fn join<'c>(
        &mut self,
        all: bool,
        parts: impl Iterator<Item = (Option<(u32, i32)>, &'c Condition)>,
        positive: bool,
    ) -> Result<Vec<Atoms>, Fault> {
        let mut cases = truth(all);
        for (value, part) in parts {
            if let Some((cell, value)) = value {
                self.set(cell, value);
            }
            let more = self.cases_of(part, positive)?;
            if all {
                cases = product(&cases, &more);
            } else {
                cases.extend(more);
            }
            let decided = if all {
                cases.is_empty()
            } else {
                cases.iter().any(Atoms::is_trivial)
            };
            if decided {
                return Ok(truth(!all));
            }
            if cases.len() > MAX_CASES {
                return Err(Fault::Cases(MAX_CASES));
            }
        }
        Ok(cases)
    }

    fn atom(
        &mut self,
        left: &Clock,
        right: Option<&Clock>,
        cmp: Cmp,
        bound: &Expr,
        positive: bool,
    ) -> Result<Vec<Atoms>, Fault> {
        let bound = self.bound(bound)?;
        if i32::try_from(bound).is_err() {
            return Err(Fault::Bound(bound));
        }
        let left = self.clock(left)?;
        let mut bound = bound - self.ahead(left);
        let left = matrix(left);
        let right = match right {
            Some(clock) => {
                let clock = self.clock(clock)?;
                bound += self.ahead(clock);
                matrix(clock)
            }
            None => zones::Clock::ZERO,
        };
        let upper = |bound| DifferenceConstraint { left, right, bound };
        let lower = |bound| DifferenceConstraint {
            left: right,
            right: left,
            bound,
        };
        let list = match cmp {
            Cmp::Lt => vec![upper(Bound::lt(bound))],
            Cmp::Le => vec![upper(Bound::le(bound))],
            Cmp::Ge => vec![lower(Bound::le(-bound))],
            Cmp::Gt => vec![lower(Bound::lt(-bound))],
            Cmp::Eq => vec![upper(Bound::le(bound)), lower(Bound::le(-bound))],
        };
        if positive {
            let all = list.into_iter().try_fold(Atoms::default(), |all, atom| all.and(atom));
            Ok(all.into_iter().collect())
        } else {
            Ok(list
                .into_iter()
                .filter_map(|atom| Atoms::default().and(atom.negated()))
                .collect())
        }
    }
}

/// The satisfiable conjunctions of one of `left` with one of `right`.
pub(super) fn product(left: &[Atoms], right: &[Atoms]) -> Vec<Atoms> {
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
    pairs.filter_map(|(a, b)| a.and_all(b)).collect()
}

fn truth(holds: bool) -> Vec<Atoms> {
    if holds { vec![Atoms::default()] } else { Vec::new() }
}

fn matrix(clock: u32) -> zones::Clock {
    zones::Clock::from_index(clock as usize + 1)
}
