//! Difference-bound matrices: convex sets of clock valuations (Dill 1989; Bengtsson and Yi 2004).
//!
//! Representation: `dim × dim` bounds, row-major, in the zone itself or a box, clock 0 = reference, entry `(i, j)` bounds
//! `clock_i - clock_j`; the diagonal is `<= 0`. Invariants: **closed** (every entry is the tightest implied bound, so
//! equal sets have equal matrices), **non-empty**, and clocks are non-negative (row 0 is at most `<= 0`).

mod cells;
mod closure;
mod convex;
mod extrapolate;
mod kernel;
pub(crate) mod minimal;
mod points;
mod simulation;
#[cfg(test)]
mod tests;
mod touched;
mod wide;

use super::{Bound, Clock, Variable};
pub(crate) use cells::BoundMatrix;
use kernel::by_dimension;
use touched::Touched;

/// A non-empty convex set of valuations of `dim - 1` clocks over the non-negative reals, defined by bounds of clocks and
/// of their differences; always closed. Also: *zone*.
///
/// ```
/// use tamper_zones::{Bound, Clock, Dbm, Variable};
///
/// let x = Variable::new(0);
/// let mut zone = Dbm::zero(2);
/// zone.up();
/// assert!(zone.constrain(x.into(), Clock::ZERO, Bound::lt(3)));
/// assert_eq!(zone.to_string(), "x1<3");
/// // A contradiction is answered, and the zone is then only good for being overwritten.
/// assert!(!zone.constrain(Clock::ZERO, x.into(), Bound::le(-3)));
/// ```
pub struct Dbm {
    dim: usize,
    cells: BoundMatrix,
}

impl Clone for Dbm {
    #[inline]
    fn clone(&self) -> Self {
        Self {
            dim: self.dim,
            cells: self.cells.clone(),
        }
    }
    /// Overwrites this zone; keeps its allocation, if it has one, if the dimensions agree.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.dim = source.dim;
        self.cells.clone_from(&source.cells);
    }
}

impl PartialEq for Dbm {
    fn eq(&self, other: &Self) -> bool {
        self.dim == other.dim && self.cells() == other.cells()
    }
}

impl Eq for Dbm {}

impl std::hash::Hash for Dbm {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.cells().hash(state);
    }
}

impl Dbm {
    /// The zone of the one valuation in which all clocks are zero. `dim` counts the reference clock.
    ///
    /// # Panics
    /// If `dim` is 0: a zone has at least the reference clock.
    pub fn zero(dim: usize) -> Self {
        assert!(dim > 0, "a zone has at least the reference clock");
        Self {
            dim,
            cells: BoundMatrix::filled(dim, Bound::LE_ZERO),
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
    /// The zone of any `dim × dim` matrix of bounds, with clocks non-negative; `None` if it is empty.
    pub(crate) fn close(dim: usize, mut cells: BoundMatrix) -> Option<Self> {
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
        wide::close_over(bounds, Touched::ALL, Touched::ALL, dim).then_some(Self { dim, cells })
    }
    /// The number of clocks, the reference included.
    #[inline]
    pub fn dim(&self) -> usize {
        self.dim
    }
    /// Gives the tightest bound of `left - right`.
    #[inline]
    pub fn bound(&self, left: Clock, right: Clock) -> Bound {
        self.cell(left.index(), right.index())
    }
    /// Gives the tightest upper bound of `variable`.
    #[inline]
    pub fn bound_upper(&self, variable: Variable) -> Bound {
        self.cell(variable.index(), 0)
    }
    /// Gives the tightest bound of minus `variable`: `< -c` says that the clock is above `c`.
    #[inline]
    pub fn bound_lower(&self, variable: Variable) -> Bound {
        self.cell(0, variable.index())
    }
    /// The number of bytes that this zone occupies.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.cells.bytes_outside()
    }
    pub(super) fn into_cells(self) -> BoundMatrix {
        self.cells
    }
    #[inline(always)]
    fn cells(&self) -> &[Bound] {
        self.cells.of(self.dim)
    }
    #[inline(always)]
    fn cells_mut(&mut self) -> &mut [Bound] {
        self.cells.of_mut(self.dim)
    }
    #[inline(always)]
    fn cell(&self, i: usize, j: usize) -> Bound {
        self.cells()[i * self.dim + j]
    }
    #[inline(always)]
    fn row_mut(&mut self, i: usize) -> &mut [Bound] {
        let dim = self.dim;
        &mut self.cells_mut()[i * dim..][..dim]
    }
    #[track_caller]
    fn assert_same_dim(&self, other: &Self) {
        assert_eq!(self.dim, other.dim, "zones over different clocks");
    }
}

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
        if self.cell(r, l).contradicts(bound) {
            return false;
        }
        wide::tighten(self.cells.of_mut(self.dim), l, r, bound, self.dim);
        true
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
        closure::intersect(self.cells.of_mut(self.dim), other.cells(), self.dim)
    }

    /// Tells whether the two zones share a valuation. Exact; allocates only above dimension 16.
    ///
    /// # Panics
    /// As [`Dbm::intersect`].
    pub fn intersects(&self, other: &Self) -> bool {
        self.assert_same_dim(other);
        closure::intersects(self.cells(), other.cells(), self.dim)
    }

    /// Tells whether every valuation of `other` is in this zone. O(dim^2).
    ///
    /// # Panics
    /// If the dimensions differ.
    #[inline]
    pub fn includes(&self, other: &Self) -> bool {
        self.assert_same_dim(other);
        other
            .cells()
            .iter()
            .zip(self.cells())
            .all(|(theirs, ours)| theirs <= ours)
    }

    /// Gives the smallest zone that includes both (their convex hull as zones): the larger bound of each pair, which is
    /// closed because both are. O(dim^2).
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        self.assert_same_dim(other);
        let mut hull = self.clone();
        wide::raise(hull.cells_mut(), other.cells(), self.dim);
        hull
    }
}

