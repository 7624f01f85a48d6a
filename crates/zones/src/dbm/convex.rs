//! Unions of two zones that are zones themselves.

use super::Dbm;
use super::kernel::by_dimension;
use super::wide::compiled_twice;
use crate::Bound;

impl Dbm {
    /// Gives the union of two zones if it is convex.
    ///
    /// It is iff no valuation of their hull H violates a constraint a of the one and a constraint b of the other. Only
    /// constraints that are tighter than in H can be violated there. H is closed, so H, not a and not b have no common
    /// valuation iff the one cycle through both is negative: not a, from there within H to not b, and back.
    pub(crate) fn merged(&self, other: &Self) -> Option<Self> {
        is_union_convex(self.cells(), other.cells(), self.dim).then(|| self.hull(other))
    }
}

compiled_twice! {
    /// Whether the union of two closed matrices is convex.
    fn is_union_convex[n](cells: &[Bound], others: &[Bound]) -> bool {
        is_convex(&cells[..n * n], &others[..n * n], n)
    }
}

/// The argument at [`Dbm::merged`]. Nothing is stored: most unions show with the first pair of constraints that they are not.
#[inline(always)]
fn is_convex(cells: &[Bound], others: &[Bound], n: usize) -> bool {
    let tighter = |ours: &[Bound], theirs: &[Bound], row: usize, column: usize| {
        let at = row * n + column;
        (ours[at] < theirs[at]).then(|| ours[at].complement())
    };
    let hull = |row: usize, column: usize| cells[row * n + column].max(others[row * n + column]);
    let is_impossible = |left: usize, right: usize, outside: Bound| {
        (0..n).all(|row| {
            (0..n).all(|column| {
                tighter(others, cells, row, column).is_none_or(|outside_other| {
                    let there = outside.plus(hull(left, column));
                    let back = outside_other.plus(hull(row, right));
                    there.plus(back) < Bound::LE_ZERO
                })
            })
        })
    };
    (0..n).all(|left| {
        (0..n)
            .all(|right| tighter(cells, others, left, right).is_none_or(|outside| is_impossible(left, right, outside)))
    })
}
