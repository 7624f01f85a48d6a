//! Inclusion up to simulation (Herbreteau, Srivathsan, Walukiewicz, "Better abstractions for timed automata", LICS 2012).

use super::Dbm;
use super::kernel::by_dimension;
use crate::{Bound, Clock, DbmDraft};

impl Dbm {
    /// Whether every valuation `v` of this zone has a valuation `u` of `other` that simulates it: for each clock `v = u`, or
    /// `lower < u < v`, or `upper < v < u`; that is, whether this zone is within aLU of the other one (Theorem 32 of the paper).
    /// Every run from `v` in an automaton whose lower bounds of clocks (`x > c`, `x >= c`) are at most `lower` and whose upper
    /// bounds are at most `upper`, without diagonals, is one from `u` as well: sound for reachability only, **not** for
    /// refinement or consistency.
    ///
    /// Both have one constant per matrix index, 0 for the reference; any negative number is a clock without bounds of that
    /// kind ([`Dbm::NEVER_COMPARED`]). O(dim^2).
    ///
    /// # Panics
    /// If the dimensions differ, or a vector is shorter than they are.
    pub fn is_simulated_in(&self, other: &Self, lower: &[i64], upper: &[i64]) -> bool {
        self.assert_same_dim(other);
        let n = self.dim;
        assert!(lower.len() >= n && upper.len() >= n, "one constant per clock");
        let (own, others) = (self.cells(), other.cells());
        by_dimension!(n, n => simulated(&own[..n * n], &others[..n * n], n, (&lower[..n], &upper[..n])))
    }

    /// A zone that includes every valuation that some valuation of this zone simulates (see [`Dbm::is_simulated_in`]): the smallest
    /// box around what changes, with the differences of clocks that cannot. O(dim^2).
    ///
    /// # Panics
    /// If a vector is shorter than the dimension.
    #[must_use]
    pub fn simulated(&self, lower: &[i64], upper: &[i64]) -> Self {
        let n = self.dim;
        assert!(lower.len() >= n && upper.len() >= n, "one constant per clock");
        let bound = |left, right| self.bound(Clock::from_index(left), Clock::from_index(right));
        // Some value above `lower` may be any greater one; some value above `upper` any that is above it.
        let rises = |x: usize| x > 0 && (lower[x] < 0 || bound(x, 0) > Bound::le(lower[x]));
        let falls = |x: usize| x > 0 && (upper[x] < 0 || bound(x, 0) > Bound::le(upper[x]));
        let moves = |x: usize| rises(x) || falls(x);
        let mut draft = DbmDraft::new(n);
        for left in 0..n {
            for right in (0..n).filter(|right| *right != left) {
                let mut limit = bound(left, right);
                if right == 0 && rises(left) {
                    limit = Bound::INFINITY;
                } else if left == 0 && falls(right) {
                    let least = if upper[right] < 0 {
                        Bound::LE_ZERO
                    } else {
                        Bound::lt(-upper[right])
                    };
                    limit = limit.max(least);
                } else if left > 0 && right > 0 && (moves(left) || moves(right)) {
                    limit = Bound::INFINITY;
                }
                draft.constrain(Clock::from_index(left), Clock::from_index(right), limit);
            }
        }
        draft.close().expect("it includes this zone")
    }
}

#[inline(always)]
fn simulated(own: &[Bound], others: &[Bound], n: usize, (lower, upper): (&[i64], &[i64])) -> bool {
    for x in 0..n {
        // Above `upper` in the whole zone: the clock may be any greater number.
        let low = own[x];
        if upper[x] < 0 || low < Bound::le(-upper[x]) {
            continue;
        }
        for y in 0..n {
            let (mine, theirs) = (own[y * n + x], others[y * n + x]);
            if theirs < mine && lower[y] >= 0 && theirs.plus(Bound::lt(-lower[y])) < low {
                return false;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::tests::grids::zones;

    /// Steps per time unit on the grid of test valuations: between two valuations to compare there has to be room for two
    /// more.
    const FINE: i64 = 4 * 3;

    /// Whether `u` simulates `v` under these bounds of one clock, in fine steps.
    fn simulates(u: i64, v: i64, (lower, upper): (i64, i64)) -> bool {
        let scaled = |bound: i64| if bound < 0 { i64::MIN } else { bound * FINE };
        u == v || (scaled(lower) < u && u < v) || (scaled(upper) < v && v < u)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Point by point, up to constants above all that matter.
        #[test]
        fn inclusion_up_to_simulation_is_that_of_points(
            zone in zones(3, 2),
            other in zones(3, 2),
            lower in prop::array::uniform2(-1i64..=2),
            upper in prop::array::uniform2(-1i64..=2),
        ) {
            let points = |top: i64, step: usize| {
                let values = move || (0..=top * FINE).step_by(step);
                values().flat_map(move |x| values().map(move |y| [x, y]))
            };
            let inside: Vec<[i64; 2]> = points(9, 1).filter(|point| other.contains_scaled(point, FINE)).collect();
            let simulator = |v: &[i64; 2], u: &[i64; 2]| (0..2).all(|at| simulates(u[at], v[at], (lower[at], upper[at])));
            let mut own = points(7, 4).filter(|point| zone.contains_scaled(point, FINE));
            let expected = own.all(|v| inside.iter().any(|u| simulator(&v, u)));
            let vector = |bounds: [i64; 2]| [0, bounds[0], bounds[1]];
            prop_assert_eq!(zone.is_simulated_in(&other, &vector(lower), &vector(upper)), expected);
            // Every simulated valuation is in the widened zone.
            let around = other.simulated(&vector(lower), &vector(upper));
            let mut simulated = points(7, 4).filter(|v| inside.iter().any(|u| simulator(v, u)));
            prop_assert!(simulated.all(|v| around.contains_scaled(&v, FINE)), "{}", around);
            prop_assert!(around.includes(&other));
        }
    }
}
