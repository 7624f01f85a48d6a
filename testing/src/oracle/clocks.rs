//! Finite abstractions of clock valuations, exact for games with natural constants.
//!
//! Both abstractions rest on a *time-abstract bisimulation* `E` of finite index over the valuations of **all** clocks
//! in play (those of the mutant and those of the specification together, so one delay moves both games):
//! equivalent valuations satisfy the same atoms, a reset leads from equivalent to equivalent valuations, and whatever
//! valuation one of them reaches by some delay, the other reaches an equivalent one by some delay, through the
//! same classes in the same order. Existence, consistency and refinement are greatest fixpoints of conditions that
//! speak only of atoms, resets and delays, so they cannot tell equivalent valuations apart and may be computed on one
//! representative per class; a step may be followed by a change to any equivalent representative.
//!
//! [`Regions`] (no diagonals): the textbook regions of Alur and Dill. Per clock a cap (the largest constant it is compared
//! with); up to its cap a clock has an integer part and a rank in the order of the fractional parts (rank 0: none); above it
//! only "above" is known. No atom distinguishes values above the cap, a reset to a constant makes the clock known again.
//!
//! [`Spread`] (diagonals allowed): real valuations on the grid of step `1 / (2 (n + 1))`, `n` clocks. Let `K` be the
//! largest absolute value of a constant in an atom, `R` the largest constant of a reset, `V = K + R`. Call `v` and `w`
//! equivalent when the fractional parts (with 0) are ordered alike, every clock is the same integer region or above `V` in
//! both, and every difference of two clocks of one game is the same integer region or beyond `K` (with the same sign) in both.
//! - atoms: a clock or a difference of one game's clocks is compared with at most `K`;
//! - delay: differences stay; clocks above `V` stay above; the order of fractions gives the same classes in the same order;
//! - reset `x := c`, `c <= R`: `y - x = y - c`. If `y <= V` its region is known, else `y - c > V - R = K` in both.
//!
//! So `E` is a bisimulation for guards *with* diagonals, and it has finitely many classes: [`ClockSpace::class`]. A search keeps
//! the first valuation it meets of every class. Spreading the distinct non-zero fractions to the ticks 2, 4, 6, … in their order
//! keeps a valuation in its class. A delay step is made concretely, by one tick from a valuation with an integer clock (odd
//! ticks are free, so it lands strictly inside the next class), else by exactly what is missing for the greatest fraction to
//! become an integer.
//!
//! Coming back to a class by delays alone means that time can pass for ever: any such cycle crosses an integer infinitely often.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Range;

use tamper_text::Id;
use tamper_timed::model::{Automaton, Cmp, Expr, Guard, Select, Update, Valuation};

/// Classes of clock valuations.
pub trait ClockSpace {
    /// A representative of a class.
    type Point: Clone + Debug;
    /// A class.
    type Class: Clone + Eq + Hash + Debug;
    /// The class of a representative.
    fn class(&self, point: &Self::Point) -> Self::Class;
    /// All clocks 0.
    fn origin(&self) -> Self::Point;
    /// Whether `left - right ~ bound` (or `left ~ bound`).
    fn holds(&self, point: &Self::Point, left: usize, right: Option<usize>, cmp: Cmp, bound: i64) -> bool;
    /// After `clock := value`.
    fn reset(&self, point: &Self::Point, clock: usize, value: i64) -> Self::Point;
    /// The class that time enters next; the same one if it never leaves it.
    fn later(&self, point: &Self::Point) -> Self::Point;
    /// Whether some positive delay stays in the class, from each of its valuations.
    fn lasts(&self, point: &Self::Point) -> bool;
    /// The class of the clocks in `range`, in `own`, the space of these clocks alone.
    fn project(&self, point: &Self::Point, range: Range<usize>, own: &Self) -> Self::Point;
    /// The space of the clocks of some games side by side; all spaces of one decision are made from the same games' limits.
    fn of(games: &[&Automaton], limits: Limits) -> Self;
}

/// The constants that `Spread` must tell apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Largest absolute value of a bound.
    pub bound: i64,
    /// Largest value of a reset.
    pub reset: i64,
}

impl Limits {
    /// The limits of all `games` together.
    pub fn of(games: &[&Automaton]) -> Self {
        let mut limits = Self::default();
        for game in games {
            for (atom, selects) in atoms(game) {
                for value in values(game, &atom.bound, selects) {
                    limits.bound = limits.bound.max(value.abs());
                }
            }
            for edge in game.edges() {
                for update in &edge.updates {
                    if let Update::Reset(_, value) = update {
                        let most = values(game, value, &edge.selects).into_iter().max();
                        limits.reset = limits.reset.max(most.unwrap_or(0));
                    }
                }
            }
        }
        limits
    }
}

