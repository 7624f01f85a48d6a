//! The intersection of two closed matrices, and its emptiness, by closing over as few nodes as possible.

#[cfg(test)]
mod tests;

use super::kernel::{self, Crossings, by_dimension};
use super::touched::Touched;
use super::wide::{close_over, compiled_twice};
use crate::Bound;
use smallvec::SmallVec;

compiled_twice! {
    /// Intersects a closed matrix with another; `false` if that is empty.
    fn intersect[n](cells: &mut [Bound], others: &[Bound]) -> bool {{
        let (cells, others) = (&mut cells[..n * n], &others[..n * n]);
        !kernel::contradict(cells, others, n) && meet(cells, others, n)
    }}
    /// Whether two closed matrices have a common valuation.
    fn intersects[n](cells: &[Bound], others: &[Bound]) -> bool {{
        let (cells, others) = (&cells[..n * n], &others[..n * n]);
        !kernel::contradict(cells, others, n) && do_meet(cells, others, n)
    }}
}

/// Intersects a closed matrix with another, where no two bounds contradict each other; `false` if that is empty.
///
/// A shortest path through both alternates between strictly tighter entries of the one and of the other (two steps in
/// one matrix are a step, as it is closed). So it crosses at all its inner nodes, and if only one is tighter anywhere
/// there is nothing to close.
#[inline(always)]
fn meet(cells: &mut [Bound], others: &[Bound], n: usize) -> bool {
    let inner = Crossings::between(cells, others, n).nodes();
    kernel::lower(cells, others, n);
    inner.is_empty() || close_over(cells, inner, Touched::ALL, n)
}

/// Whether the sets of two closed matrices meet, if no two bounds contradict each other. Allocates only above dimension 16.
///
/// A negative cycle of shortest length crosses at all its nodes, in both directions in turn. Two nodes would be a
/// contradiction of two bounds, so there are at least four; and only the bounds between such nodes matter.
#[inline(always)]
fn do_meet(cells: &[Bound], others: &[Bound], n: usize) -> bool {
    if n < 4 {
        return true;
    }
    let crossings = Crossings::between(cells, others, n);
    if !crossings.allow_four(n) {
        return true;
    }
    let inner = crossings.nodes();
    let both = cells.iter().zip(others).map(|(ours, theirs)| *ours.min(theirs));
    close_over(&mut both.collect::<SmallVec<[Bound; 256]>>(), inner, inner, n)
}
