//! Exact delays of concrete points: into a zone, and along a union of zones.

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::arena::Atom;
use tamper_zones::{Clock, Variable};

/// Delays from `low` to `high` (`None`: unbounded); each end may be included or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delays {
    /// The least of the delays.
    pub low: BigRational,
    /// Whether `low` itself is included.
    pub low_in: bool,
    /// The largest delay; `None` if there is no limit.
    pub high: Option<BigRational>,
    /// Whether `high` itself is included.
    pub high_in: bool,
}

impl Delays {
    fn is_empty(&self) -> bool {
        self.high
            .as_ref()
            .is_some_and(|high| *high < self.low || (*high == self.low && !(self.low_in && self.high_in)))
    }
    fn raise(&mut self, low: BigRational, low_in: bool) {
        if low > self.low || (low == self.low && !low_in) {
            self.low = low;
            self.low_in = low_in;
        }
    }
    fn lower(&mut self, high: BigRational, high_in: bool) {
        let tighter = match &self.high {
            None => true,
            Some(old) => high < *old || (high == *old && !high_in),
        };
        if tighter {
            self.high = Some(high);
            self.high_in = high_in;
        }
    }
    /// The delays that are in both sets.
    pub fn within(mut self, other: &Self) -> Option<Self> {
        self.raise(other.low.clone(), other.low_in);
        if let Some(high) = &other.high {
            self.lower(high.clone(), other.high_in);
        }
        (!self.is_empty()).then_some(self)
    }
    /// Whether the delay is in the interval.
    pub fn holds(&self, delay: &BigRational) -> bool {
        let is_late_enough = *delay > self.low || (self.low_in && *delay == self.low);
        let high = self.high.as_ref();
        is_late_enough && high.is_none_or(|high| delay < high || (self.high_in && delay == high))
    }
    /// A delay of the interval: the least one if it exists, else a simple number close to it.
    pub fn earliest(&self) -> BigRational {
        if self.low_in {
            return self.low.clone();
        }
        let next = self.low.floor() + BigRational::one();
        match &self.high {
            Some(high) if next >= *high => (&self.low + high) / BigRational::from_integer(2.into()),
            _ => next,
        }
    }
}

fn clock_value(point: &[BigRational], clock: Clock) -> BigRational {
    if clock == Clock::ZERO {
        BigRational::zero()
    } else {
        point[clock.index() - 1].clone()
    }
}

fn constant(value: i64) -> BigRational {
    BigRational::from_integer(value.into())
}

/// Whether `point` satisfies all `atoms`.
pub fn holds(point: &[BigRational], atoms: &[Atom]) -> bool {
    delays_into(point, atoms).is_some_and(|delays| delays.low.is_zero() && delays.low_in)
}

/// The delays after which `point` satisfies all `atoms`: an interval, since atoms are convex.
pub fn delays_into(point: &[BigRational], atoms: &[Atom]) -> Option<Delays> {
    let mut delays = Delays {
        low: BigRational::zero(),
        low_in: true,
        high: None,
        high_in: false,
    };
    for atom in atoms.iter().filter(|atom| !atom.bound.is_infinite()) {
        let bound = constant(atom.bound.constant());
        let closed = !atom.bound.is_strict();
        let difference = clock_value(point, atom.left) - clock_value(point, atom.right);
        match (atom.left == Clock::ZERO, atom.right == Clock::ZERO) {
            (false, true) => delays.lower(bound - difference, closed),
            (true, false) => delays.raise(difference - bound, closed),
            _ if difference < bound || (closed && difference == bound) => {}
            _ => return None,
        }
    }
    (!delays.is_empty()).then_some(delays)
}

/// The delays `d` for which `point + d'` satisfies one of `cases` for every `d'` up to and including `d`. `None` if the
/// point itself satisfies no case.
pub fn stays<'a>(point: &[BigRational], cases: impl Iterator<Item = &'a [Atom]>) -> Option<Delays> {
    let intervals: Vec<Delays> = cases.filter_map(|atoms| delays_into(point, atoms)).collect();
    let covers_start = |delays: &&Delays| delays.low.is_zero() && delays.low_in;
    let mut reached = intervals.iter().find(covers_start)?.clone();
    loop {
        let Some(end) = reached.high.clone() else {
            return Some(reached);
        };
        let extends = |next: &&Delays| {
            let touches = next.low < end || (next.low == end && (reached.high_in || next.low_in));
            let longer = next
                .high
                .as_ref()
                .is_none_or(|high| *high > end || (*high == end && next.high_in && !reached.high_in));
            touches && longer
        };
        let Some(next) = intervals.iter().find(extends) else {
            return Some(reached);
        };
        reached.high.clone_from(&next.high);
        reached.high_in = next.high_in;
    }
}

