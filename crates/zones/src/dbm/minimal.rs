//! Zones as few constraints (Larsen, Larsson, Pettersson, Yi, "Efficient verification of real-time systems: compact
//! data structure and state-space reduction", RTSS 1997).

use super::kernel::by_dimension;
use super::{Bound, Clock, Dbm};
use smallvec::SmallVec;

/// A constraint `left - right <(=) bound`.
type Constraint = (Clock, Clock, Bound);

/// For each clock, the lowest clock that it keeps a fixed distance from, itself included. (The lowest, so that
/// non-negativity, which is given, says as much as it can about the others.)
type Leaders = SmallVec<[usize; 12]>;

impl Dbm {
    /// Finds a smallest set of constraints `(left, right, bound)`, meaning `left - right <(=) bound`, that defines this
    /// zone among the non-negative valuations. Clocks at a fixed distance are linked in a cycle. O(dim^3).
    pub fn minimal_constraints(&self) -> SmallVec<[Constraint; 8]> {
        self.minimal_among(|_, _| true)
    }

    /// Those of [`Dbm::minimal_constraints`] that some valuation of `zone` violates, in the same order.
    pub(crate) fn minimal_cuts(&self, zone: &Self) -> SmallVec<[Constraint; 8]> {
        self.assert_same_dim(zone);
        self.minimal_among(|i, j| self.cell(i, j) < zone.cell(i, j))
    }

    /// Those of the minimal constraints whose matrix indices are wanted; asks before it finds out which are minimal.
    fn minimal_among(&self, wanted: impl Fn(usize, usize) -> bool) -> SmallVec<[Constraint; 8]> {
        let mut constraints = SmallVec::new();
        let leaders = self.leaders();
        for i in (0..self.dim).filter(|&i| leaders[i] == i) {
            self.push_cycle(i, &leaders, &mut constraints);
        }
        constraints.retain(|(left, right, _)| wanted(left.index(), right.index()));
        by_dimension!(self.dim, n => self.push_between(n, &leaders, wanted, &mut constraints));
        constraints
    }

    fn leaders(&self) -> Leaders {
        let cells = self.cells();
        by_dimension!(self.dim, n => leaders(&cells[..n * n], n))
    }

    /// Links the clocks of one leader in a cycle, from the lowest up: the first link from 0 to a clock that is zero is
    /// given.
    fn push_cycle(&self, leader: usize, leaders: &[usize], constraints: &mut SmallVec<[Constraint; 8]>) {
        let mut members: SmallVec<[usize; 8]> =
            (0..self.dim).filter(|&i| leaders[i] == leader && i != leader).collect();
        members.sort_by_key(|&i| std::cmp::Reverse(self.cell(0, i)));
        let mut previous = leader;
        for &i in &members {
            self.push(previous, i, constraints);
            previous = i;
        }
        if previous != leader {
            self.push(previous, leader, constraints);
        }
    }

    /// The wanted bounds between leaders that no third leader implies. `n` is the dimension.
    #[inline(always)]
    fn push_between(
        &self,
        n: usize,
        leaders: &[usize],
        wanted: impl Fn(usize, usize) -> bool,
        constraints: &mut SmallVec<[Constraint; 8]>,
    ) {
        let (cells, leaders) = (&self.cells()[..n * n], &leaders[..n]);
        for i in (0..n).filter(|&i| leaders[i] == i) {
            let row = &cells[i * n..][..n];
            for j in (0..n).filter(|&j| leaders[j] == j && j != i && !row[j].is_infinite()) {
                let implies = |k: usize| k != i && k != j && leaders[k] == k && row[k].plus(cells[k * n + j]) <= row[j];
                if wanted(i, j) && !self.is_given(i, j) && !(0..n).any(implies) {
                    self.push(i, j, constraints);
                }
            }
        }
    }

    /// Whether the entry only says that a clock is non-negative.
    fn is_given(&self, i: usize, j: usize) -> bool {
        i == 0 && self.cell(i, j) == Bound::LE_ZERO
    }

    fn push(&self, i: usize, j: usize, constraints: &mut SmallVec<[Constraint; 8]>) {
        if !self.is_given(i, j) {
            constraints.push((Clock::from_index(i), Clock::from_index(j), self.cell(i, j)));
        }
    }

    /// Writes a smallest set of constraints as text (`x<=3`, `x-y<2`, `y==1`); `names[i]` is the `i`-th real clock. Empty if
    /// every non-negative valuation is in the zone.
    ///
    /// # Panics
    /// If there are fewer names than real clocks.
    pub fn constraints(&self, names: &[&str]) -> Vec<String> {
        let leaders = self.leaders();
        let mut texts = Vec::new();
        for (i, &leader) in leaders.iter().enumerate().filter(|&(i, &leader)| i != leader) {
            texts.push(format!(
                "{}=={}",
                difference(i, leader, names),
                self.cell(i, leader).constant()
            ));
        }
        let mut between = SmallVec::new();
        self.push_between(self.dim, &leaders, |_, _| true, &mut between);
        texts.extend(between.iter().map(|constraint| inequality(constraint, names)));
        texts
    }
}

#[inline(always)]
fn leaders(cells: &[Bound], n: usize) -> Leaders {
    let mut leaders: Leaders = (0..n).collect();
    for i in 0..n {
        for j in (0..i).filter(|&j| cells[i * n + j].is_opposite(cells[j * n + i])) {
            let lowest = if cells[i] > cells[leaders[j]] { i } else { leaders[j] };
            (leaders[i], leaders[j]) = (lowest, lowest);
        }
    }
    leaders
}

fn difference(i: usize, j: usize, names: &[&str]) -> String {
    match (i, j) {
        (_, 0) => names[i - 1].to_owned(),
        _ => format!("{}-{}", names[i - 1], names[j - 1]),
    }
}

/// `x - y < c` as it is; a bound of `0 - x`, or a negative one of `x - y`, turned round: `x > -c`, `y - x > -c`.
fn inequality(&(left, right, bound): &Constraint, names: &[&str]) -> String {
    let (i, j, constant) = (left.index(), right.index(), bound.constant());
    let equal = if bound.is_strict() { "" } else { "=" };
    if i == 0 || (j != 0 && constant < 0) {
        return format!("{}>{equal}{}", difference(j, i, names), -constant);
    }
    format!("{}<{equal}{constant}", difference(i, j, names))
}

/// A smallest set of constraints with clocks named `x1`, `x2`, …: `x1<=3 && x1-x2<2`, or `true`.
impl std::fmt::Display for Dbm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<String> = (1..self.dim).map(|i| format!("x{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let constraints = self.constraints(&names);
        f.write_str(if constraints.is_empty() { "true" } else { "" })?;
        f.write_str(&constraints.join(" && "))
    }
}

impl std::fmt::Debug for Dbm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dbm({}: {self})", self.dim)
    }
}
