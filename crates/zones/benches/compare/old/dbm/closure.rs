//! All-pairs shortest paths: what makes a matrix canonical.

use super::{Bound, Dbm};

/// A set of matrix indices, modulo 64 (so perhaps too large above dimension 64, never too small).
#[derive(Clone, Copy, Default)]
pub(super) struct Touched(u64);

impl Touched {
    pub(super) const ALL: Self = Self(u64::MAX);

    #[inline(always)]
    fn add(&mut self, i: usize, j: usize) {
        self.0 |= 1 << (i & 63) | 1 << (j & 63);
    }
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    fn contains(self, i: usize) -> bool {
        self.0 >> (i & 63) & 1 == 1
    }
}

/// Row `i` to write and row `k != i` to read.
#[inline(always)]
pub(super) fn two_rows(cells: &mut [Bound], n: usize, i: usize, k: usize) -> (&mut [Bound], &[Bound]) {
    if i < k {
        let (head, tail) = cells.split_at_mut(k * n);
        (&mut head[i * n..][..n], &tail[..n])
    } else {
        let (head, tail) = cells.split_at_mut(i * n);
        (&mut tail[..n], &head[k * n..][..n])
    }
}

/// Intersects a closed matrix with another; `false` if that is empty.
///
/// A shortest path through both alternates between strictly tighter entries of the one and of the other (two steps in
/// one matrix are a step, as it is closed). So all its inner nodes are touched by both, and if only one is tighter
/// anywhere there is nothing to close.
pub(super) fn meet(cells: &mut [Bound], others: &[Bound], n: usize) -> bool {
    let (mut by_self, mut by_other) = (Touched::default(), Touched::default());
    for (i, (row, others)) in cells.chunks_exact_mut(n).zip(others.chunks_exact(n)).enumerate() {
        for (j, (cell, &bound)) in row.iter_mut().zip(others).enumerate() {
            if *cell < bound {
                by_self.add(i, j);
            } else if bound < *cell {
                by_other.add(i, j);
                *cell = bound;
            }
        }
    }
    close_over(cells, n, by_self.and(by_other))
}

/// Floyd-Warshall over the inner nodes in `touched`; `false` if there is a negative cycle through them. It stops at
/// the first one, so all sums are weights of simple paths.
///
/// # Panics
/// If `n` entries may add up to more than a word holds.
pub(super) fn close_over(cells: &mut [Bound], n: usize, touched: Touched) -> bool {
    let nodes = || (0..n).filter(|&k| touched.contains(k));
    if nodes().next().is_none() {
        return true;
    }
    assert!(cells.iter().all(|cell| cell.is_summable(n + 1)), "bounds out of range");
    for k in nodes() {
        for i in (0..n).filter(|&i| i != k) {
            let to_k = cells[i * n + k];
            if to_k.is_infinite() {
                continue;
            }
            let (row_i, row_k) = two_rows(cells, n, i, k);
            for (cell, &from_k) in row_i.iter_mut().zip(row_k) {
                if !from_k.is_infinite() {
                    *cell = (*cell).min(to_k.plus_finite(from_k));
                }
            }
            if row_i[i] < Bound::LE_ZERO {
                return false;
            }
        }
    }
    true
}

impl Dbm {
    /// The zone of any `dim × dim` matrix of bounds, with clocks non-negative; `None` if it is empty.
    pub(crate) fn close(dim: usize, mut cells: Box<[Bound]>) -> Option<Self> {
        assert_eq!(cells.len(), dim * dim, "a square matrix");
        for cell in &mut cells[..dim] {
            *cell = (*cell).min(Bound::LE_ZERO);
        }
        for i in 0..dim {
            let cell = &mut cells[i * dim + i];
            if *cell < Bound::LE_ZERO {
                return None;
            }
            *cell = Bound::LE_ZERO;
        }
        close_over(&mut cells, dim, Touched::ALL).then_some(Self { dim, cells })
    }
}
