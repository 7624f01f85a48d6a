//! The slow twin of [`Dbm`], kept for cross-checks.
//!
//! Nothing is shared with the fast code: bounds are pairs, infinity is `None`, every change is followed by a full
//! Floyd-Warshall closure, and delay and reset are literally what they mean: a fresh variable for the new value, constraints
//! that relate it to the old one, then projection.

use crate::{Bound, Clock, Dbm, DbmDraft, Variable};

/// `< constant` or `<= constant`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Limit {
    constant: i64,
    strict: bool,
}

impl Limit {
    fn of(bound: Bound) -> Option<Self> {
        (!bound.is_infinite()).then(|| Self {
            constant: bound.constant(),
            strict: bound.is_strict(),
        })
    }
    fn sum(self, other: Self) -> Self {
        Self {
            constant: self.constant + other.constant,
            strict: self.strict || other.strict,
        }
    }
    fn tighter_than(self, other: Option<Self>) -> bool {
        other.is_none_or(|other| {
            self.constant < other.constant || (self.constant == other.constant && self.strict && !other.strict)
        })
    }
}

const AT_MOST_ZERO: Limit = Limit {
    constant: 0,
    strict: false,
};

/// A convex set of valuations, perhaps empty. Meaning and arguments of its methods: as for [`Dbm`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NaiveDbm {
    rows: Vec<Vec<Option<Limit>>>,
    empty: bool,
}

impl NaiveDbm {
    /// The set of all non-negative valuations. `dim` counts the reference clock.
    pub fn universe(dim: usize) -> Self {
        let mut naive = Self {
            rows: vec![vec![None; dim]; dim],
            empty: false,
        };
        for i in 0..dim {
            naive.put(0, i, Some(AT_MOST_ZERO));
        }
        naive.close();
        naive
    }
    /// The number of clocks, the reference included.
    pub fn dim(&self) -> usize {
        self.rows.len()
    }
    /// The tightest bound of `left - right`; unspecified if the set is empty.
    pub fn bound(&self, left: Clock, right: Clock) -> Bound {
        match self.rows[left.index()][right.index()] {
            None => Bound::INFINITY,
            Some(limit) => Bound::sum(limit.constant, limit.strict),
        }
    }
    /// The same set as a [`Dbm`], closed by that type's own code; `None` if it is empty.
    pub fn to_dbm(&self) -> Option<Dbm> {
        let mut draft = DbmDraft::new(self.dim());
        for i in (0..self.dim()).map(Clock::from_index) {
            for j in (0..self.dim()).map(Clock::from_index) {
                draft.set(i, j, self.bound(i, j));
            }
        }
        if self.empty { None } else { draft.close() }
    }
    /// Intersects with one constraint; `false` if that is empty.
    pub fn constrain(&mut self, left: Clock, right: Clock, bound: Bound) -> bool {
        self.put(left.index(), right.index(), Limit::of(bound));
        self.close();
        !self.empty
    }
    /// Intersects with `other`; `false` if that is empty.
    pub fn intersect(&mut self, other: &Self) -> bool {
        for (i, row) in other.rows.iter().enumerate() {
            for (j, &limit) in row.iter().enumerate() {
                self.put(i, j, limit);
            }
        }
        self.empty |= other.empty;
        self.close();
        !self.empty
    }
    /// Tells whether every valuation of `other` is in this set.
    pub fn includes(&self, other: &Self) -> bool {
        let mut both = self.clone();
        both.intersect(other);
        other.empty || (!both.empty && both.rows == other.rows)
    }
    /// The future: a new present, not before the old one.
    pub fn up(&mut self) {
        let now = self.append();
        self.put(now, 0, Some(AT_MOST_ZERO));
        self.shift_present(now);
    }
    /// The past: a new present, not after the old one, with clocks still non-negative.
    pub fn down(&mut self) {
        let now = self.append();
        self.put(0, now, Some(AT_MOST_ZERO));
        self.shift_present(now);
    }
    /// Forgets what is known of a clock, but that it is not negative.
    pub fn free(&mut self, variable: Variable) {
        let fresh = self.append();
        self.put(0, fresh, Some(AT_MOST_ZERO));
        self.replace(variable.index(), fresh);
    }
    /// Sets a clock to a value.
    pub fn reset(&mut self, variable: Variable, value: i64) {
        let fresh = self.append();
        self.fix(fresh, value);
        self.replace(variable.index(), fresh);
    }
    /// What setting the clock brings into this set; `false` if that is empty.
    pub fn unreset(&mut self, variable: Variable, value: i64) -> bool {
        self.fix(variable.index(), value);
        self.free(variable);
        !self.empty
    }

    /// Adds a constraint without closing.
    fn put(&mut self, i: usize, j: usize, limit: Option<Limit>) {
        if limit.is_some_and(|limit| limit.tighter_than(self.rows[i][j])) {
            self.rows[i][j] = limit;
        }
    }
    fn fix(&mut self, i: usize, constant: i64) {
        let strict = false;
        self.put(i, 0, Some(Limit { constant, strict }));
        let constant = -constant;
        self.put(0, i, Some(Limit { constant, strict }));
    }
    /// Adds an unconstrained variable and returns its index.
    fn append(&mut self) -> usize {
        let fresh = self.dim();
        self.rows.iter_mut().for_each(|row| row.push(None));
        self.rows.push(vec![None; fresh + 1]);
        fresh
    }
    /// Replaces the present by `now`. A clock is a difference to the present, `x - 0`; as time passes by d, the clocks
    /// stay where they are on the line and the present moves down by d (`now - 0 = -d`).
    fn shift_present(&mut self, now: usize) {
        for i in (1..self.dim()).filter(|&i| i != now) {
            self.put(now, i, Some(AT_MOST_ZERO));
        }
        self.replace(0, now);
    }
    /// Closes, then variable `old` is forgotten and `fresh`, the last one, takes its index.
    fn replace(&mut self, old: usize, fresh: usize) {
        self.close();
        self.rows.swap(old, fresh);
        self.rows.iter_mut().for_each(|row| row.swap(old, fresh));
        self.rows.truncate(fresh);
        self.rows.iter_mut().for_each(|row| row.truncate(fresh));
    }
    /// Closes the matrix by Floyd and Warshall, in full.
    fn close(&mut self) {
        let n = self.dim();
        for i in 0..n {
            self.put(i, i, Some(AT_MOST_ZERO));
        }
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    let sum = self.rows[i][k].and_then(|ik| self.rows[k][j].map(|kj| ik.sum(kj)));
                    self.put(i, j, sum);
                }
            }
            self.empty |= (0..n).any(|i| self.rows[i][i] != Some(AT_MOST_ZERO));
            if self.empty {
                return;
            }
        }
    }
}
