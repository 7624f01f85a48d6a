//! Bounds of a difference of two clocks: a constant and a comparator in one word.
//!
//! Representation: `(constant << 1) | non-strict` in an `i64`, so that smaller words are tighter bounds
//! (`< c` before `<= c` before `< c + 1`), and one word above them all for "no bound".
//!
//! # No sum overflows
//! A constraint enters a zone with a constant of at most [`Bound::LIMIT`] = 2^40 in absolute value. Every operation of
//! a zone (delay, reset, intersection, …) is a conjunction of difference constraints with fresh variables for the old
//! values, followed by projection; and projection keeps weights of *simple* paths. So an entry of a zone is a sum in
//! which every constraint applied since the start, or since the last extrapolation (which brings entries back to at
//! most `LIMIT`), occurs at most once. Words below 2^60 are added, that is 2^19 constraints of the largest
//! constant. Beyond that the closure procedures stop with a panic (they check their operands once per row, outside
//! the inner loop): a sum never wraps and is never clamped. Engines with 32-bit bounds go wrong at 2^29 instead.

use std::ops::Not;

/// An upper bound of a difference of clocks: `<= c`, `< c`, or none. Ordered by tightness: smaller is tighter.
///
/// ```
/// use tamper_zones::Bound;
///
/// assert!(Bound::lt(3) < Bound::le(3) && Bound::le(3) < Bound::INFINITY);
/// assert_eq!(Bound::lt(3).plus(Bound::le(-1)), Bound::lt(2));
/// // Not (x - y <= 3) is y - x < -3.
/// assert_eq!(!Bound::le(3), Bound::lt(-3));
/// assert_eq!(Bound::try_le(i64::MAX), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bound(i64);

impl Bound {
    /// The absence of a bound, satisfied by every difference.
    pub const INFINITY: Self = Self(i64::MAX);
    /// The bound `<= 0`: every entry of a diagonal.
    pub const LE_ZERO: Self = Self(1);
    /// The bound `< 0`, which no clock minus itself satisfies.
    pub const LT_ZERO: Self = Self(0);
    /// The largest absolute constant that a constraint may bring in.
    pub const LIMIT: i64 = 1 << 40;

