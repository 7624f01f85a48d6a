//! Extrapolation: finitely many zones, without losing what guards can tell apart
//! (Behrmann, Bouyer, Larsen, Pelánek, "Lower and upper bounds in zone-based abstractions", STTT 2006).

use super::closure::{Touched, close_over};
use super::{Bound, Dbm};

impl Dbm {
    /// The maximal constant of a clock that no constraint mentions: minus infinity.
    pub const NEVER_COMPARED: i64 = i64::MIN;

    /// Applies Extra_M^+ of the paper: widens this zone by valuations that agree with one of its own on every clock, except
    /// clocks that are above their maximal constant in both. Such valuations are *bisimilar* in an automaton whose
    /// guards, invariants and resets-to-constants stay within `max` and have no diagonals: the abstraction is sound
    /// for reachability, refinement and consistency alike. It is **not** sound with diagonal guards (the classical
    /// four-clock counterexample): then do not extrapolate, or split zones by the diagonals first.
    ///
    /// `max` has one constant per matrix index (`max[0]` = 0); [`Dbm::NEVER_COMPARED`], like any negative number, keeps no
    /// constraint on that clock. O(dim^3) if anything changes.
    ///
    /// # Panics
    /// If `max` is shorter than the dimension, or a constant is beyond [`Bound::LIMIT`].
    pub fn extrapolate_max(&mut self, max: &[i64]) {
        self.extrapolate_lu(max, max);
    }

    /// Applies Extra_LU^+ of the paper, with `lower` the maximal constants of lower bounds (`x > c`, `x >= c`) and `upper` those
    /// of upper bounds. It widens by valuations that are *simulated* by one of the zone: sound for reachability only,
    /// **not** for refinement or consistency, which ask about both sides of every guard.
    ///
    /// # Panics
    /// As [`Dbm::extrapolate_max`].
    pub fn extrapolate_lu(&mut self, lower: &[i64], upper: &[i64]) {
        let n = self.dim;
        assert!(lower.len() >= n && upper.len() >= n, "one constant per clock");
        if self.widen_rows(&lower[..n], &upper[..n]) | self.widen_lower_bounds(&upper[..n]) {
            let non_empty = close_over(&mut self.cells, n, Touched::ALL);
            debug_assert!(non_empty, "a superset of a zone is not empty");
        }
    }

    /// Drops the bounds of `x_i - x_j` that no guard can test. Reads only entries of row 0, which it does not write.
    fn widen_rows(&mut self, lower: &[i64], upper: &[i64]) -> bool {
        let mut changed = false;
        let (lows, rows) = self.cells.split_at_mut(self.dim);
        for (i, row) in (1..).zip(rows.chunks_exact_mut(lows.len())) {
            let all_above = is_above(lows[i], lower[i]);
            for (j, cell) in row.iter_mut().enumerate() {
                let untestable = all_above || exceeds(*cell, lower[i]) || (j != 0 && is_above(lows[j], upper[j]));
                if i != j && untestable && !cell.is_infinite() {
                    *cell = Bound::INFINITY;
                    changed = true;
                }
            }
        }
        changed
    }

    /// Relaxes `x_j > c` with `c` above the maximal constant `m` to `x_j > m`.
    fn widen_lower_bounds(&mut self, upper: &[i64]) -> bool {
        let mut changed = false;
        for (cell, &most) in self.cells.iter_mut().zip(upper).skip(1) {
            let relaxed = if most < 0 { Bound::LE_ZERO } else { Bound::lt(-most) };
            if is_above(*cell, most) && *cell < relaxed {
                *cell = relaxed;
                changed = true;
            }
        }
        changed
    }
}

/// Tells whether a lower bound (an entry of row 0) says that the clock is above `most` everywhere in the zone.
fn is_above(low: Bound, most: i64) -> bool {
    most < 0 || low < Bound::le(-most)
}

/// Tells whether the constant of an entry is greater than `most`.
fn exceeds(cell: Bound, most: i64) -> bool {
    !cell.is_infinite() && cell.constant() > most
}
