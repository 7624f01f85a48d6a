//! Extrapolation: finitely many zones, without losing what guards can tell apart
//! (Behrmann, Bouyer, Larsen, Pelánek, "Lower and upper bounds in zone-based abstractions", STTT 2006).

use super::Dbm;
use super::kernel::{by_dimension, close_over};
use super::touched::Touched;
use crate::Bound;

impl Dbm {
    /// The maximal constant of a clock that no constraint mentions: minus infinity.
    pub const NEVER_COMPARED: i64 = i64::MIN;

    /// Applies Extra_M^+ of the paper: widens this zone by valuations that agree with one of its own on every clock, except
    /// clocks that are above their maximal constant in both. Two valuations that agree in this sense are *bisimilar* in an
    /// automaton whose guards, invariants and resets-to-constants stay within `max` and have no diagonals: the abstraction
    /// is sound for reachability, refinement and consistency alike. It is **not** sound with diagonal guards (the classical
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

    /// Applies Extra_LU^+ of the paper, with `lower` the maximal constants of lower bounds (`x > c`, `x >= c`) and `upper`
    /// the maximal constants of upper bounds. It widens the zone by valuations that are *simulated* by one of its own:
    /// sound for reachability only, **not** for refinement or consistency, which ask about both sides of every guard.
    ///
    /// # Panics
    /// As [`Dbm::extrapolate_max`].
    pub fn extrapolate_lu(&mut self, lower: &[i64], upper: &[i64]) {
        let n = self.dim;
        assert!(lower.len() >= n && upper.len() >= n, "one constant per clock");
        let cells = self.cells.of_mut(n);
        by_dimension!(n, n => widen(&mut cells[..n * n], n, &lower[..n], &upper[..n]));
    }
}

/// Widens and closes again. An entry that was not widened stays: widening makes no path shorter. So only rows with a
/// widened entry are closed.
#[inline(always)]
fn widen(cells: &mut [Bound], n: usize, lower: &[i64], upper: &[i64]) {
    let mut widened = widen_rows(cells, n, lower, upper);
    widened.add_if(0, widen_lower_bounds(&mut cells[..n], upper));
    if !widened.is_empty() {
        let non_empty = close_over(cells, n, Touched::ALL, widened);
        debug_assert!(non_empty, "a superset of a zone is not empty");
    }
}

/// Drops the bounds of `x_i - x_j` that no guard can test. Reads only entries of row 0, which it does not write. Gives the
/// rows that changed.
#[inline(always)]
fn widen_rows(cells: &mut [Bound], n: usize, lower: &[i64], upper: &[i64]) -> Touched {
    let (mut changed, mut always_above) = (Touched::default(), Touched::default());
    let (lows, rows) = cells.split_at_mut(n);
    for j in 1..n {
        always_above.add_if(j, is_above(lows[j], upper[j]));
    }
    for (i, row) in (1..).zip(rows.chunks_exact_mut(n)) {
        let all_above = is_above(lows[i], lower[i]);
        let mut any = false;
        for (j, cell) in row.iter_mut().enumerate() {
            let beyond = if n <= 64 {
                always_above.contains(j)
            } else {
                j != 0 && is_above(lows[j], upper[j])
            };
            let untestable = all_above | exceeds(*cell, lower[i]) | beyond;
            if i != j && untestable && !cell.is_infinite() {
                *cell = Bound::INFINITY;
                any = true;
            }
        }
        changed.add_if(i, any);
    }
    changed
}

/// Relaxes `x_j > c` with `c` above the maximal constant `m` to `x_j > m`.
#[inline(always)]
fn widen_lower_bounds(lows: &mut [Bound], upper: &[i64]) -> bool {
    let mut changed = false;
    for (cell, &most) in lows.iter_mut().zip(upper).skip(1) {
        let relaxed = if most < 0 { Bound::LE_ZERO } else { Bound::lt(-most) };
        if is_above(*cell, most) && *cell < relaxed {
            *cell = relaxed;
            changed = true;
        }
    }
    changed
}

/// Whether a lower bound (an entry of row 0) says that the clock is above `most` everywhere in the zone.
fn is_above(low: Bound, most: i64) -> bool {
    most < 0 || low < Bound::le(-most)
}

/// Whether the constant of an entry is greater than `most`.
fn exceeds(cell: Bound, most: i64) -> bool {
    !cell.is_infinite() && cell.constant() > most
}