    /// The bound `<= constant`, for a constant known to be within [`Bound::LIMIT`].
    ///
    /// # Panics
    /// If the constant is outside the limit. For input use [`Bound::try_le`].
    #[inline]
    pub const fn le(constant: i64) -> Self {
        match Self::try_le(constant) {
            Some(bound) => bound,
            None => panic!("constant of a bound beyond Bound::LIMIT"),
        }
    }
    /// The bound `< constant`, for a constant known to be within [`Bound::LIMIT`].
    ///
    /// # Panics
    /// If the constant is outside the limit. For input use [`Bound::try_lt`].
    #[inline]
    pub const fn lt(constant: i64) -> Self {
        match Self::try_lt(constant) {
            Some(bound) => bound,
            None => panic!("constant of a bound beyond Bound::LIMIT"),
        }
    }
    /// The bound `<= constant`, or `None` if the constant is outside [`Bound::LIMIT`].
    #[inline]
    pub const fn try_le(constant: i64) -> Option<Self> {
        match Self::try_lt(constant) {
            Some(Self(word)) => Some(Self(word | 1)),
            None => None,
        }
    }
    /// The bound `< constant`, or `None` if the constant is outside [`Bound::LIMIT`].
    #[inline]
    pub const fn try_lt(constant: i64) -> Option<Self> {
        if constant < -Self::LIMIT || constant > Self::LIMIT {
            return None;
        }
        Some(Self(constant << 1))
    }
    /// A bound that was computed, so may be beyond [`Bound::LIMIT`].
    #[cfg(test)]
    pub(super) const fn sum(constant: i64, strict: bool) -> Self {
        Self(constant << 1 | !strict as i64)
    }
    /// Tells whether this is [`Bound::INFINITY`].
    #[inline]
    pub const fn is_infinite(self) -> bool {
        self.0 == i64::MAX
    }
    /// Tells whether the comparator is `<`. The infinite bound counts as strict.
    #[inline]
    pub const fn is_strict(self) -> bool {
        self.0 & 1 == 0 || self.is_infinite()
    }
    /// The number that the difference is compared with.
    ///
    /// # Panics
    /// If the bound is infinite.
    #[inline]
    pub const fn constant(self) -> i64 {
        assert!(!self.is_infinite(), "an infinite bound has no constant");
        self.0 >> 1
    }
    /// Sum of two bounds: from bounds on `x - y` and `y - z`, the bound on `x - z`. Infinite if either is infinite, strict
    /// if either is strict.
    #[inline(always)]
    pub const fn plus(self, other: Self) -> Self {
        if self.is_infinite() || other.is_infinite() {
            return Self::INFINITY;
        }
        self.plus_finite(other)
    }
    /// [`Bound::plus`] for two finite bounds: (2c + a) + (2d + b) - (a | b) = 2(c + d) + (a & b).
    #[inline(always)]
    pub(super) const fn plus_finite(self, other: Self) -> Self {
        Self(self.0 + other.0 - ((self.0 | other.0) & 1))
    }
    /// The negation: `not (x - y <= c)` is `y - x < -c`, `not (x - y < c)` is `y - x <= -c`.
    ///
    /// # Panics
    /// If the bound is infinite: its negation holds nowhere.
    #[inline]
    pub const fn complement(self) -> Self {
        assert!(!self.is_infinite(), "an infinite bound has no complement");
        Self(1 - self.0)
    }
    /// The bound of the same constant with `<`; infinity stays as it is.
    #[inline]
    pub const fn strict(self) -> Self {
        if self.is_infinite() { self } else { Self(self.0 & !1) }
    }
    /// The bound of the same constant with `<=`; infinity stays as it is.
    #[inline]
    pub const fn weak(self) -> Self {
        Self(self.0 | 1)
    }
    /// Tells whether a real number given as `numerator / denominator` (denominator positive) satisfies the bound.
    pub(super) fn admits(self, numerator: i64, denominator: i64) -> bool {
        if self.is_infinite() {
            return true;
        }
        let (left, right) = (i128::from(numerator), i128::from(self.0 >> 1) * i128::from(denominator));
        left < right || (left == right && !self.is_strict())
    }
    /// Whether the word is a valid entry of a zone.
    #[inline(always)]
    pub(super) const fn is_in_range(self) -> bool {
        self.is_infinite() || self.0.unsigned_abs() < 1 << 60
    }
    /// Whether no value satisfies both this bound and, negated, the other: their sum is less than `<= 0`. In words:
    /// 2c + a and 2d + b do iff c + d < 0, or c + d = 0 and one is strict; and that is so iff their sum is at most 1.
    #[inline(always)]
    pub(super) const fn contradicts(self, other: Self) -> bool {
        self.0 <= 1 - other.0
    }
    /// Whether this is `<= c` and the other `<= -c`: together they fix a difference.
    #[inline(always)]
    pub(super) const fn is_opposite(self, other: Self) -> bool {
        self.0 & other.0 & 1 == 1 && self.0.wrapping_add(other.0) == 2
    }
    #[inline(always)]
    pub(super) const fn word(self) -> i64 {
        self.0
    }
    #[inline(always)]
    pub(super) const fn from_word(word: i64) -> Self {
        Self(word)
    }
    /// Replaces the word by a smaller one.
    #[inline(always)]
    pub(super) fn lower_to(&mut self, word: i64) {
        self.0 = self.0.min(word);
    }
}

impl Not for Bound {
    type Output = Self;
    fn not(self) -> Self {
        self.complement()
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_infinite() {
            return f.write_str("<inf");
        }
        write!(f, "{}{}", if self.is_strict() { "<" } else { "<=" }, self.constant())
    }
}

