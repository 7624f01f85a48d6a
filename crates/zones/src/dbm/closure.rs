//! What makes a matrix canonical: all-pairs shortest paths, over as few nodes as will do.

use super::cells::Cells;
use super::kernel::{self, close_all, close_over};
use super::{Bound, Dbm};

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
    pub(super) fn contains(self, i: usize) -> bool {
        self.0 >> (i & 63) & 1 == 1
    }
    /// Whether the set is empty.
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// Whether there may be four indices in the set of `n`.
    fn has_four(self, n: usize) -> bool {
        n > 64 || self.0.count_ones() >= 4
    }
}

/// Intersects a closed matrix with another, where no two bounds contradict each other; `false` if that is empty.
///
/// A shortest path through both alternates between strictly tighter entries of the one and of the other (two steps in
/// one matrix are a step, as it is closed). So all its inner nodes are touched by both, and if only one is tighter
/// anywhere there is nothing to close.
#[inline(always)]
pub(super) fn meet(cells: &mut [Bound], others: &[Bound], n: usize) -> bool {
    let touched = kernel::touched_by_both(cells, others, n);
    kernel::lower(cells, others, n);
    touched.is_empty() || close_over(cells, n, touched, Touched::ALL)
}

/// Whether the sets of two closed matrices meet, if no two bounds contradict each other and `n` is small.
///
/// A negative cycle of shortest length alternates between the two, so its length is even, and 2 would be a
/// contradiction of two bounds: it has four nodes, each touched by both.
#[inline(always)]
pub(super) fn surely_meet(cells: &[Bound], others: &[Bound], n: usize) -> bool {
    n < 4 || !kernel::touched_by_both(cells, others, n).has_four(n)
}

impl Dbm {
    /// The zone of any `dim × dim` matrix of bounds, with clocks non-negative; `None` if it is empty.
    pub(crate) fn close(dim: usize, mut cells: Cells) -> Option<Self> {
        let bounds = cells.of_mut(dim);
        assert!(bounds.iter().all(|bound| bound.is_in_range()), "bounds out of range");
        for bound in &mut bounds[..dim] {
            *bound = (*bound).min(Bound::LE_ZERO);
        }
        for i in 0..dim {
            let bound = &mut bounds[i * dim + i];
            if *bound < Bound::LE_ZERO {
                return None;
            }
            *bound = Bound::LE_ZERO;
        }
        close_all(bounds, dim).then_some(Self { dim, cells })
    }
}
