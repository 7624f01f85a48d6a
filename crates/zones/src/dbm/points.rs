//! Single valuations of a zone.

use super::{Bound, Dbm};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

impl Dbm {
    /// Tells whether the valuation is in this zone; `point[i]` is the value of the `i`-th real clock.
    ///
    /// # Panics
    /// If the point has another number of clocks.
    pub fn contains(&self, point: &[BigRational]) -> bool {
        assert_eq!(point.len() + 1, self.dim, "one value per real clock");
        let zero = BigRational::zero();
        let value = |i: usize| if i == 0 { &zero } else { &point[i - 1] };
        let admitted = |i, j| Interval::admits_upper(self.cell(i, j), &(value(i) - value(j)));
        (0..self.dim).all(|i| (0..self.dim).all(|j| admitted(i, j)))
    }

    /// Tells whether the point `numerators / denominator` is in this zone: [`Dbm::contains`] without big numbers.
    ///
    /// # Panics
    /// If the point has another number of clocks, or the denominator is not positive.
    pub fn contains_scaled(&self, numerators: &[i64], denominator: i64) -> bool {
        assert_eq!(numerators.len() + 1, self.dim, "one value per real clock");
        assert!(denominator > 0, "a positive denominator");
        let value = |i: usize| if i == 0 { 0 } else { numerators[i - 1] };
        let admitted = |i, j| self.cell(i, j).admits(value(i) - value(j), denominator);
        (0..self.dim).all(|i| (0..self.dim).all(|j| admitted(i, j)))
    }

    /// Picks a valuation of this zone: clock by clock, the number with the smallest denominator, then the smallest such
    /// number, that the earlier choices allow. A closed zone allows some number at every step.
    pub fn some_point(&self) -> Vec<BigRational> {
        let mut point = vec![BigRational::zero()];
        for i in 1..self.dim {
            let mut interval = Interval::default();
            for (j, value) in point.iter().enumerate() {
                interval.raise(self.cell(j, i), value);
                interval.lower(self.cell(i, j), value);
            }
            point.push(interval.simplest());
        }
        point.split_off(1)
    }
}

/// A non-empty interval of rationals; the flags say that the end is excluded.
#[derive(Default)]
struct Interval {
    low: BigRational,
    low_open: bool,
    high: Option<(BigRational, bool)>,
}

impl Interval {
    fn admits_upper(bound: Bound, difference: &BigRational) -> bool {
        if bound.is_infinite() {
            return true;
        }
        let constant = integer(bound.constant());
        *difference < constant || (!bound.is_strict() && *difference == constant)
    }
    /// Adds `earlier - x <(=) bound`.
    fn raise(&mut self, bound: Bound, earlier: &BigRational) {
        if !bound.is_infinite() {
            let candidate = (earlier - integer(bound.constant()), bound.is_strict());
            if (&candidate.0, candidate.1) > (&self.low, self.low_open) {
                (self.low, self.low_open) = candidate;
            }
        }
    }
    /// Adds `x - earlier <(=) bound`.
    fn lower(&mut self, bound: Bound, earlier: &BigRational) {
        if !bound.is_infinite() {
            let (value, open) = (earlier + integer(bound.constant()), bound.is_strict());
            let tighter = |(high, high_open): &(BigRational, bool)| (&value, !open) < (high, !*high_open);
            if self.high.as_ref().is_none_or(tighter) {
                self.high = Some((value, open));
            }
        }
    }
    fn contains(&self, value: &BigRational) -> bool {
        let above = *value > self.low || (!self.low_open && *value == self.low);
        let below = |(high, open): &(BigRational, bool)| value < high || (!open && value == high);
        above && self.high.as_ref().is_none_or(below)
    }
    fn simplest(&self) -> BigRational {
        let mut denominator = BigInt::from(1);
        loop {
            let scaled = &self.low * &denominator;
            let least = BigRational::new(scaled.ceil().to_integer(), denominator.clone());
            let next = BigRational::new(scaled.floor().to_integer() + 1, denominator.clone());
            if let Some(value) = [least, next].into_iter().find(|value| self.contains(value)) {
                return value;
            }
            denominator += 1;
        }
    }
}

fn integer(value: i64) -> BigRational {
    BigRational::from_integer(BigInt::from(value))
}
