//! Raw matrices, before they are closed to a zone.

use super::dbm::BoundMatrix;
use super::{Bound, Clock, Dbm};

/// A conjunction of difference constraints, in any order, perhaps contradictory. [`DbmDraft::close`] is the way to
/// a zone. `dim × dim`, row-major, clock 0 = reference; entry `(i, j)` bounds `clock_i - clock_j`.
///
/// ```
/// use tamper_zones::{Bound, Clock, DbmDraft, Variable};
///
/// let (x, y) = (Clock::from(Variable::new(0)), Clock::from(Variable::new(1)));
/// let mut draft = DbmDraft::new(3);
/// draft.constrain(x, y, Bound::le(-2)); // x - y <= -2
/// draft.constrain(y, Clock::ZERO, Bound::lt(5)); // y < 5
/// let zone = draft.clone().close().expect("x = 0, y = 2 is a valuation of it");
/// assert_eq!(zone.bound(x, Clock::ZERO), Bound::lt(3)); // so x < 3
/// draft.constrain(y, Clock::ZERO, Bound::lt(2));
/// assert!(draft.close().is_none());
/// ```
#[derive(Clone, Debug)]
pub struct DbmDraft {
    dim: usize,
    cells: BoundMatrix,
}

impl DbmDraft {
    /// The conjunction without constraints, except that clocks are non-negative. `dim` counts the reference clock.
    ///
    /// # Panics
    /// If `dim` is 0: a zone has at least the reference clock.
    pub fn new(dim: usize) -> Self {
        Self::from_parts(dim, Dbm::universe(dim).into_cells())
    }
    pub(super) fn from_parts(dim: usize, cells: BoundMatrix) -> Self {
        Self { dim, cells }
    }
    /// The number of clocks, the reference included.
    pub fn dim(&self) -> usize {
        self.dim
    }
    /// The present entry: a bound of `left - right`.
    pub fn bound(&self, left: Clock, right: Clock) -> Bound {
        self.cells.of(self.dim)[left.index() * self.dim + right.index()]
    }
    /// Replaces the bound of `left - right`.
    pub fn set(&mut self, left: Clock, right: Clock, bound: Bound) {
        self.cells.of_mut(self.dim)[left.index() * self.dim + right.index()] = bound;
    }
    /// Adds `left - right <(=) bound` to the conjunction.
    pub fn constrain(&mut self, left: Clock, right: Clock, bound: Bound) {
        self.set(left, right, bound.min(self.bound(left, right)));
    }
    /// The zone of the conjunction (non-negative clocks only); `None` if it is empty. Floyd-Warshall, O(dim^3).
    ///
    /// # Panics
    /// If entries are too large to be added up (see the page of [`Bound`]).
    pub fn close(self) -> Option<Dbm> {
        Dbm::close(self.dim, self.cells)
    }
}

impl From<Dbm> for DbmDraft {
    fn from(dbm: Dbm) -> Self {
        Self::from_parts(dbm.dim(), dbm.into_cells())
    }
}