impl std::fmt::Debug for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_written_as_what_follows_the_difference() {
        let texts = [Bound::lt(3), Bound::le(-3), Bound::INFINITY].map(|bound| format!("{bound} {bound:?}"));
        assert_eq!(texts, ["<3 <3", "<=-3 <=-3", "<inf <inf"]);
    }

    #[test]
    fn sums_are_strict_if_either_side_is() {
        assert_eq!(Bound::lt(1).plus(Bound::le(1)), Bound::lt(2));
        assert_eq!(Bound::le(1).plus(Bound::lt(1)), Bound::lt(2));
        assert_eq!(Bound::lt(1).plus(Bound::lt(1)), Bound::lt(2));
        assert_eq!(Bound::le(-3).plus(Bound::le(1)), Bound::le(-2));
        assert_eq!(Bound::lt(-3).plus(Bound::le(1)), Bound::lt(-2));
        assert_eq!(Bound::lt(5).plus(Bound::INFINITY), Bound::INFINITY);
        assert_eq!(Bound::INFINITY.plus(Bound::le(-5)), Bound::INFINITY);
    }

    #[test]
    fn smaller_bounds_are_tighter() {
        let ascending = [Bound::le(-1), Bound::lt(0), Bound::le(0), Bound::lt(1), Bound::INFINITY];
        assert!(ascending.is_sorted_by(|a, b| a < b));
        assert_eq!((Bound::lt(0), Bound::le(0)), (Bound::LT_ZERO, Bound::LE_ZERO));
    }

    #[test]
    fn complement_negates_constant_and_strictness_and_is_an_involution() {
        assert_eq!(Bound::le(3).complement(), Bound::lt(-3));
        assert_eq!(!Bound::lt(-3), Bound::le(3));
        for constant in -4..=4 {
            assert_eq!(!!Bound::le(constant), Bound::le(constant));
            assert_eq!(!!Bound::lt(constant), Bound::lt(constant));
        }
    }

    /// The short forms in words, against sums.
    #[test]
    fn contradictions_and_opposites_are_sums_below_and_at_zero() {
        let finite = (-3..=3).flat_map(|constant| [Bound::lt(constant), Bound::le(constant)]);
        let bounds: Vec<Bound> = finite.chain([Bound::INFINITY, Bound::le(-Bound::LIMIT)]).collect();
        for &first in &bounds {
            for &second in &bounds {
                let sum = first.plus(second);
                assert_eq!(first.contradicts(second), sum < Bound::LE_ZERO, "{first} {second}");
                assert_eq!(first.is_opposite(second), sum == Bound::LE_ZERO, "{first} {second}");
            }
        }
    }

    #[test]
    fn parts_are_read_back() {
        for constant in [-Bound::LIMIT, -1, 0, 1, 1 << 29, (1 << 31) + 1, Bound::LIMIT] {
            assert_eq!(Bound::le(constant).constant(), constant);
            assert_eq!(Bound::lt(constant).constant(), constant);
            assert!(!Bound::le(constant).is_strict() && Bound::lt(constant).is_strict());
            assert_eq!(Bound::le(constant).strict(), Bound::lt(constant));
            assert_eq!(Bound::lt(constant).weak(), Bound::le(constant));
        }
        assert_eq!(Bound::INFINITY.weak(), Bound::INFINITY);
        assert_eq!(Bound::INFINITY.strict(), Bound::INFINITY);
    }

    #[test]
    fn constants_beyond_the_limit_are_refused() {
        for constant in [Bound::LIMIT + 1, -Bound::LIMIT - 1, i64::MAX, i64::MIN] {
            assert_eq!(Bound::try_le(constant), None);
            assert_eq!(Bound::try_lt(constant), None);
        }
    }

    /// The argument of the module page: 2^21 constraints of the largest constant still add up exactly.
    #[test]
    fn a_million_of_the_largest_constants_add_up_exactly() {
        let terms: i64 = 1 << 21;
        for limit in [Bound::LIMIT, -Bound::LIMIT] {
            let sum = (0..terms).fold(Bound::LE_ZERO, |sum, _| sum.plus(Bound::le(limit)));
            assert_eq!(sum.constant(), terms * limit);
            assert!(!sum.is_strict() && !sum.is_infinite());
        }
    }
}
