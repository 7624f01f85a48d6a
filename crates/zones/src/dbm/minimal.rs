//! Zones as few constraints (Larsen, Larsson, Pettersson, Yi, "Efficient verification of real-time systems: compact
//! data structure and state-space reduction", RTSS 1997).

use super::kernel::by_dimension;
use super::{Bound, Clock, Dbm};
use smallvec::SmallVec;

/// A constraint `left - right <(=) bound`.
type MinimalConstraint = (Clock, Clock, Bound);

/// For each clock, the lowest clock at a fixed distance from it, itself included. (The lowest, so that the given
/// non-negativity constraints say as much as possible about the others.)
type Leaders = SmallVec<[usize; 16]>;

impl Dbm {
    /// Finds a smallest set of constraints `(left, right, bound)`, meaning `left - right <(=) bound`, that defines this
    /// zone among the non-negative valuations. Clocks at a fixed distance are linked in a cycle. O(dim^3).
    pub fn minimal_constraints(&self) -> SmallVec<[MinimalConstraint; 8]> {
        let leaders = self.leaders();
        let mut constraints = self.cycles(&leaders);
        by_dimension!(self.dim, n => self.push_between(n, &leaders, &mut constraints));
        constraints
    }

    fn leaders(&self) -> Leaders {
        let cells = self.cells();
        by_dimension!(self.dim, n => leaders(&cells[..n * n], n))
    }

    /// The cycles of all clocks that keep a fixed distance from another.
    fn cycles(&self, leaders: &[usize]) -> SmallVec<[MinimalConstraint; 8]> {
        let mut constraints = SmallVec::new();
        if (0..self.dim).any(|i| leaders[i] != i) {
            for i in (0..self.dim).filter(|&i| leaders[i] == i) {
                self.push_cycle(i, leaders, &mut constraints);
            }
        }
        constraints
    }

    /// Links the clocks of one leader in a cycle, from the lowest up: the first link from 0 to a clock that is zero is
    /// given.
    fn push_cycle(&self, leader: usize, leaders: &[usize], constraints: &mut SmallVec<[MinimalConstraint; 8]>) {
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

    /// The bounds between leaders that no third leader implies. `n` is the dimension.
    #[inline(always)]
    fn push_between(&self, n: usize, leaders: &[usize], constraints: &mut SmallVec<[MinimalConstraint; 8]>) {
        let (cells, leaders) = (&self.cells()[..n * n], &leaders[..n]);
        for i in (0..n).filter(|&i| leaders[i] == i) {
            let row = &cells[i * n..][..n];
            for j in (0..n).filter(|&j| leaders[j] == j && j != i && !row[j].is_infinite()) {
                if !self.is_given(i, j) && !is_implied(cells, n, leaders, i, j) {
                    self.push(i, j, constraints);
                }
            }
        }
    }

    /// Whether the entry only says that a clock is non-negative.
    fn is_given(&self, i: usize, j: usize) -> bool {
        i == 0 && self.cell(i, j) == Bound::LE_ZERO
    }

    fn push(&self, i: usize, j: usize, constraints: &mut SmallVec<[MinimalConstraint; 8]>) {
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
        self.push_between(self.dim, &leaders, &mut between);
        let text = |&(left, right, bound): &MinimalConstraint| inequality(left, right, bound, names);
        texts.extend(between.iter().map(text));
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

/// Whether two bounds through a third leader imply the finite one between the leaders `i` and `j`.
#[inline(always)]
fn is_implied(cells: &[Bound], n: usize, leaders: &[usize], i: usize, j: usize) -> bool {
    let row = &cells[i * n..][..n];
    (0..n).any(|k| k != i && k != j && leaders[k] == k && row[k].plus(cells[k * n + j]) <= row[j])
}

/// The minimal constraints of a zone, each computed on first use.
pub(crate) struct Cutter<'z> {
    zone: &'z Dbm,
    leaders: Leaders,
    cycles: SmallVec<[MinimalConstraint; 8]>,
    /// By entry: whether it is minimal, if that was computed.
    is_minimal: SmallVec<[Option<bool>; 256]>,
}

impl<'z> Cutter<'z> {
    pub(crate) fn of(zone: &'z Dbm) -> Self {
        let leaders = zone.leaders();
        Self {
            cycles: zone.cycles(&leaders),
            is_minimal: SmallVec::from_elem(None, zone.dim * zone.dim),
            leaders,
            zone,
        }
    }

    /// The constraints of [`Dbm::minimal_constraints`] that some valuation of `other` violates, in the same order.
    pub(crate) fn cuts(&mut self, other: &Dbm) -> SmallVec<[MinimalConstraint; 8]> {
        by_dimension!(self.zone.dim, n => self.cuts_of(n, other))
    }

    #[inline(always)]
    fn cuts_of(&mut self, n: usize, other: &Dbm) -> SmallVec<[MinimalConstraint; 8]> {
        let (cells, others) = (&self.zone.cells()[..n * n], &other.cells()[..n * n]);
        let leaders = &self.leaders[..n];
        let mut cuts = SmallVec::new();
        for &link in &self.cycles {
            if link.2 < others[link.0.index() * n + link.1.index()] {
                cuts.push(link);
            }
        }
        for (i, row) in cells.chunks_exact(n).enumerate().filter(|&(i, _)| leaders[i] == i) {
            for j in (0..n).filter(|&j| row[j] < others[i * n + j]) {
                if j == i || leaders[j] != j {
                    continue;
                }
                // A given bound cuts nothing.
                let is_minimal =
                    *self.is_minimal[i * n + j].get_or_insert_with(|| !is_implied(cells, n, leaders, i, j));
                if is_minimal {
                    cuts.push((Clock::from_index(i), Clock::from_index(j), row[j]));
                }
            }
        }
        cuts
    }
}

fn difference(i: usize, j: usize, names: &[&str]) -> String {
    match (i, j) {
        (_, 0) => names[i - 1].to_owned(),
        _ => format!("{}-{}", names[i - 1], names[j - 1]),
    }
}

/// `x - y < c` unchanged; a bound of `0 - x`, or a negative one of `x - y`, is reversed: `x > -c`, `y - x > -c`.
fn inequality(left: Clock, right: Clock, bound: Bound, names: &[&str]) -> String {
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
