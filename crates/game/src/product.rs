//! A mutant (left) and a specification (right) side by side: the moves that must be answered, their answers, and the
//! passing of time in both.
//!
//! Clocks of the left game come first in every zone, clocks of the right game after them. \[003\] Definition 7 gives each
//! move a mover and a responder: the specification moves inputs, the mutant moves outputs, internal steps and delays.

use super::semantics::Unmatched;
use crate::symbolic::{Arena, Atom, Move, Pair, PairProduct, consistency, zone_ops};
use tamper_text::{Id as _, IndexVec};
use tamper_timed::model::{Action, ActionId, Automaton, Role};
use tamper_zones::{Dbm, Federation, future_within};

tamper_text::define_ids! {
    /// A symbolic state of a product, a zone of a pair, by the order in which an exploration met it.
    StateId,
}

pub(super) struct ArenaProduct<'a> {
    pub left: &'a Arena,
    /// The right game, its clocks shifted behind the left game's.
    pub right: &'a Arena,
    pub actions: ActionMap,
    pub unmatched: Unmatched,
}

/// The correspondence between the actions of two games, by name and role.
#[derive(Clone)]
pub(super) struct ActionMap {
    to_right: IndexVec<ActionId, Option<ActionId>>,
    to_left: IndexVec<ActionId, Option<ActionId>>,
    /// Actions of the left game, and of the right game, that the other game has only in the other direction.
    clashes: [Vec<ActionId>; 2],
}

/// Whether `actions` has an action of that name in either direction: an action that the other game has in the other
/// direction is not ignored, but cannot be matched.
pub(super) fn has_name<'a>(actions: impl IntoIterator<Item = &'a Action>, action: &Action) -> bool {
    let is_same = |known: &Action| known.role != Role::Internal && known.name == action.name;
    actions.into_iter().any(is_same)
}

/// Whether one of the actions of `mutant` beyond the first `n_known` is one of these in the other direction.
pub(super) fn turns_known(mutant: &Automaton, n_known: usize) -> bool {
    let (known, new) = mutant.actions().as_slice().split_at(n_known);
    new.iter()
        .any(|action| action.role != Role::Internal && has_name(known, action))
}

impl ActionMap {
    pub fn new(left: &Automaton, right: &Automaton) -> Self {
        let map = |from: &Automaton, to: &Automaton| {
            let find = |(id, action): (_, &Action)| {
                let same = |other: &Action| other.name == action.name && other.role == action.role;
                if to.actions().get(id).is_some_and(same) {
                    return Some(id);
                }
                to.actions().iter().position(same).map(ActionId::from_index)
            };
            from.actions().iter_enumerated().map(find).collect()
        };
        let (to_right, to_left) = (map(left, right), map(right, left));
        let clashes = |from: &Automaton, to: &Automaton, map: &IndexVec<ActionId, Option<ActionId>>| {
            let clash = |id: &ActionId| map[*id].is_none() && has_name(to.actions().iter(), &from.actions()[*id]);
            from.actions().ids().filter(clash).collect()
        };
        Self {
            clashes: [clashes(left, right, &to_right), clashes(right, left, &to_left)],
            to_right,
            to_left,
        }
    }
}

