//! The intersection of two closed matrices, and its emptiness, by closing over as few nodes as possible.

use super::kernel::{self, close_over};
use super::touched::Touched;
use crate::Bound;

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