/// Delay and reset. All O(dim^2) at most, in place, and never empty unless said.
impl Dbm {
    /// Lets time pass, also *delay successor*: `{ u + d | u in Z, d >= 0 }`.
    #[inline]
    pub fn up(&mut self) {
        let n = self.dim;
        let upper_bounds = self.cells_mut().iter_mut().skip(n).step_by(n);
        upper_bounds.for_each(|cell| *cell = Bound::INFINITY);
    }

    /// Lets time pass backwards, also *delay predecessor*: `{ u >= 0 | exists d >= 0: u + d in Z }`.
    pub fn down(&mut self) {
        let cells = self.cells.of_mut(self.dim);
        by_dimension!(self.dim, n => {
            let (lower, rest) = cells[..n * n].split_at_mut(n);
            lower[1..].fill(Bound::LE_ZERO);
            for row in rest.chunks_exact(n) {
                // Closed below: x_j is at least what x_i >= 0 and x_i - x_j force.
                for (cell, &bound) in lower[1..].iter_mut().zip(&row[1..]) {
                    *cell = (*cell).min(bound);
                }
            }
        });
    }

    /// Forgets `variable`: `{ u[variable := d] | u in Z, d >= 0 }`.
    pub fn free(&mut self, variable: Variable) {
        let (cells, v) = (self.cells.of_mut(self.dim), variable.index());
        by_dimension!(self.dim, n => {
            let cells = &mut cells[..n * n];
            cells[v * n..][..n].fill(Bound::INFINITY);
            for row in cells.chunks_exact_mut(n) {
                row[v] = row[0];
            }
            cells[v * n + v] = Bound::LE_ZERO;
        });
    }

    /// Sets `variable`: `{ u[variable := value] | u in Z }`. `value` in model time units.
    ///
    /// # Panics
    /// If `value` is negative or beyond [`Bound::LIMIT`], or sums leave the range of a word.
    pub fn reset(&mut self, variable: Variable, value: i64) {
        assert!(value >= 0, "a clock is reset to a natural number");
        let (at_most, at_least) = (Bound::le(value), Bound::le(-value));
        let (cells, v) = (self.cells.of_mut(self.dim), variable.index());
        by_dimension!(self.dim, n => kernel::reset(&mut cells[..n * n], n, v, at_most, at_least));
    }

    /// Undoes a reset: replaces the zone by the valuations that the reset maps into it,
    /// `{ u | u[variable := value] in Z }`; `false` if there are none (then as for [`Dbm::constrain`]).
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

/// Zones over several sets of clocks.
impl Dbm {
    /// Product of two zones: the clocks of `first`, then the clocks of `second`, with no constraint between the two. Its
    /// dimension is `first.dim() + second.dim() - 1`.
    pub fn product(first: &Self, second: &Self) -> Self {
        let dim = first.dim + second.dim - 1;
        let mut product = Self::universe(dim);
        product.place(first, 0);
        product.place(second, first.dim - 1);
        // Between the two sides only the reference clock mediates.
        let side = |i: usize| i < first.dim;
        for i in 1..dim {
            for j in (1..dim).filter(|&j| side(i) != side(j)) {
                // In range: an upper bound is not negative, the negation of a lower one not positive.
                let sum = product.cell(i, 0).plus(product.cell(0, j));
                product.cells_mut()[i * dim + j] = sum;
            }
        }
        product
    }

    /// Turns this zone's clocks into the clocks `offset`, `offset + 1`, … (0 = the first real clock) of a zone of dimension
    /// `dim`; the other clocks are free.
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
        let (at, dim) = (|i: usize| if i == 0 { 0 } else { i + offset }, self.dim);
        for i in 0..part.dim {
            for j in 0..part.dim {
                self.cells_mut()[at(i) * dim + at(j)] = part.cell(i, j);
            }
        }
    }
}
