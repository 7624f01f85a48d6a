//! Refinement if the responder has choices, played only as far as the responder's strategy leads.
//!
//! The responder gives each challenge one answer: the counterpart of the challenge if there is one ([`super::answer_heuristic`]), as long
//! as that does not lead into points that are known to lose; only then are other answers tried. Zones are explored forwards along
//! these answers, breadth first; points that are found to lose are propagated at once to the answers that relied on them. The
//! game ends when the initial point loses, or when no state is left: then the points that are reached and not lost are a
//! refinement (`docs/notes/0011-choices.md`). Losing points are the pieces of [`super::fixpoint`], in the order in which they are
//! found, so that counterexamples are read off in the same way.

use std::collections::VecDeque;

use smallvec::SmallVec;

use super::answer_heuristic::LocationCorrespondence;
use super::fixpoint::{Points, Reason, Solution, challenge_at};
use super::forward::is_covered;
use super::product::{ArenaProduct, Challenge, ChallengeAnswer, StateId};
use crate::symbolic::{
    Arena, Atom, Halt, INITIAL, INITIAL_PAIR, Known as _, NodeId, Pair, PairId, PairProduct as _, Pairs, index,
    zone_ops,
};
use tamper_text::{Budget, IndexVec};
use tamper_zones::{Dbm, Federation, past_within};

pub(super) struct StrategyResult<'p> {
    /// The losing points that were found; the initial one is among them iff the specification is not refined.
    pub solution: Solution<'p>,
    /// Whether each challenge was answered by the answer that is most like it.
    pub is_alike: bool,
    /// Symbolic states that were explored.
    pub n_states: u64,
    states: IndexVec<StateId, PairState>,
}

/// Plays until the initial point loses or no state is left.
pub(super) fn answer<'p>(
    product: &'p ArenaProduct<'p>,
    heuristic: LocationCorrespondence<'p>,
    budget: &Budget,
) -> Result<StrategyResult<'p>, Halt> {
    let mut game = ResponderGame {
        product,
        heuristic,
        budget,
        diagonals: product.diagonals(),
        max: Vec::new(),
        pairs: Pairs::new(),
        known: IndexVec::new(),
        states: IndexVec::new(),
        waiting: VecDeque::new(),
        grown: VecDeque::new(),
        n_pieces: 0,
        is_alike: true,
    };
    let initial = game.meet((INITIAL, INITIAL));
    game.enter(initial, Dbm::zero(product.dim()))?;
    game.play()?;
    Ok(StrategyResult {
        solution: Solution {
            product,
            pairs: game.pairs,
        },
        is_alike: game.is_alike,
        n_states: game.states.len() as u64,
        states: game.states,
    })
}

impl StrategyResult<'_> {
    /// Whether the specification is refined.
    pub fn holds(&self) -> bool {
        self.solution.holds()
    }

    /// The pairs and zones that the strategy does not leave: the explored ones without the points that lose.
    pub fn states_left(&self) -> Vec<(Pair, Dbm)> {
        let pairs = &self.solution.pairs;
        let mut left = Vec::new();
        for state in self.states.iter().filter(|state| !state.is_covered) {
            let mut zones = Federation::from(state.zone.clone());
            for piece in &pairs[state.pair].losing {
                zones.subtract_dbm(&piece.zone);
            }
            left.extend(
                zones
                    .into_zones()
                    .into_iter()
                    .map(|zone| (pairs.pair(state.pair), zone)),
            );
        }
        left
    }

    /// The pairs and zones that the strategy does not leave, if none of their points lost.
    pub fn into_relation(self) -> Option<Vec<(Pair, Dbm)>> {
        let pairs = &self.solution.pairs;
        let nothing_lost = pairs.iter().all(|points| points.losing.is_empty());
        nothing_lost.then(|| {
            let of_pair = |state: PairState| (pairs.pair(state.pair), state.zone);
            self.states.into_iter().map(of_pair).collect()
        })
    }
}

