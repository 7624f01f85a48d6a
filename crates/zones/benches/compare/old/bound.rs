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
//! most `LIMIT`), occurs at most once. Words hold sums up to 2^62, that is 2^22 constraints of the largest
//! constant. Beyond that the closure procedures stop with a panic (they check their operands once per row, outside
//! the inner loop): a sum never wraps and is never clamped. Engines with 32-bit bounds go wrong at 2^29 instead.

use std::ops::Not;

/// An upper bound of a difference of clocks: `<= c`, `< c`, or none. Ordered by tightness: smaller is tighter.
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
    pub const fn lt(constant: i64) -> Self {
        match Self::try_lt(constant) {
            Some(bound) => bound,
            None => panic!("constant of a bound beyond Bound::LIMIT"),
        }
    }
    /// The bound `<= constant`, or `None` if the constant is outside [`Bound::LIMIT`].
    pub const fn try_le(constant: i64) -> Option<Self> {
        match Self::try_lt(constant) {
            Some(Self(word)) => Some(Self(word | 1)),
            None => None,
        }
    }
    /// The bound `< constant`, or `None` if the constant is outside [`Bound::LIMIT`].
    pub const fn try_lt(constant: i64) -> Option<Self> {
        if constant < -Self::LIMIT || constant > Self::LIMIT {
            return None;
        }
        Some(Self(constant << 1))
    }
    /// A bound that was computed, so may be beyond [`Bound::LIMIT`].
    pub(super) const fn sum(constant: i64, strict: bool) -> Self {
        Self(constant << 1 | !strict as i64)
    }
    /// Tells whether this is [`Bound::INFINITY`].
    pub const fn is_infinite(self) -> bool {
        self.0 == i64::MAX
    }
    /// Tells whether the comparator is `<`. The infinite bound counts as strict.
    pub const fn is_strict(self) -> bool {
        self.0 & 1 == 0 || self.is_infinite()
    }
    /// The number that the difference is compared with.
    ///
    /// # Panics
    /// If the bound is infinite.
    pub const fn constant(self) -> i64 {
        assert!(!self.is_infinite(), "an infinite bound has no constant");
        self.0 >> 1
    }
    /// The bound of a sum: from `x - y` and `y - z` that of `x - z`. Infinite if either is, strict if either is.
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
    pub const fn complement(self) -> Self {
        assert!(!self.is_infinite(), "an infinite bound has no complement");
        Self(1 - self.0)
    }
    /// The bound of the same constant with `<`; infinity stays as it is.
    pub const fn strict(self) -> Self {
        if self.is_infinite() { self } else { Self(self.0 & !1) }
    }
    /// The bound of the same constant with `<=`; infinity stays as it is.
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
    /// Tells whether the word is infinite or so small that `terms` such words can be added.
    #[inline(always)]
    pub(super) const fn is_summable(self, terms: usize) -> bool {
        self.is_infinite() || self.0.unsigned_abs() < (1u64 << 62) / terms as u64
    }
}

impl Not for Bound {
    type Output = Self;
    fn not(self) -> Self {
        self.complement()
    }
}

/// `<3`, `<=3` or `<inf`.
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