/// Whether a diagonal atom occurs.
pub fn has_diagonals(game: &Automaton) -> bool {
    atoms(game).iter().any(|(atom, _)| atom.right.is_some())
}

fn atoms(game: &Automaton) -> Vec<(&tamper_timed::model::ClockConstraint, &[Select])> {
    fn of<'a>(
        guard: &'a Guard,
        selects: &'a [Select],
    ) -> impl Iterator<Item = (&'a tamper_timed::model::ClockConstraint, &'a [Select])> {
        guard.clocks.iter().map(move |atom| (atom, selects))
    }
    let invariants = game
        .locations()
        .iter()
        .flat_map(|location| of(&location.invariant, &[]));
    let guards = game.edges().iter().flat_map(|edge| of(&edge.guard, &edge.selects));
    invariants.chain(guards).collect()
}

/// All values `expr` has over all integer valuations (within ranges) and selects.
fn values(game: &Automaton, expr: &Expr, selects: &[Select]) -> Vec<i64> {
    if let Some(value) = expr.as_const() {
        return vec![value];
    }
    let int_ranges: Vec<_> = game.ints().iter().map(|var| (var.low, var.high)).collect();
    let select_ranges: Vec<_> = selects.iter().map(|select| (select.low, select.high)).collect();
    let mut found = Vec::new();
    for ints in combinations(&int_ranges) {
        for selects in combinations(&select_ranges) {
            found.extend(expr.eval(Valuation {
                ints: &ints,
                selects: &selects,
            }));
        }
    }
    found
}

/// Every choice of one value per range.
pub fn combinations(ranges: &[(i32, i32)]) -> Vec<Vec<i32>> {
    let mut all = vec![Vec::new()];
    for &(low, high) in ranges {
        let longer = |prefix: &Vec<i32>, value| prefix.iter().copied().chain([value]).collect::<Vec<_>>();
        all = all
            .iter()
            .flat_map(|prefix| (low..=high).map(move |value| longer(prefix, value)))
            .collect();
        assert!(all.len() <= 100_000, "the oracle is for small integer ranges");
    }
    all
}

fn compare<T: Ord>(cmp: Cmp, left: &T, right: &T) -> bool {
    match cmp {
        Cmp::Lt => left < right,
        Cmp::Le => left <= right,
        Cmp::Eq => left == right,
        Cmp::Ge => left >= right,
        Cmp::Gt => left > right,
    }
}

/// Alur and Dill's regions; no diagonals.
pub struct Regions {
    /// Per clock, the largest constant it is compared with.
    caps: Vec<i64>,
}

/// A clock of a region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClockRegion {
    /// Integer part, and the rank of the fractional part (0: the value is the integer).
    Known(i64, u8),
    /// More than the cap.
    Above,
}

use ClockRegion::{Above, Known};

/// Makes the ranks in use 1, 2, 3, … (0 stays).
fn close_ranks(region: &mut [ClockRegion]) {
    let mut ranks: Vec<u8> = region
        .iter()
        .filter_map(|clock| if let Known(_, rank) = clock { Some(*rank) } else { None })
        .collect();
    ranks.push(0);
    ranks.sort_unstable();
    ranks.dedup();
    for clock in region {
        if let Known(_, rank) = clock {
            *rank = u8::try_from(ranks.iter().position(|known| known == rank).unwrap()).unwrap();
        }
    }
}

impl ClockSpace for Regions {
    type Point = Vec<ClockRegion>;
    type Class = Vec<ClockRegion>;

    fn class(&self, point: &Self::Point) -> Self::Class {
        point.clone()
    }

    fn of(games: &[&Automaton], _: Limits) -> Self {
        let mut caps = Vec::new();
        for game in games {
            let mut own = vec![0; game.clocks().len()];
            for (atom, selects) in atoms(game) {
                assert!(atom.right.is_none(), "regions know no diagonals");
                let most = values(game, &atom.bound, selects).into_iter().max().unwrap_or(0);
                let cap = &mut own[atom.left.index()];
                *cap = most.max(*cap);
            }
            caps.extend(own);
        }
        Self { caps }
    }

    fn origin(&self) -> Self::Point {
        vec![Known(0, 0); self.caps.len()]
    }

    fn holds(&self, point: &Self::Point, left: usize, right: Option<usize>, cmp: Cmp, bound: i64) -> bool {
        assert!(right.is_none() && bound <= self.caps[left]);
        match point[left] {
            Above => matches!(cmp, Cmp::Ge | Cmp::Gt),
            Known(whole, rank) => compare(cmp, &(whole, u8::from(rank > 0)), &(bound, 0)),
        }
    }

