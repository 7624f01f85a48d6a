//! The largest constants that a clock may still be compared with, per discrete state, by lower and by upper bounds (static
//! guard analysis of Behrmann, Bouyer, Fleury, Larsen, "Static guard analysis in timed automata verification", TACAS 2003).
//! A clock without any constant is inactive: nothing reads it before it is set again (Daws and Yovine 1996).
//!
//! The analysis covers only clocks that a single process compares: assignments by other processes do not matter then,
//! because the process sets the clock before it reads it. For all other clocks the bounds are the bounds of all steps that
//! were explored. `docs/notes/0019-zones-up-to-simulation.md` has the proof.

use super::moves::State;
use super::{Clock, Condition, Edge, Expr, Network, Sync};
use crate::model::Cmp;
use tamper_zones::{Dbm, Variable};

/// The largest constants of lower and of upper bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LowerUpper {
    pub lower: i64,
    pub upper: i64,
}

impl LowerUpper {
    /// No comparison at all.
    pub const NONE: Self = Self {
        lower: Dbm::NEVER_COMPARED,
        upper: Dbm::NEVER_COMPARED,
    };

    /// Comparisons with this constant by both kinds of bounds.
    pub fn of(constant: i64) -> Self {
        Self {
            lower: constant,
            upper: constant,
        }
    }

    /// Per clock of `network`, the constants that its conditions name as numbers, and whether clocks are compared with each other.
    pub fn everywhere(network: &Network) -> (Vec<Self>, bool) {
        let mut bounds = vec![Self::NONE; network.clocks.len()];
        let mut has_differences = false;
        network.conditions(&mut |condition| {
            condition.atoms(&mut |left, right, bound| {
                has_differences |= right.is_some();
                if let Some(bound) = bound.as_const() {
                    let clocks = bounds[left.range()].iter_mut();
                    clocks.for_each(|known| *known = known.max(Self::of(bound)));
                }
            });
        });
        (bounds, has_differences)
    }

    /// The larger constants of both.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            lower: self.lower.max(other.lower),
            upper: self.upper.max(other.upper),
        }
    }
}

/// Per location of a process, the constants that each clock may be compared with before it is set.
#[derive(Debug)]
pub(super) struct ClockBounds {
    /// By process, location and clock.
    local: Vec<Vec<Vec<LowerUpper>>>,
    /// Per clock, the process that alone compares it; `None` if several do.
    owners: Vec<Option<usize>>,
    /// Per clock, whether some process compares it with an expression that is not a literal number.
    unknown: Vec<bool>,
}

/// The comparisons of clocks in the conditions of a process.
struct ComparedClocks {
    /// Per clock, whether the process compares it.
    compared: Vec<bool>,
    /// Per clock, whether it does so with an expression that is not a literal number.
    unknown: Vec<bool>,
}

impl ClockBounds {
    /// Of the clocks of `network`.
    pub fn of(network: &Network) -> Self {
        let n_clocks = network.clocks.len();
        // With priorities, the condition of a step that blocks others is also evaluated negated.
        let negated = network.has_priorities();
        let (mut local, mut readers) = (Vec::new(), Vec::new());
        for process in &network.processes {
            let mut reader = ComparedClocks {
                compared: vec![false; n_clocks],
                unknown: vec![false; n_clocks],
            };
            let mut own = vec![vec![LowerUpper::NONE; n_clocks]; process.locations.len()];
            for (location, own) in process.locations.iter().zip(&mut own) {
                reader.read(&location.invariant, negated, own);
            }
            // A process stays out of a broadcast under the negated condition of its receiving edge, and time passes under that
            // of an urgent edge. An edge that is never possible adds nothing else.
            let negates = |sync: &Sync| {
                let channels = &network.channels[sync.channel.range()];
                channels.iter().any(|one| one.urgent || one.broadcast && !sync.sends)
            };
            let is_negated = |edge: &Edge| negated || edge.sync.as_ref().is_some_and(negates);
            let edges = process.edges.iter().map(|edge| (edge, is_negated(edge)));
            let edges: Vec<_> = edges.filter(|(edge, both)| *both || !edge.guard.is_never()).collect();
            for (edge, both) in &edges {
                reader.read(&edge.guard, *both, &mut own[edge.source]);
            }
            // The invariant of a target is evaluated on entering it.
            let steps: Vec<(usize, usize, Vec<bool>)> = edges
                .into_iter()
                .map(|(edge, _)| (edge.source, edge.target, set(&edge.updates, n_clocks)))
                .collect();
            while steps.iter().fold(false, |changed, (source, target, set)| {
                let after = own[*target].clone();
                join(&mut own[*source], &after, set) || changed
            }) {}
            local.push(own);
            readers.push(reader);
        }
        let owner = |clock: usize| {
            let users: Vec<usize> = (0..readers.len()).filter(|at| readers[*at].compared[clock]).collect();
            match users.as_slice() {
                [only] => Some(*only),
                _ => None,
            }
        };
        let unknown = |clock: usize| readers.iter().any(|reader| reader.unknown[clock]);
        Self {
            owners: (0..n_clocks).map(owner).collect(),
            unknown: (0..n_clocks).map(unknown).collect(),
            local,
        }
    }