impl ActionMap {
    /// Per action of the left game, the corresponding action of the right game.
    pub fn to_right(&self) -> &IndexVec<ActionId, Option<ActionId>> {
        &self.to_right
    }
    /// Per action of the right game, the corresponding action of the left game.
    pub fn to_left(&self) -> &IndexVec<ActionId, Option<ActionId>> {
        &self.to_left
    }
    /// Renumbers the actions of `arena`, the lowered left game, like the right game's actions; actions that the right game
    /// lacks come behind them. Returns the correspondence after that.
    pub fn renumbering(arena: &mut Arena, left: &Automaton, right: &Automaton) -> Self {
        let map = Self::new(left, right);
        let n_known = right.actions().len();
        let mut n_new = 0;
        let numbers = map.to_right.iter().map(|known| {
            known.unwrap_or_else(|| {
                n_new += 1;
                ActionId::from_index(n_known + n_new - 1)
            })
        });
        let numbers: IndexVec<ActionId, ActionId> = numbers.collect();
        for step in &mut arena.moves {
            step.action = numbers[step.action];
        }
        let to_left = map.to_left.iter_enumerated().map(|(own, known)| known.map(|_| own));
        let [left_clashes, right_clashes] = map.clashes;
        Self {
            to_left: to_left.collect(),
            clashes: [
                left_clashes.into_iter().map(|own| numbers[own]).collect(),
                right_clashes,
            ],
            ..Self::extending(n_known, n_new)
        }
    }
    /// For a left game that has the right game's `n_known` actions under the same numbers, and `n_new` further actions,
    /// whose names the right game lacks.
    pub fn extending(n_known: usize, n_new: usize) -> Self {
        let known = || (0..n_known).map(|action| Some(ActionId::from_index(action)));
        Self {
            to_right: known().chain(std::iter::repeat_n(None, n_new)).collect(),
            to_left: known().collect(),
            clashes: [Vec::new(), Vec::new()],
        }
    }
    /// Whether the other game has the action neither as an input nor as an output.
    pub fn is_unknown(&self, mover: Mover, action: ActionId) -> bool {
        let (map, clashes) = match mover {
            Mover::Left => (&self.to_right, &self.clashes[0]),
            Mover::Right => (&self.to_left, &self.clashes[1]),
        };
        map[action].is_none() && !clashes.contains(&action)
    }
}

/// The side that makes a discrete move first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Mover {
    /// The mutant makes an output or an internal step.
    Left,
    /// The specification accepts an input.
    Right,
}

/// An answer of the other side to a move.
#[derive(Clone, Copy, Debug)]
pub(super) enum ChallengeAnswer<'a> {
    /// A move of the same action.
    Move(&'a Move),
    /// It does not know the action and stays where it is (`Unmatched::Ignore`).
    Stay,
}

/// A move that must be answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Challenge<'a> {
    pub mover: Mover,
    pub step: &'a Move,
}

impl<'a> ArenaProduct<'a> {
    /// The discrete moves that must be answered in `pair`: inputs of the right game, unless one of the games is inside an
    /// atomic step, and outputs and internal steps of the left game.
    pub fn challenges(&self, pair: Pair) -> impl Iterator<Item = Challenge<'a>> + use<'a> {
        let compares_inputs = !self.left.node(pair.0).atomic && !self.right.node(pair.1).atomic;
        let inputs = self
            .right
            .moves_of(pair.1)
            .iter()
            .filter(move |step| compares_inputs && step.role == Role::Input);
        let outputs = self
            .left
            .moves_of(pair.0)
            .iter()
            .filter(|step| step.role != Role::Input);
        let by = |mover| move |step| Challenge { mover, step };
        inputs.map(by(Mover::Right)).chain(outputs.map(by(Mover::Left)))
    }

    /// The answers of the other side in `pair`, regardless of clocks.
    pub fn answers(&self, challenge: Challenge<'a>, pair: Pair) -> impl Iterator<Item = ChallengeAnswer<'a>> + use<'a> {
        let (map, moves) = match challenge.mover {
            Mover::Right => (&self.actions.to_left, self.left.moves_of(pair.0)),
            Mover::Left => (&self.actions.to_right, self.right.moves_of(pair.1)),
        };
        let action = map[challenge.step.action];
        let is_ignored = challenge.step.role != Role::Internal
            && self.unmatched == Unmatched::Ignore
            && self.actions.is_unknown(challenge.mover, challenge.step.action);
        let stay = is_ignored.then_some(ChallengeAnswer::Stay);
        let known = moves
            .iter()
            .filter(move |step| Some(step.action) == action)
            .map(ChallengeAnswer::Move);
        known.chain(stay)
    }

    /// The clock conditions under which the mover can make the move: a union of conjunctions.
    pub fn enabled(&self, challenge: Challenge<'a>) -> impl ExactSizeIterator<Item = &'a [Atom]> + Clone + use<'a> {
        match challenge.mover {
            Mover::Left => self.left.cases(challenge.step.enabled),
            Mover::Right => self.right.cases(challenge.step.enabled),
        }
    }