    fn reset(&self, point: &Self::Point, clock: usize, value: i64) -> Self::Point {
        let mut next = point.clone();
        next[clock] = if value > self.caps[clock] {
            Above
        } else {
            Known(value, 0)
        };
        close_ranks(&mut next);
        next
    }

    fn later(&self, point: &Self::Point) -> Self::Point {
        let mut next = point.clone();
        let top = next
            .iter()
            .map(|clock| if let Known(_, rank) = clock { *rank } else { 0 })
            .max()
            .unwrap_or(0);
        let leaving_integers = !self.lasts(point);
        for (clock, cap) in next.iter_mut().zip(&self.caps) {
            *clock = match *clock {
                Known(whole, 0) if whole == *cap => Above,
                Known(whole, rank) if leaving_integers => Known(whole, rank + 1),
                Known(whole, rank) if rank == top => Known(whole + 1, 0),
                same => same,
            };
        }
        close_ranks(&mut next);
        next
    }

    fn lasts(&self, point: &Self::Point) -> bool {
        !point.iter().any(|clock| matches!(clock, Known(_, 0)))
    }

    fn project(&self, point: &Self::Point, range: Range<usize>, own: &Self) -> Self::Point {
        assert_eq!(self.caps[range.clone()], own.caps);
        let mut part = point[range].to_vec();
        close_ranks(&mut part);
        part
    }
}

/// Spread representatives on a grid; diagonals allowed.
pub struct Spread {
    /// Per clock, the position of its game.
    owners: Vec<usize>,
    limits: Limits,
}

impl Spread {
    /// Ticks per time unit.
    fn unit(&self) -> i64 {
        2 * (self.owners.len() as i64 + 1)
    }

    /// The representative of the valuation whose values are `ticks` of `1 / unit` each.
    fn normal(&self, ticks: &[i64], unit: i64) -> Vec<i64> {
        let mut fractions: Vec<i64> = ticks.iter().map(|tick| tick % unit).chain([0]).collect();
        fractions.sort_unstable();
        fractions.dedup();
        let rank = |tick: i64| 2 * fractions.iter().position(|known| *known == tick % unit).unwrap() as i64;
        ticks
            .iter()
            .map(|tick| tick / unit * self.unit() + rank(*tick))
            .collect()
    }
}

impl ClockSpace for Spread {
    type Point = Vec<i64>;
    type Class = Vec<i64>;

    fn class(&self, point: &Self::Point) -> Self::Class {
        let Limits { bound, reset } = self.limits;
        let region = |ticks: i64| 2 * ticks.div_euclid(self.unit()) + i64::from(ticks % self.unit() != 0);
        let mut class: Vec<_> = point.iter().map(|tick| tick % self.unit()).collect();
        for (index, tick) in point.iter().enumerate() {
            class.push(region(*tick).min(2 * (bound + reset) + 1));
            let same_game = (0..index).filter(|other| self.owners[*other] == self.owners[index]);
            class.extend(same_game.map(|other| region(tick - point[other]).clamp(-2 * bound - 1, 2 * bound + 1)));
        }
        class
    }

    fn of(games: &[&Automaton], limits: Limits) -> Self {
        Self {
            owners: (0..)
                .zip(games)
                .flat_map(|(index, game)| vec![index; game.clocks().len()])
                .collect(),
            limits,
        }
    }

    fn origin(&self) -> Self::Point {
        vec![0; self.owners.len()]
    }

    fn holds(&self, point: &Self::Point, left: usize, right: Option<usize>, cmp: Cmp, bound: i64) -> bool {
        assert!(bound.abs() <= self.limits.bound);
        compare(
            cmp,
            &(point[left] - right.map_or(0, |right| point[right])),
            &(bound * self.unit()),
        )
    }

    fn reset(&self, point: &Self::Point, clock: usize, value: i64) -> Self::Point {
        assert!(value <= self.limits.reset);
        let mut next = point.clone();
        next[clock] = value * self.unit();
        self.normal(&next, self.unit())
    }

    fn later(&self, point: &Self::Point) -> Self::Point {
        let delay = if self.lasts(point) {
            let missing = point.iter().map(|tick| self.unit() - tick % self.unit()).min();
            missing.unwrap_or(0)
        } else {
            1
        };
        let later: Vec<_> = point.iter().map(|tick| tick + delay).collect();
        self.normal(&later, self.unit())
    }

    fn lasts(&self, point: &Self::Point) -> bool {
        !point.iter().any(|tick| tick % self.unit() == 0)
    }

    fn project(&self, point: &Self::Point, range: Range<usize>, own: &Self) -> Self::Point {
        own.normal(&point[range], self.unit())
    }
}
