//! Difference-bound matrices: convex sets of clock valuations (Dill 1989; Bengtsson and Yi 2004).
//!
//! Representation: `dim × dim` bounds, row-major in one boxed slice, clock 0 = reference, entry `(i, j)` bounds
//! `clock_i - clock_j`; the diagonal is `<= 0`. Invariants: **closed** (every entry is the tightest implied bound, so
//! equal sets have equal matrices), **non-empty**, and clocks are non-negative (row 0 is at most `<= 0`).

mod closure;
mod extrapolate;
mod minimal;

use super::{Bound, Clock, Variable};
use closure::two_rows;
use smallvec::SmallVec;

/// A non-empty convex set of valuations of `dim - 1` clocks over the non-negative reals, defined by bounds of clocks and
/// of their differences; always closed. Also: *zone*.
#[derive(PartialEq, Eq, Hash)]
pub struct Dbm {
    dim: usize,
    cells: Box<[Bound]>,
}

impl Clone for Dbm {
    fn clone(&self) -> Self {
        Self {
            dim: self.dim,
            cells: self.cells.clone(),
        }
    }
    /// Overwrites this zone; keeps its allocation if the dimensions agree.
    fn clone_from(&mut self, source: &Self) {
        self.dim = source.dim;
        self.cells.clone_from(&source.cells);
    }
}

/// Making and reading zones.
impl Dbm {
    /// The zone of the one valuation in which all clocks are zero. `dim` counts the reference clock.
    ///
    /// # Panics
    /// If `dim` is 0: a zone has at least the reference clock.
    pub fn zero(dim: usize) -> Self {
        assert!(dim > 0, "a zone has at least the reference clock");
        Self {
            dim,
            cells: vec![Bound::LE_ZERO; dim * dim].into(),
        }
    }
    /// The zone of all valuations with non-negative clocks. `dim` counts the reference clock.
    ///
    /// # Panics
    /// If `dim` is 0.
    pub fn universe(dim: usize) -> Self {
        let mut dbm = Self::zero(dim);
        for i in 1..dim {
            let row = dbm.row_mut(i);
            row.fill(Bound::INFINITY);
            row[i] = Bound::LE_ZERO;
        }
        dbm
    }
    /// The number of clocks, the reference included.
    pub fn dim(&self) -> usize {
        self.dim
    }
    /// Gives the tightest bound of `left - right`.
    pub fn bound(&self, left: Clock, right: Clock) -> Bound {
        self.cell(left.index(), right.index())
    }
    /// Gives the tightest upper bound of `variable`.
    pub fn bound_upper(&self, variable: Variable) -> Bound {
        self.cell(variable.index(), 0)
    }
    /// Gives the tightest bound of minus `variable`: `< -c` says that the clock is above `c`.
    pub fn bound_lower(&self, variable: Variable) -> Bound {
        self.cell(0, variable.index())
    }
    /// The number of bytes that this zone occupies.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.cells)
    }
    pub(super) fn into_cells(self) -> Box<[Bound]> {
        self.cells
    }
    #[inline(always)]
    fn cell(&self, i: usize, j: usize) -> Bound {
        self.cells[i * self.dim + j]
    }
    #[inline(always)]
    fn row(&self, i: usize) -> &[Bound] {
        &self.cells[i * self.dim..][..self.dim]
    }
    #[inline(always)]
    fn row_mut(&mut self, i: usize) -> &mut [Bound] {
        &mut self.cells[i * self.dim..][..self.dim]
    }
    #[track_caller]
    fn assert_same_dim(&self, other: &Self) {
        assert_eq!(self.dim, other.dim, "zones over different clocks");
    }
}

/// Conjunction and comparison.
impl Dbm {
    /// Intersects with `left - right <(=) bound`; `false` if that is empty. Then the value of this zone is unspecified:
    /// it may only be overwritten ([`Clone::clone_from`]) or dropped. O(dim^2); O(1) if implied or contradicted.
    ///
    /// # Panics
    /// If sums of the entries leave the range of a word (see the page of [`Bound`]).
    #[must_use]
    pub fn constrain(&mut self, left: Clock, right: Clock, bound: Bound) -> bool {
        let (l, r) = (left.index(), right.index());
        if bound >= self.cell(l, r) {
            return true;
        }
        // A closed matrix has no tighter way back from r to l: emptiness shows here or never.
        if self.cell(r, l).plus(bound) < Bound::LE_ZERO {
            return false;
        }
        self.tighten(l, r, bound);
        true
    }

