//! A game followed state by state, with whole numbers as the values of clocks.

use std::collections::BTreeSet;

use num_rational::BigRational;

use num_integer::Integer;

use crate::symbolic::{Arena, Atom, INITIAL, Move, NodeId, timing};
use tamper_timed::model::{ActionId, Role};
use tamper_zones::{Clock, Dbm};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Spot {
    pub node: NodeId,
    pub clocks: Vec<i64>,
}

/// Follows the game of an arena.
pub(super) struct Walker<'a> {
    pub arena: &'a Arena,
}

impl<'a> Walker<'a> {
    pub fn start(&self) -> Spot {
        Spot {
            node: INITIAL,
            clocks: vec![0; self.arena.n_clocks],
        }
    }

    /// The possible moves, each with its target.
    pub fn moves(&self, spot: &Spot) -> Vec<(&'a Move, Spot)> {
        let possible = |step: &&Move| {
            let mut cases = self.arena.cases(step.enabled);
            cases.any(|atoms| atoms.iter().all(|atom| holds(atom, &spot.clocks)))
        };
        let moves = self.arena.moves_of(spot.node).iter().filter(possible);
        let to = |step: &'a Move| {
            let mut clocks = spot.clocks.clone();
            for (clock, value) in self.arena.resets_of(step) {
                clocks[clock.index() - 1] = *value;
            }
            let target = Spot {
                node: step.target,
                clocks,
            };
            (step, self.bounded(target))
        };
        moves.map(to).collect()
    }

    /// The state `span` later, if the game can wait that long.
    pub fn later(&self, spot: &Spot, span: i64) -> Option<Spot> {
        if self.arena.node(spot.node).urgent {
            return None;
        }
        let point: Vec<BigRational> = spot
            .clocks
            .iter()
            .map(|value| BigRational::from_integer((*value).into()))
            .collect();
        let stays = timing::stays(&point, self.arena.alive(spot.node))?;
        let span_too = BigRational::from_integer(span.into());
        let fits = stays
            .high
            .is_none_or(|high| span_too < high || (span_too == high && stays.high_in));
        let later = Spot {
            node: spot.node,
            clocks: spot.clocks.iter().map(|value| value + span).collect(),
        };
        fits.then(|| self.bounded(later))
    }

    /// The least time after which a comparison of a clock with a constant may change, as far as the constraints of the node
    /// show.
    pub fn next_event(&self, spot: &Spot) -> Option<i64> {
        let arena = self.arena;
        let moves = arena
            .moves_of(spot.node)
            .iter()
            .flat_map(|step| arena.cases(step.enabled));
        let atoms = moves.chain(arena.alive(spot.node)).flatten();
        let times = atoms.filter_map(|atom| {
            let (clock, constant) = compared(atom)?;
            Some(constant - spot.clocks[clock.index() - 1])
        });
        times.filter(|time| *time > 0).min()
    }

    /// Whether no hidden steps without delay lead from here to a state that accepts `input` or is inside an atomic step.
    pub fn refuses(&self, spot: &Spot, input: Option<ActionId>) -> bool {
        let mut known = BTreeSet::from([spot.clone()]);
        let mut waiting = vec![spot.clone()];
        while let Some(spot) = waiting.pop() {
            if self.arena.node(spot.node).atomic {
                return false;
            }
            for (step, target) in self.moves(&spot) {
                if step.role == Role::Internal {
                    if known.insert(target.clone()) {
                        waiting.push(target);
                    }
                } else if Some(step.action) == input {
                    return false;
                }
            }
        }
        true
    }

    /// The same state, with clocks above all constants that they are compared with set back to one value, which makes no
    /// difference.
    fn bounded(&self, mut spot: Spot) -> Spot {
        if self.arena.diagonals.is_empty() {
            for (value, max) in spot.clocks.iter_mut().zip(self.arena.max_bounds_of(spot.node)) {
                *value = match *max {
                    Dbm::NEVER_COMPARED => 0,
                    max => (*value).min(max + 1),
                };
            }
        }
        spot
    }
}

/// The clock and the constant that it is compared with.
pub(super) fn compared(atom: &Atom) -> Option<(Clock, i64)> {
    let constant = (!atom.bound.is_infinite()).then(|| atom.bound.constant())?;
    match (atom.left == Clock::ZERO, atom.right == Clock::ZERO) {
        (false, true) => Some((atom.left, constant)),
        (true, false) => Some((atom.right, -constant)),
        _ => None,
    }
}

fn holds(atom: &Atom, clocks: &[i64]) -> bool {
    let value = |clock: Clock| match clock == Clock::ZERO {
        true => 0,
        false => clocks[clock.index() - 1],
    };
    let difference = value(atom.left) - value(atom.right);
    atom.bound.is_infinite()
        || difference < atom.bound.constant()
        || (difference == atom.bound.constant() && !atom.bound.is_strict())
}

/// The greatest common divisor of all constants that clocks are compared with or set to; 1 if there are no constants.
pub(super) fn common_unit(arenas: &[&Arena]) -> i64 {
    let atoms = arenas.iter().flat_map(|arena| &arena.atoms);
    let constants = atoms
        .filter(|atom| !atom.bound.is_infinite())
        .map(|atom| atom.bound.constant());
    let resets = arenas.iter().flat_map(|arena| &arena.resets).map(|(_, value)| *value);
    constants
        .chain(resets)
        .fold(0, |unit: i64, constant| unit.gcd(&constant))
        .max(1)
}
