//! Zones as few constraints (Larsen, Larsson, Pettersson, Yi, "Efficient verification of real-time systems: compact
//! data structure and state-space reduction", RTSS 1997).

use super::{Bound, Clock, Dbm};
use smallvec::SmallVec;

/// A constraint `left - right <(=) bound`.
type Constraint = (Clock, Clock, Bound);

impl Dbm {
    /// Finds a smallest set of constraints `(left, right, bound)`, meaning `left - right <(=) bound`, that defines this zone
    /// among the non-negative valuations. Clocks at a fixed distance are linked in a cycle. O(dim^3).
    pub fn minimal_constraints(&self) -> SmallVec<[Constraint; 8]> {
        let mut constraints = SmallVec::new();
        let leaders = self.leaders();
        for i in (0..self.dim).filter(|&i| leaders[i] == i) {
            self.push_cycle(i, &leaders, &mut constraints);
        }
        self.push_between(&leaders, &mut constraints);
        constraints
    }

    /// For each clock, the lowest clock that it keeps a fixed distance from, itself included. (The lowest, so that
    /// non-negativity, which is given, says as much as it can about the others.)
    fn leaders(&self) -> SmallVec<[usize; 8]> {
        let fixed = |i: usize, j: usize| self.cell(i, j).plus(self.cell(j, i)) == Bound::LE_ZERO;
        let mut leaders: SmallVec<[usize; 8]> = (0..self.dim).collect();
        for i in 0..self.dim {
            for j in (0..i).filter(|&j| fixed(i, j)) {
                let lowest = if self.cell(0, i) > self.cell(0, leaders[j]) {
                    i
                } else {
                    leaders[j]
                };
                (leaders[i], leaders[j]) = (lowest, lowest);
            }
        }
        leaders
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

    /// The bounds between leaders that no third leader implies.
    fn push_between(&self, leaders: &[usize], constraints: &mut SmallVec<[Constraint; 8]>) {
        let chosen: SmallVec<[usize; 8]> = (0..self.dim).filter(|&i| leaders[i] == i).collect();
        for &i in &chosen {
            let row = self.row(i);
            for &j in chosen
                .iter()
                .filter(|&&j| j != i && !row[j].is_infinite() && !self.is_given(i, j))
            {
                let implies = |k: usize| row[k].plus(self.cell(k, j)) <= row[j];
                if !chosen.iter().any(|&k| k != i && k != j && implies(k)) {
                    self.push(i, j, constraints);
                }
            }
        }
    }

    /// Tells whether the entry only says that a clock is non-negative.
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
        self.push_between(&leaders, &mut between);
        texts.extend(between.iter().map(|constraint| inequality(constraint, names)));
        texts
    }
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