    /// The incremental closure: every path may now use the edge `(l, r)` once.
    fn tighten(&mut self, l: usize, r: usize, bound: Bound) {
        let n = self.dim;
        assert!(
            self.row(r).iter().all(|cell| cell.is_summable(4)),
            "bounds out of range"
        );
        for i in (0..n).filter(|&i| i != r) {
            let to_l = self.cell(i, l);
            if to_l.is_infinite() {
                continue;
            }
            assert!(to_l.is_summable(4), "bounds out of range");
            let to_r = to_l.plus_finite(bound);
            // Otherwise no entry of row i improves: it already goes to r as cheaply.
            if to_r < self.cell(i, r) {
                let (row_i, row_r) = two_rows(&mut self.cells, n, i, r);
                for (cell, &from_r) in row_i.iter_mut().zip(row_r) {
                    *cell = (*cell).min(to_r.plus(from_r));
                }
            }
        }
    }

    /// [`Dbm::constrain`] with each constraint in turn; `false` as soon as the result is empty.
    #[must_use]
    pub fn constrain_all(&mut self, constraints: impl IntoIterator<Item = (Clock, Clock, Bound)>) -> bool {
        constraints
            .into_iter()
            .all(|(left, right, bound)| self.constrain(left, right, bound))
    }

    /// Intersects with `other`; `false` if that is empty. Then the value of this zone is unspecified: it may only be
    /// overwritten ([`Clone::clone_from`]) or dropped. O(dim^2) if one includes the other, else at most O(dim^3).
    ///
    /// # Panics
    /// If the dimensions differ, or sums leave the range of a word (see the page of [`Bound`]).
    #[must_use]
    pub fn intersect(&mut self, other: &Self) -> bool {
        self.assert_same_dim(other);
        if self.contradicts(other) {
            return false;
        }
        closure::meet(&mut self.cells, &other.cells, self.dim)
    }

    /// Tells whether one bound of each contradict each other: then the intersection is empty. Not conversely.
    fn contradicts(&self, other: &Self) -> bool {
        (0..self.dim).any(|i| {
            let column = other.cells[i..].iter().step_by(self.dim);
            self.row(i)
                .iter()
                .zip(column)
                .any(|(&ij, &ji)| ij.plus(ji) < Bound::LE_ZERO)
        })
    }

    /// Tells whether the two zones share a valuation. Exact; allocates only above dimension 8.
    ///
    /// # Panics
    /// As [`Dbm::intersect`].
    pub fn intersects(&self, other: &Self) -> bool {
        self.assert_same_dim(other);
        if self.contradicts(other) {
            return false;
        }
        if self.dim <= 2 {
            return true;
        }
        let mut cells: SmallVec<[Bound; 64]> = SmallVec::from_slice(&self.cells);
        closure::meet(&mut cells, &other.cells, self.dim)
    }

    /// Tells whether every valuation of `other` is in this zone. O(dim^2).
    ///
    /// # Panics
    /// If the dimensions differ.
    pub fn includes(&self, other: &Self) -> bool {
        self.assert_same_dim(other);
        other
            .cells
            .iter()
            .zip(&*self.cells)
            .all(|(theirs, ours)| theirs <= ours)
    }

    /// Gives the smallest zone that includes both (their convex hull as zones): the larger bound of each pair, which is
    /// closed because both are. O(dim^2).
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        self.assert_same_dim(other);
        let mut hull = self.clone();
        for (cell, &bound) in hull.cells.iter_mut().zip(&*other.cells) {
            *cell = (*cell).max(bound);
        }
        hull
    }
}

/// Delay and reset. All O(dim^2) at most, in place, and never empty unless said.
impl Dbm {
    /// Lets time pass, also *delay successor*: `{ u + d | u in Z, d >= 0 }`.
    pub fn up(&mut self) {
        let n = self.dim;
        self.cells[n..]
            .iter_mut()
            .step_by(n)
            .for_each(|cell| *cell = Bound::INFINITY);
    }