/// A zone of a pair, closed under the delays that both games can make.
struct PairState {
    pair: PairId,
    zone: Dbm,
    /// Whether it was not examined yet.
    is_open: bool,
    /// Whether a larger zone replaced it before it was examined.
    is_covered: bool,
}

/// The facts about a pair, besides its losing pieces.
struct KnownPair {
    states: SmallVec<[StateId; 2]>,
    lost: Federation,
    /// The answers that rely on points of the pair, in order.
    askers: Vec<Dependent>,
    /// Whether pieces were found since `askers` were last informed.
    has_grown: bool,
}

/// A challenge that is posed in a state, by its position among those of the pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PosedChallenge {
    state: StateId,
    challenge: u32,
}

/// A challenge that the answer at `rank` answers, wherever it does not lead into the first `n_known` losing pieces.
#[derive(Clone, Copy)]
struct Dependent {
    task: PosedChallenge,
    rank: u32,
    n_known: u32,
}

/// A challenge and its answers, the best first.
struct Question<'p> {
    task: PosedChallenge,
    pair: Pair,
    challenge: Challenge<'p>,
    answers: SmallVec<[ChallengeAnswer<'p>; 4]>,
}

/// A union of zones.
type Zones = SmallVec<[Dbm; 4]>;

struct ResponderGame<'p, 'b> {
    product: &'p ArenaProduct<'p>,
    heuristic: LocationCorrespondence<'p>,
    budget: &'b Budget,
    diagonals: Vec<Atom>,
    max: Vec<i64>,
    pairs: Pairs<Points>,
    known: IndexVec<PairId, KnownPair>,
    states: IndexVec<StateId, PairState>,
    waiting: VecDeque<StateId>,
    /// Pairs with pieces of which their askers were not informed.
    grown: VecDeque<PairId>,
    n_pieces: u64,
    is_alike: bool,
}

impl<'p> ResponderGame<'p, '_> {
    fn play(&mut self) -> Result<(), Halt> {
        let zero = Dbm::zero(self.product.dim());
        loop {
            if let Some(id) = self.grown.pop_front() {
                self.tell(id)?;
            } else if let Some(state) = self.waiting.pop_front() {
                self.look_at(state)?;
            } else {
                return Ok(());
            }
            if self.known[INITIAL_PAIR]
                .lost
                .zones()
                .iter()
                .any(|zone| zone.includes(&zero))
            {
                return Ok(());
            }
        }
    }

    fn meet(&mut self, pair: Pair) -> PairId {
        let dim = self.product.dim();
        let id = self.pairs.meet(pair, || Points::unreached(dim));
        if id == self.known.next_id() {
            self.known.push(KnownPair {
                states: SmallVec::new(),
                lost: Federation::empty(dim),
                askers: Vec::new(),
                has_grown: false,
            });
        }
        id
    }

    fn count(&self) -> Result<(), Halt> {
        let n_zones = self.states.len() as u64 + self.n_pieces;
        match self
            .budget
            .exceeded(n_zones, n_zones * zone_ops::zone_bytes(self.product.dim()))
        {
            Some(reason) => Err(reason.into()),
            None => Ok(()),
        }
    }

    fn is_lost(&self, id: PairId, zone: &Dbm) -> bool {
        let lost = &self.known[id].lost;
        !lost.is_empty() && lost.includes_dbm(zone)
    }
}