    /// The clock conditions under which the responder can give the answer: a union of conjunctions
    /// ([`ChallengeAnswer::Stay`]: always).
    pub fn answer_enabled(&self, challenge: Challenge<'a>, answer: ChallengeAnswer<'a>) -> Vec<&'a [Atom]> {
        match (answer, challenge.mover) {
            (ChallengeAnswer::Stay, _) => vec![&[]],
            (ChallengeAnswer::Move(step), Mover::Right) => self.left.cases(step.enabled).collect(),
            (ChallengeAnswer::Move(step), Mover::Left) => self.right.cases(step.enabled).collect(),
        }
    }

    /// The left and the right move of a challenge and its answer.
    pub fn sides(&self, challenge: Challenge<'a>, answer: ChallengeAnswer<'a>) -> (Option<&'a Move>, Option<&'a Move>) {
        let answer = match answer {
            ChallengeAnswer::Move(step) => Some(step),
            ChallengeAnswer::Stay => None,
        };
        match challenge.mover {
            Mover::Left => (Some(challenge.step), answer),
            Mover::Right => (answer, Some(challenge.step)),
        }
    }

    /// The pair that a challenge and its answer lead to.
    pub fn target(&self, pair: Pair, challenge: Challenge<'a>, answer: ChallengeAnswer<'a>) -> Pair {
        let (left, right) = self.sides(challenge, answer);
        (
            left.map_or(pair.0, |step| step.target),
            right.map_or(pair.1, |step| step.target),
        )
    }

    /// Applies the resets of both sides to `zone`.
    pub fn reset(&self, zone: &mut Dbm, challenge: Challenge<'a>, answer: ChallengeAnswer<'a>) {
        let (left, right) = self.sides(challenge, answer);
        if let Some(step) = left {
            zone_ops::reset_all(zone, self.left.resets_of(step));
        }
        if let Some(step) = right {
            zone_ops::reset_all(zone, self.right.resets_of(step));
        }
    }

    /// Replaces `zone` by the points from which the resets of both sides lead into it; `false` if there are none.
    #[must_use]
    pub fn before_resets(&self, zone: &mut Dbm, challenge: Challenge<'a>, answer: ChallengeAnswer<'a>) -> bool {
        let (left, right) = self.sides(challenge, answer);
        left.is_none_or(|step| consistency::before_resets(zone, self.left.resets_of(step)))
            && right.is_none_or(|step| consistency::before_resets(zone, self.right.resets_of(step)))
    }

    /// Whether two answers have the same effect, so that choosing between them makes no difference.
    pub fn same_effect(&self, mover: Mover, a: ChallengeAnswer<'a>, b: ChallengeAnswer<'a>) -> bool {
        let (ChallengeAnswer::Move(a), ChallengeAnswer::Move(b)) = (a, b) else {
            return false;
        };
        let arena = match mover {
            Mover::Left => self.right,
            Mover::Right => self.left,
        };
        a.target == b.target && arena.resets_of(a) == arena.resets_of(b)
    }

    /// The left game's existing states in a node, as a federation over both games' clocks.
    pub fn left_alive(&self, pair: Pair) -> Federation {
        zone_ops::federation(self.dim(), self.left.alive(pair.0))
    }

    /// The right game's existing states in a node, as a federation over both games' clocks.
    pub fn right_alive(&self, pair: Pair) -> Federation {
        zone_ops::federation(self.dim(), self.right.alive(pair.1))
    }
}

impl PairProduct for ArenaProduct<'_> {
    fn sides(&self) -> (&Arena, &Arena) {
        (self.left, self.right)
    }

    fn delayed(&self, pair: Pair, entry: Dbm) -> Federation {
        let start = Federation::from(entry);
        if self.may_delay(pair) != (true, true) {
            return start;
        }
        let mut alive = self.left_alive(pair);
        alive.intersect(&self.right_alive(pair));
        if let [zone] = alive.zones() {
            let mut later = start;
            later.up();
            later.intersect_dbm(zone);
            return later;
        }
        future_within(&start, &alive)
    }

    /// The successors by each challenge and each answer to it.
    fn successors(&self, pair: Pair, zone: &Dbm) -> Vec<(Pair, Dbm)> {
        let mut next = Vec::new();
        for challenge in self.challenges(pair) {
            for enabled in self.enabled(challenge) {
                let Some(part) = zone_ops::restricted(zone, enabled) else {
                    continue;
                };
                for answer in self.answers(challenge, pair) {
                    for atoms in self.answer_enabled(challenge, answer) {
                        if let Some(mut reached) = zone_ops::restricted(&part, atoms) {
                            self.reset(&mut reached, challenge, answer);
                            next.push((self.target(pair, challenge, answer), reached));
                        }
                    }
                }
            }
        }
        next
    }
}
