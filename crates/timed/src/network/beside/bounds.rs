//! The constants with which a mutant and its original compare clocks, per discrete state.

use super::super::atoms::Atoms;
use super::super::clock_bounds::{ClockBounds, LowerUpper};
use super::super::moves::State;
use super::super::{Condition, Network};
use tamper_zones::{Clock, Variable};

/// The largest constants of lower and of upper bounds, by matrix index.
#[derive(Clone, Debug)]
pub(super) struct Constants {
    pub lower: Vec<i64>,
    pub upper: Vec<i64>,
    /// The larger of both: values that are equal or above it agree in all runs from there.
    pub largest: Vec<i64>,
}

/// The bounds of the walk.
pub(super) struct WalkBounds {
    local: ClockBounds,
    /// Per clock, the constants of all conditions of both networks.
    everywhere: Vec<LowerUpper>,
    /// Per clock, the constants of conditions that the others did not foresee.
    more: Vec<LowerUpper>,
}

impl WalkBounds {
    /// The bounds of the conditions of both networks, those of the original where it differs both ways. `None` if clocks are
    /// compared with each other.
    pub fn of(mutant: &Network, original: &Network) -> Option<Self> {
        let both = joined(mutant, original);
        let (everywhere, has_differences) = LowerUpper::everywhere(&both);
        (!has_differences).then(|| Self {
            local: ClockBounds::of(&both),
            more: vec![LowerUpper::NONE; both.clocks.len()],
            everywhere,
        })
    }

    /// The constants that matter in `state`.
    pub fn at(&self, state: &State) -> Constants {
        let mut here = self.everywhere.clone();
        self.local.sharpen(state, &mut here);
        let here = here.iter().zip(&self.more).map(|(here, more)| here.max(*more));
        let (mut lower, mut upper) = (vec![0], vec![0]);
        for bounds in here {
            lower.push(bounds.lower);
            upper.push(bounds.upper);
        }
        let largest = lower
            .iter()
            .zip(&upper)
            .map(|(lower, upper)| *lower.max(upper))
            .collect();
        Constants { lower, upper, largest }
    }

    /// The clocks that nothing compares from `state` on before they are set.
    pub fn inactive<'s>(&'s self, state: &'s State) -> impl Iterator<Item = Variable> + 's {
        let known = |clock: &Variable| self.more[clock.index() - 1] == LowerUpper::NONE;
        self.local.inactive(state).filter(known)
    }

    /// Adds the constants of `atoms` that are beyond those `here`, for all states; returns whether there are any.
    pub fn learn(&mut self, here: &Constants, atoms: &Atoms) -> bool {
        let mut is_new = false;
        for atom in atoms.as_slice() {
            let constant = atom.bound.constant().abs();
            let (clock, known) = match (atom.left, atom.right) {
                (clock, Clock::ZERO) => (clock, here.upper[clock.index()]),
                (_, clock) => (clock, here.lower[clock.index()]),
            };
            if constant > known {
                let more = &mut self.more[clock.index() - 1];
                *more = more.max(LowerUpper::of(constant));
                is_new = true;
            }
        }
        is_new
    }
}

/// The mutant with the edges and invariants of the original that it lacks. What only the original has is asked for negated, too.
fn joined(mutant: &Network, original: &Network) -> Network {
    let negated = |condition: &Condition| Condition::Or(vec![condition.clone()]);
    let mut both = mutant.clone();
    for (own, process) in original.processes.iter().zip(&mut both.processes) {
        for (known, location) in own.locations.iter().zip(&mut process.locations) {
            if known.invariant != location.invariant {
                location.invariant = Condition::And(vec![location.invariant.clone(), negated(&known.invariant)]);
            }
        }
        for (at, known) in own.edges.iter().enumerate() {
            if process.edges[at] != *known {
                let mut lost = known.clone();
                lost.guard = negated(&known.guard);
                process.edges.push(lost);
            }
        }
    }
    both
}
