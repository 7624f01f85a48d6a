//! The set of matrix rows or columns that an operation has changed.

/// A set of matrix indices, modulo 64 (so perhaps too large above dimension 64, never too small).
#[derive(Clone, Copy, Default)]
pub(super) struct Touched(u64);

impl Touched {
    pub(super) const ALL: Self = Self(u64::MAX);

    #[inline(always)]
    pub(super) fn add_if(&mut self, i: usize, condition: bool) {
        self.0 |= u64::from(condition) << (i & 63);
    }
    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    #[inline(always)]
    pub(super) fn contains(self, i: usize) -> bool {
        self.0 >> (i & 63) & 1 == 1
    }
    /// Whether the set is empty.
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// Whether there may be so many indices in the set of `n`.
    #[inline(always)]
    pub(super) fn has(self, number: u32, n: usize) -> bool {
        n > 64 || self.0.count_ones() >= number
    }
}