    /// The constants that each clock with an owner may be compared with in `state`.
    fn owned<'s>(&'s self, state: &'s State) -> impl Iterator<Item = (usize, LowerUpper)> + 's {
        self.owners.iter().enumerate().filter_map(|(clock, owner)| {
            let process = (*owner)?;
            Some((clock, self.local[process][state.locations[process] as usize][clock]))
        })
    }

    /// The clocks that do not matter in `state`.
    pub fn inactive<'s>(&'s self, state: &'s State) -> impl Iterator<Item = Variable> + 's {
        let idle = self.owned(state).filter(|(_, bounds)| *bounds == LowerUpper::NONE);
        idle.map(|(clock, _)| Variable::new(clock))
    }

    /// Replaces the `bounds` of clocks for which tighter bounds are known in `state`.
    pub fn sharpen(&self, state: &State, bounds: &mut [LowerUpper]) {
        for (clock, known) in self.owned(state).filter(|(clock, _)| !self.unknown[*clock]) {
            bounds[clock] = known;
        }
    }
}

impl ComparedClocks {
    /// Adds the constants of `condition` to `bounds`; with `both`, the constants of its negation as well.
    fn read(&mut self, condition: &Condition, both: bool, bounds: &mut [LowerUpper]) {
        match condition {
            Condition::Data(_) | Condition::Rate(..) => {}
            Condition::Atom(left, None, cmp, bound) => {
                let (is_lower, is_upper) = match cmp {
                    Cmp::Lt | Cmp::Le => (both, true),
                    Cmp::Ge | Cmp::Gt => (true, both),
                    Cmp::Eq => (true, true),
                };
                self.atom(left, bound, is_lower, is_upper, bounds);
            }
            // With clock differences zones prune nothing.
            Condition::Atom(left, Some(right), ..) => {
                for clock in [left, right] {
                    self.asks(clock, None, LowerUpper::of(0), bounds);
                }
            }
            Condition::And(parts) => parts.iter().for_each(|part| self.read(part, both, bounds)),
            Condition::Or(parts) => parts.iter().for_each(|part| self.read(part, true, bounds)),
            Condition::Not(part) | Condition::Quantified(_, _, _, part) => self.read(part, true, bounds),
            Condition::Cond(_, then, other) => {
                self.read(then, true, bounds);
                self.read(other, true, bounds);
            }
        }
    }

    fn atom(&mut self, clock: &Clock, bound: &Expr, is_lower: bool, is_upper: bool, bounds: &mut [LowerUpper]) {
        let known = bound.as_const();
        let LowerUpper { lower, upper } = LowerUpper::of(known.unwrap_or_default().max(0));
        let more = LowerUpper {
            lower: if is_lower { lower } else { Dbm::NEVER_COMPARED },
            upper: if is_upper { upper } else { Dbm::NEVER_COMPARED },
        };
        self.asks(clock, known, more, bounds);
    }

    /// Records that a clock is compared, and whether with a `known` number.
    fn asks(&mut self, clock: &Clock, known: Option<i64>, more: LowerUpper, bounds: &mut [LowerUpper]) {
        let range = clock.range();
        self.compared[range.clone()].fill(true);
        if known.is_none() {
            self.unknown[range.clone()].fill(true);
        }
        for bounds in &mut bounds[range] {
            *bounds = bounds.max(more);
        }
    }
}

/// The clocks that `updates` set in any case.
fn set(updates: &[Expr], n_clocks: usize) -> Vec<bool> {
    let mut set = vec![false; n_clocks];
    for update in updates {
        if let Expr::Reset(clock, _) = update
            && clock.range().len() == 1
        {
            set[clock.range()].fill(true);
        }
    }
    set
}

/// Adds the bounds that hold after a step that sets these clocks; returns whether that changed anything.
fn join(before: &mut [LowerUpper], after: &[LowerUpper], set: &[bool]) -> bool {
    let mut changed = false;
    for ((before, after), set) in before.iter_mut().zip(after).zip(set) {
        let more = before.max(*after);
        if !set && more != *before {
            *before = more;
            changed = true;
        }
    }
    changed
}
