//! Fewer zones for the same set.

use super::Federation;
use super::subtract::covers;
use crate::{Bound, Clock, Dbm};
use smallvec::SmallVec;

impl Federation {
    /// Merges pairs of zones whose union is convex, and removes zones that the others cover, until nothing changes.
    /// The set of valuations stays. Costs about n^2 inclusion checks for n zones.
    pub fn reduce(&mut self) {
        let mut open = std::mem::take(&mut self.zones);
        open.reverse();
        while let Some(zone) = open.pop() {
            let merged = self.zones.iter().enumerate();
            let merged = merged.filter_map(|(at, other)| Some((at, merge(other, &zone)?))).next();
            match merged {
                Some((at, union)) => {
                    self.zones.swap_remove(at);
                    open.push(union);
                }
                None => self.zones.push(zone),
            }
        }
        self.drop_covered();
    }

    /// Reduces a union of more than `many` zones, then raises `many` to twice the number of zones left, if that is more.
    pub(crate) fn reduce_if_above(&mut self, many: &mut usize) {
        if self.zones.len() > *many {
            self.reduce();
            *many = (2 * self.zones.len()).max(*many);
        }
    }

    fn drop_covered(&mut self) {
        let mut i = 0;
        while i < self.zones.len() {
            let zone = self.zones.swap_remove(i);
            if !covers(&self.zones, &zone) {
                self.zones.push(zone);
                let last = self.zones.len() - 1;
                self.zones.swap(i, last);
                i += 1;
            }
        }
    }
}

/// The union of two zones if it is convex.
///
/// It is iff no valuation of their hull H violates a constraint a of the one and a constraint b of the other. Only constraints that are
/// tighter than in H can be violated there. H is closed, so H, not a and not b have no common valuation iff the one cycle through both
/// is negative: not a, from there within H to not b, and back.
pub(super) fn merge(first: &Dbm, second: &Dbm) -> Option<Dbm> {
    let dim = first.dim();
    let of = |zone: &Dbm, left: usize, right: usize| zone.bound(Clock::from_index(left), Clock::from_index(right));
    let hull = |left: usize, right: usize| of(first, left, right).max(of(second, left, right));
    let tighter = |zone: &Dbm, other: &Dbm| -> SmallVec<[(usize, usize, Bound); 16]> {
        let pairs = (0..dim).flat_map(|left| (0..dim).map(move |right| (left, right)));
        pairs
            .filter(|(left, right)| of(zone, *left, *right) < of(other, *left, *right))
            .map(|(left, right)| (left, right, of(zone, left, right).complement()))
            .collect()
    };
    let (ours, theirs) = (tighter(first, second), tighter(second, first));
    let is_impossible = |(left, right, bound): &(usize, usize, Bound)| {
        theirs.iter().all(|(other_left, other_right, other_bound)| {
            let there = bound.plus(hull(*left, *other_right));
            let back = other_bound.plus(hull(*other_left, *right));
            there.plus(back) < Bound::LE_ZERO
        })
    };
    ours.iter().all(is_impossible).then(|| first.hull(second))
}
