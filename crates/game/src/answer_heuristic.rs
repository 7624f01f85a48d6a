//! The answer that is most like a challenge: a guess at the responder's best move, never part of an argument.

use super::product::{ArenaProduct, Challenge, ChallengeAnswer};
use crate::symbolic::{Arena, Atom, Move};
use tamper_text::Id as _;
use tamper_timed::model::{Automaton, LocId};
use tamper_zones::Clock;

/// The correspondence between the locations of the two games.
#[derive(Clone, Copy)]
pub(super) enum LocationCorrespondence<'a> {
    /// Locations with the same number correspond.
    Numbers,
    /// Locations with the same name correspond.
    Names(&'a Automaton, &'a Automaton),
    /// Per location of the specification, the corresponding location of the mutant.
    Known(&'a [Option<LocId>]),
}

impl LocationCorrespondence<'_> {
    fn is_same(self, left: LocId, right: LocId) -> bool {
        match self {
            Self::Numbers => left == right,
            Self::Known(same) => same[right.index()] == Some(left),
            Self::Names(mutant, spec) => mutant.locations()[left].name == spec.locations()[right].name,
        }
    }

    /// Distance of the answer from the challenge; 0 if both may be the same edge.
    pub fn difference(self, product: &ArenaProduct<'_>, challenge: Challenge<'_>, answer: ChallengeAnswer<'_>) -> u8 {
        let (Some(left), Some(right)) = product.sides(challenge, answer) else {
            return u8::MAX;
        };
        let places = (product.left.node(left.target), product.right.node(right.target));
        let is_same_place = self.is_same(places.0.location, places.1.location)
            && product.left.values_of(left.target) == product.right.values_of(right.target);
        let offset = product.left.n_clocks;
        let has_same_resets = resets(product.left, left, 0).eq(resets(product.right, right, offset));
        let has_same_guard = guard(product.left, left, 0).eq(guard(product.right, right, offset));
        4 * u8::from(!is_same_place) + 2 * u8::from(!has_same_resets) + u8::from(!has_same_guard)
    }
}

/// The resets of a move, its clocks numbered from `offset` on.
fn resets<'a>(arena: &'a Arena, step: &Move, offset: usize) -> impl Iterator<Item = (usize, i64)> + use<'a> {
    let resets = arena.resets_of(step).iter();
    resets.map(move |(clock, value)| (clock.index() - offset, *value))
}

/// The guard of a move, its clocks numbered from `offset` on.
fn guard<'a>(arena: &'a Arena, step: &Move, offset: usize) -> impl Iterator<Item = Atom> + use<'a> {
    let lowered = move |clock: Clock| match clock {
        Clock::ZERO => clock,
        _ => Clock::from_index(clock.index() - offset),
    };
    arena.atoms_of(step.guard).iter().map(move |atom| Atom {
        left: lowered(atom.left),
        right: lowered(atom.right),
        bound: atom.bound,
    })
}
