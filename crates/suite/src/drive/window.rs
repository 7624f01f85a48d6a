//! The delays after which a condition holds: an interval, since conditions are conjunctions of bounds.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, Zero as _};

use crate::test_case::Constraint;
use tamper_timed::model::Cmp;

/// A non-empty interval of delays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DelayWindow {
    pub low: BigRational,
    pub low_strict: bool,
    /// The end of the window; `None` if it is unbounded.
    pub high: Option<BigRational>,
    pub high_strict: bool,
}

impl DelayWindow {
    /// The delays from `point` after which `condition` holds, if there are any.
    pub fn of(condition: &[Constraint], point: &[BigRational]) -> Option<Self> {
        let mut window = Self {
            low: BigRational::zero(),
            low_strict: false,
            high: None,
            high_strict: false,
        };
        for atom in condition {
            if atom.right.is_some() {
                // A difference of clocks does not change while time passes.
                if !atom.holds(point) {
                    return None;
                }
                continue;
            }
            let at = &atom.bound - &point[atom.left];
            match atom.cmp {
                Cmp::Lt => window.at_most(at, true),
                Cmp::Le => window.at_most(at, false),
                Cmp::Gt => window.at_least(at, true),
                Cmp::Ge => window.at_least(at, false),
                Cmp::Eq => {
                    window.at_least(at.clone(), false);
                    window.at_most(at, false);
                }
            }
        }
        window.is_possible().then_some(window)
    }

    fn at_least(&mut self, bound: BigRational, strict: bool) {
        if bound > self.low || (bound == self.low && strict) {
            (self.low, self.low_strict) = (bound, strict);
        }
    }

    fn at_most(&mut self, bound: BigRational, strict: bool) {
        if self
            .high
            .as_ref()
            .is_none_or(|high| bound < *high || (bound == *high && strict))
        {
            (self.high, self.high_strict) = (Some(bound), strict);
        }
    }

    fn is_possible(&self) -> bool {
        let Some(high) = &self.high else { return true };
        !high.is_negative() && (self.low < *high || (self.low == *high && !self.low_strict && !self.high_strict))
    }

    /// The first delay; in a window with an open start, a delay soon after it.
    pub fn earliest(&self) -> BigRational {
        if !self.low_strict {
            return self.low.clone();
        }
        let soon = &self.low + BigRational::one();
        let end = self.high.as_ref().map_or(soon.clone(), |high| high.min(&soon).clone());
        (&self.low + end) / BigRational::from(BigInt::from(2))
    }

    /// The ends of the window.
    pub fn ends(&self) -> impl Iterator<Item = &BigRational> {
        std::iter::once(&self.low).chain(&self.high)
    }
}