impl<'p> ResponderGame<'p, '_> {
    /// Adds the states that `entry` reaches by delay.
    fn enter(&mut self, id: PairId, entry: Dbm) -> Result<(), Halt> {
        let product = self.product;
        let pair = self.pairs.pair(id);
        let mut parts = Vec::new();
        product.max_bounds(pair, &mut self.max);
        match (only(product.left, pair.0), only(product.right, pair.1)) {
            (Some(left), Some(right)) => {
                let mut zone = entry;
                if product.may_delay(pair) == (true, true) {
                    zone.up();
                    let exists = zone_ops::restrict(&mut zone, left) && zone_ops::restrict(&mut zone, right);
                    assert!(exists, "an entered state exists");
                }
                zone_ops::normalise(zone, &self.diagonals, &self.max, &mut parts);
            }
            _ => {
                for zone in product.delayed(pair, entry).into_zones() {
                    zone_ops::normalise(zone, &self.diagonals, &self.max, &mut parts);
                }
            }
        }
        for zone in parts {
            self.add_state(id, zone)?;
        }
        Ok(())
    }

    fn add_state(&mut self, id: PairId, zone: Dbm) -> Result<(), Halt> {
        let (known, states) = (&mut self.known[id].states, &mut self.states);
        if known.iter().any(|old| states[*old].zone.includes(&zone)) {
            return Ok(());
        }
        known.retain(|old| {
            let old = &mut states[*old];
            old.is_covered = old.is_open && zone.includes(&old.zone);
            !old.is_covered
        });
        let state = states.push(PairState {
            pair: id,
            zone,
            is_open: true,
            is_covered: false,
        });
        known.push(state);
        self.waiting.push_back(state);
        self.count()
    }

    fn look_at(&mut self, state: StateId) -> Result<(), Halt> {
        let looked_at = &mut self.states[state];
        looked_at.is_open = false;
        let (id, is_covered) = (looked_at.pair, looked_at.is_covered);
        if is_covered || self.is_lost(id, &self.states[state].zone) {
            return Ok(());
        }
        self.outwait(state)?;
        let pair = self.pairs.pair(id);
        for challenge in 0..index(self.product.challenges(pair).count()) {
            self.pose(PosedChallenge { state, challenge })?;
        }
        Ok(())
    }

    /// Answers a challenge wherever it is posed in the state.
    fn pose(&mut self, task: PosedChallenge) -> Result<(), Halt> {
        let question = self.question(task);
        for enabled in self.product.enabled(question.challenge) {
            if let Some(part) = zone_ops::restricted(&self.states[task.state].zone, enabled) {
                self.reply(&question, part)?;
            }
        }
        Ok(())
    }

    fn question(&self, task: PosedChallenge) -> Question<'p> {
        let pair = self.pairs.pair(self.states[task.state].pair);
        let challenge =
            challenge_at(self.product, pair, task.challenge).expect("a task is about a challenge of its pair");
        let mut answers: SmallVec<[ChallengeAnswer<'p>; 4]> = self.product.answers(challenge, pair).collect();
        if answers.len() > 1 {
            answers.sort_by_key(|answer| self.heuristic.difference(self.product, challenge, *answer));
        }
        Question {
            task,
            pair,
            challenge,
            answers,
        }
    }

    /// Answers the challenge posed at `part`; points without a good answer lose.
    fn reply(&mut self, question: &Question<'p>, part: Dbm) -> Result<(), Halt> {
        let id = self.states[question.task.state].pair;
        let lost = &self.known[id].lost;
        if lost.zones().iter().any(|lost| lost.includes(&part)) {
            return Ok(());
        }
        let mut rest = Federation::from(part);
        for zone in lost.zones() {
            rest.subtract_dbm(zone);
            self.count()?;
        }
        let mut open: Zones = rest.into_zones().into();
        for rank in 0..index(question.answers.len()) {
            if open.is_empty() {
                return Ok(());
            }
            self.is_alike &= rank == 0;
            open = self.give(question, rank, open)?;
        }
        for zone in open {
            self.lose(id, zone, Reason::Challenge(question.task.challenge))?;
        }
        Ok(())
    }

    /// Gives the answer wherever it is possible and not known to be bad; returns the points of `open` that are left.
    fn give(&mut self, question: &Question<'p>, rank: u32, open: Zones) -> Result<Zones, Halt> {
        let (product, challenge) = (self.product, question.challenge);
        let answer = question.answers[rank as usize];
        let target = product.target(question.pair, challenge, answer);
        let bad = self.bad(target, challenge, answer)?;
        let mut open = open;
        for atoms in product.answer_enabled(challenge, answer) {
            let mut rest = Zones::new();
            for zone in open {
                let Some(possible) = zone_ops::restricted(&zone, atoms) else {
                    rest.push(zone);
                    continue;
                };
                if !bad.is_empty() && bad.includes_dbm(&possible) {
                    rest.push(zone);
                    continue;
                }
                if !zone_ops::satisfies(&zone, atoms) {
                    let mut outside = Vec::new();
                    zone_ops::subtract(zone, atoms, &mut outside);
                    rest.extend(outside);
                }
                rest.extend(bad.zones().iter().filter_map(|bad| both(bad, &possible)));
                let mut next = possible;
                product.reset(&mut next, challenge, answer);
                let target = self.meet(target);
                self.rely(target, question.task, rank);
                self.enter(target, next)?;
            }
            open = rest;
        }
        Ok(open)
    }

    /// The points from which the answer leads into points that are known to lose.
    fn bad(&self, target: Pair, challenge: Challenge<'p>, answer: ChallengeAnswer<'p>) -> Result<Federation, Halt> {
        let mut bad = Federation::empty(self.product.dim());
        if let Some(target) = self.pairs.find(target) {
            for zone in self.known[target].lost.zones() {
                let mut zone = zone.clone();
                if self.product.before_resets(&mut zone, challenge, answer) {
                    bad.add(zone);
                }
                self.count()?;
            }
        }
        Ok(bad)
    }

    /// Records that an answer leads to points of the pair that are not known to lose.
    fn rely(&mut self, id: PairId, task: PosedChallenge, rank: u32) {
        let n_known = index(self.pairs[id].losing.len());
        let askers = &mut self.known[id].askers;
        if let Err(at) = askers.binary_search_by_key(&(task, rank), |asker| (asker.task, asker.rank)) {
            askers.insert(at, Dependent { task, rank, n_known });
        }
    }
}