    /// Lets time pass backwards, also *delay predecessor*: `{ u >= 0 | exists d >= 0: u + d in Z }`.
    pub fn down(&mut self) {
        let (lower, rest) = self.cells.split_at_mut(self.dim);
        lower[1..].fill(Bound::LE_ZERO);
        for row in rest.chunks_exact(lower.len()) {
            // Closed below: x_j is at least what x_i >= 0 and x_i - x_j force.
            for (cell, &bound) in lower.iter_mut().zip(row).skip(1) {
                *cell = (*cell).min(bound);
            }
        }
    }

    /// Forgets `variable`: `{ u[variable := d] | u in Z, d >= 0 }`.
    pub fn free(&mut self, variable: Variable) {
        let (n, v) = (self.dim, variable.index());
        self.row_mut(v).fill(Bound::INFINITY);
        for row in self.cells.chunks_exact_mut(n) {
            row[v] = row[0];
        }
        self.cells[v * n + v] = Bound::LE_ZERO;
    }

    /// Sets `variable`: `{ u[variable := value] | u in Z }`. `value` in model time units.
    ///
    /// # Panics
    /// If `value` is negative or beyond [`Bound::LIMIT`], or sums leave the range of a word.
    pub fn reset(&mut self, variable: Variable, value: i64) {
        assert!(value >= 0, "a clock is reset to a natural number");
        let (n, v) = (self.dim, variable.index());
        let (at_most, at_least) = (Bound::le(value), Bound::le(-value));
        for j in 0..n {
            assert!(
                self.cell(0, j).is_summable(4) && self.cell(j, 0).is_summable(4),
                "bounds out of range"
            );
            self.cells[v * n + j] = at_most.plus(self.cell(0, j));
            self.cells[j * n + v] = self.cell(j, 0).plus(at_least);
        }
        self.cells[v * n + v] = Bound::LE_ZERO;
    }

    /// Goes back through a reset, to the valuations that it brings into this zone: `{ u | u[variable := value] in Z }`;
    /// `false` if there is none (then as for [`Dbm::constrain`]).
    #[must_use]
    pub fn unreset(&mut self, variable: Variable, value: i64) -> bool {
        let clock = Clock::from(variable);
        let set = self.constrain(clock, Clock::ZERO, Bound::le(value))
            && self.constrain(Clock::ZERO, clock, Bound::le(-value));
        if set {
            self.free(variable);
        }
        set
    }
}

/// Several sets of clocks side by side.
impl Dbm {
    /// Puts the clocks of `first` before those of `second`, unrelated. Its dimension is `first.dim() + second.dim() - 1`.
    pub fn product(first: &Self, second: &Self) -> Self {
        let dim = first.dim + second.dim - 1;
        let mut product = Self::universe(dim);
        product.place(first, 0);
        product.place(second, first.dim - 1);
        // Between the two sides only the reference clock mediates.
        let side = |i: usize| i < first.dim;
        for i in 1..dim {
            for j in (1..dim).filter(|&j| side(i) != side(j)) {
                product.cells[i * dim + j] = product.cell(i, 0).plus(product.cell(0, j));
            }
        }
        product
    }

    /// Makes this zone's clocks clocks `offset`, `offset + 1`, … (0 = the first real clock) of a zone of dimension `dim`;
    /// the other clocks are free.
    ///
    /// # Panics
    /// If they do not fit.
    #[must_use]
    pub fn embed(&self, dim: usize, offset: usize) -> Self {
        assert!(offset + self.dim <= dim, "embedded zone does not fit");
        let rest = |clocks: usize| Self::universe(clocks + 1);
        let before = Self::product(&rest(offset), self);
        Self::product(&before, &rest(dim - offset - self.dim))
    }

    fn place(&mut self, part: &Self, offset: usize) {
        let at = |i: usize| if i == 0 { 0 } else { i + offset };
        for i in 0..part.dim {
            for j in 0..part.dim {
                self.cells[at(i) * self.dim + at(j)] = part.cell(i, j);
            }
        }
    }
}