/// The point after every clock has advanced by `delay`.
pub fn delayed(point: &[BigRational], delay: &BigRational) -> Vec<BigRational> {
    point.iter().map(|value| value + delay).collect()
}

/// Sets the clocks of `point` that `resets` name.
pub fn set(point: &mut [BigRational], resets: &[(Variable, i64)]) {
    for (clock, value) in resets {
        point[clock.index() - 1] = BigRational::from_integer((*value).into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamper_zones::Bound;

    fn number(numerator: i64, denominator: i64) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    /// `low ~ x ~ high` for the first clock.
    fn between(low: Bound, high: Bound) -> Vec<Atom> {
        let x = Clock::from(Variable::new(0));
        vec![
            Atom {
                left: Clock::ZERO,
                right: x,
                bound: low,
            },
            Atom {
                left: x,
                right: Clock::ZERO,
                bound: high,
            },
        ]
    }

    #[test]
    fn delays_into_an_interval_keep_its_open_ends() {
        let point = [number(1, 2)];
        let delays = delays_into(&point, &between(Bound::lt(-2), Bound::le(3))).unwrap();
        assert_eq!((delays.low.clone(), delays.low_in), (number(3, 2), false));
        assert_eq!((delays.high.clone(), delays.high_in), (Some(number(5, 2)), true));
        assert_eq!(delays.earliest(), number(2, 1));
        assert!(delays_into(&[number(4, 1)], &between(Bound::lt(-2), Bound::le(3))).is_none());
    }

    #[test]
    fn a_delay_between_two_close_ends_is_their_middle() {
        let delays = delays_into(&[number(0, 1)], &between(Bound::lt(-2), Bound::lt(3))).unwrap();
        assert_eq!(delays.earliest(), number(5, 2));
    }

    #[test]
    fn staying_passes_from_one_zone_to_a_touching_one() {
        let low = between(Bound::le(0), Bound::lt(1));
        let high = between(Bound::le(-1), Bound::le(2));
        let far = between(Bound::lt(-2), Bound::le(5));
        let start = [number(0, 1)];
        let cases = || [far.as_slice(), high.as_slice(), low.as_slice()].into_iter();
        let delays = stays(&start, cases()).unwrap();
        // x = 2 belongs to `high`, what follows 2 to `far`: together there is no gap.
        assert_eq!((delays.high, delays.high_in), (Some(number(5, 1)), true));
        let gap = [low.as_slice(), far.as_slice()];
        let delays = stays(&start, gap.into_iter()).unwrap();
        assert_eq!((delays.high, delays.high_in), (Some(number(1, 1)), false));
        assert!(stays(&[number(9, 1)], cases()).is_none());
    }

    /// From 1 excluded to 5, the whole number 2 is simpler than the middle.
    #[test]
    fn a_delay_after_an_open_end_is_a_whole_number_if_there_is_one() {
        let delays = delays_into(&[number(0, 1)], &between(Bound::lt(-1), Bound::le(5))).unwrap();
        assert_eq!(delays.earliest(), number(2, 1));
    }

    #[test]
    fn staying_ends_before_a_point_or_a_gap_that_no_zone_has() {
        let stay = |zones: &[(Bound, Bound)]| {
            let atoms: Vec<_> = zones.iter().map(|(low, high)| between(*low, *high)).collect();
            let delays = stays(&[number(0, 1)], atoms.iter().map(Vec::as_slice))?;
            Some((delays.high.unwrap(), delays.high_in))
        };
        let (from_zero, before_one, to_one) = (Bound::le(0), Bound::lt(1), Bound::le(1));
        let after_one = (Bound::lt(-1), Bound::le(5));
        assert_eq!(stay(&[(from_zero, before_one), after_one]), Some((number(1, 1), false)));
        assert_eq!(stay(&[(from_zero, to_one), after_one]), Some((number(5, 1), true)));
        let later = (Bound::le(-2), Bound::le(3));
        assert_eq!(stay(&[(from_zero, to_one), later]), Some((number(1, 1), true)));
        // The end that the first leaves out the second has.
        assert_eq!(
            stay(&[(from_zero, before_one), (from_zero, to_one)]),
            Some((number(1, 1), true))
        );
        // The point itself is in neither.
        assert_eq!(stay(&[later, (Bound::lt(0), to_one)]), None);
    }
}