impl<'p> ResponderGame<'p, '_> {
    /// Looks for delays of the mutant that the specification cannot follow, or that lead to losing points.
    fn outwait(&mut self, state: StateId) -> Result<(), Halt> {
        let product = self.product;
        let PairState { pair: id, zone, .. } = &self.states[state];
        let (id, zone) = (*id, zone.clone());
        let pair = self.pairs.pair(id);
        let mut lost = match product.may_delay(pair) {
            (false, _) => return Ok(()),
            (true, false) => product.left_alive(pair).delayable(),
            (true, true) => {
                let mut bad = self.known[id].lost.clone();
                if !self.can_follow(pair, &zone) {
                    let mut ahead = product.left_alive(pair);
                    ahead.subtract(&product.right_alive(pair));
                    bad.union_with(&ahead);
                }
                if bad.is_empty() {
                    return Ok(());
                }
                self.past(pair, bad)
            }
        };
        lost.intersect_dbm(&zone);
        for zone in lost.into_zones() {
            if !self.is_lost(id, &zone) {
                self.lose(id, zone, Reason::Delay)?;
            }
        }
        Ok(())
    }

    /// Whether the specification certainly follows all delays of the mutant from `zone`.
    fn can_follow(&self, pair: Pair, zone: &Dbm) -> bool {
        let Some(alive) = only(self.product.left, pair.0) else {
            return false;
        };
        let mut later = zone.clone();
        later.up();
        !zone_ops::restrict(&mut later, alive) || is_covered(&later, self.product.right.alive(pair.1))
    }

    /// The points from which the mutant can wait until it is in `bad`, perhaps including points where it does not exist.
    fn past(&self, pair: Pair, mut bad: Federation) -> Federation {
        if only(self.product.left, pair.0).is_some() {
            // A convex set contains everything between two of its points.
            bad.down();
            bad
        } else {
            past_within(&bad, &self.product.left_alive(pair))
        }
    }

    /// Records that the points of `zone`, and the points from which time leads into them, lose.
    fn lose(&mut self, id: PairId, zone: Dbm, reason: Reason) -> Result<(), Halt> {
        let pair = self.pairs.pair(id);
        self.add_piece(id, zone.clone(), reason);
        if reason != Reason::Delay && self.product.may_delay(pair) == (true, true) {
            let past = self.past(pair, zone.into());
            for state in self.known[id].states.clone() {
                let state = &self.states[state].zone;
                let met: Zones = past.zones().iter().filter_map(|past| both(past, state)).collect();
                self.count()?;
                for zone in met {
                    if !self.is_lost(id, &zone) {
                        self.add_piece(id, zone, Reason::Delay);
                    }
                }
            }
        }
        self.count()
    }

    fn add_piece(&mut self, id: PairId, zone: Dbm, reason: Reason) {
        let known = &mut self.known[id];
        known.lost.add(zone.clone());
        if !std::mem::replace(&mut known.has_grown, true) {
            self.grown.push_back(id);
        }
        self.pairs[id].add_piece(zone, reason, self.n_pieces);
        self.n_pieces += 1;
    }

    /// Looks for other answers where the given answers lead into new pieces of the pair.
    fn tell(&mut self, id: PairId) -> Result<(), Halt> {
        self.known[id].has_grown = false;
        let n_pieces = self.pairs[id].losing.len();
        // Askers that are added during this loop know all pieces. One that is inserted before the remaining ones shifts
        // them, so every position is examined, up to the end that the list has by then.
        let mut next = 0;
        while let Some(asker) = self.known[id].askers.get_mut(next) {
            next += 1;
            let Dependent { task, rank, n_known } = *asker;
            if n_known as usize >= n_pieces {
                continue;
            }
            asker.n_known = index(n_pieces);
            let question = self.question(task);
            let answer = question.answers[rank as usize];
            // The extension of a piece by delay comes after it and includes it.
            for piece in (n_known as usize..n_pieces).rev() {
                self.count()?;
                let pieces = &self.pairs[id].losing[piece..n_pieces];
                let (first, later) = pieces.split_first().expect("a piece of that number");
                if later.iter().any(|later| later.zone.includes(&first.zone)) {
                    continue;
                }
                let mut before = first.zone.clone();
                if self.product.before_resets(&mut before, question.challenge, answer)
                    && let Some(zone) = both(&before, &self.states[task.state].zone)
                {
                    self.reply_again(&question, answer, &zone)?;
                }
            }
        }
        Ok(())
    }

    /// Looks for other answers at the points of `zone` where `answer` was possible.
    fn reply_again(&mut self, question: &Question<'p>, answer: ChallengeAnswer<'p>, zone: &Dbm) -> Result<(), Halt> {
        for enabled in self.product.enabled(question.challenge) {
            let Some(posed) = zone_ops::restricted(zone, enabled) else {
                continue;
            };
            for atoms in self.product.answer_enabled(question.challenge, answer) {
                if let Some(part) = zone_ops::restricted(&posed, atoms) {
                    self.reply(question, part)?;
                }
            }
        }
        Ok(())
    }
}

/// The intersection of two zones; `None` if it is empty.
fn both(first: &Dbm, second: &Dbm) -> Option<Dbm> {
    if !first.intersects(second) {
        return None;
    }
    let mut common = first.clone();
    common.intersect(second).then_some(common)
}

/// The states that exist in a node, if they are one conjunction.
fn only(arena: &Arena, node: NodeId) -> Option<&[Atom]> {
    let mut alive = arena.alive(node);
    alive.next().filter(|_| alive.len() == 0)
}
