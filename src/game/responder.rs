//! Refinement where the responder has choices, played only as far as its strategy leads.
//!
//! The responder gives each challenge one answer: the counterpart of the challenge if there is one ([`super::likeness`]), as long
//! as that does not lead into points that are known to lose; only then others are looked at. Zones are explored
//! forwards along these answers, breadth first; what is found to lose is drawn back at once to whoever relied on it.
//! It ends when the initial point loses, or when no state is left to be looked at: then the points that are reached and not
//! lost are a refinement (`docs/notes/0011-choices.md`). Losing points are the pieces of [`super::fixpoint`], in the
//! order in which they are found, so that counterexamples are read off in the same way.

use std::collections::VecDeque;

use smallvec::SmallVec;

use super::fixpoint::{Points, Reason, Solution, challenge_at};
use super::forward::is_covered;
use super::likeness::Likeness;
use super::product::{Answer, Challenge, Product};
use super::specification::Method;
use crate::base::Budget;
use crate::symbolic::{Atom, Halt, INITIAL, Known as _, Pair, Pairs, Together as _, index, zone_ops};
use crate::zones::{Dbm, Federation, safe_past};

/// What the responder found.
pub(super) struct Answered<'p> {
    /// The losing points that were found; the initial one is among them iff the specification is not refined.
    pub solution: Solution<'p>,
    /// Whether each challenge was answered by what is most like it.
    pub is_alike: bool,
    /// Symbolic states that were explored.
    pub n_states: u64,
    states: Vec<State>,
}

/// Plays until the initial point loses or nothing is left to be looked at.
pub(super) fn answer<'p>(product: &'p Product<'p>, likeness: Likeness<'p>, budget: &Budget) -> Result<Answered<'p>, Halt> {
    let mut game = Game {
        product,
        likeness,
        budget,
        diagonals: product.diagonals(),
        max: Vec::new(),
        pairs: Pairs::new(),
        known: Vec::new(),
        states: Vec::new(),
        waiting: VecDeque::new(),
        again: VecDeque::new(),
        n_pieces: 0,
        is_alike: true,
    };
    let initial = game.meet((INITIAL, INITIAL));
    game.enter(initial, Dbm::zero(product.dim()))?;
    game.play()?;
    Ok(Answered {
        solution: Solution {
            product,
            pairs: game.pairs,
        },
        is_alike: game.is_alike,
        n_states: game.states.len() as u64,
        states: game.states,
    })
}

impl Answered<'_> {
    /// How it was decided.
    pub fn method(&self) -> Method {
        if self.is_alike {
            Method::Counterpart
        } else {
            Method::Strategy
        }
    }

    /// Whether the specification is refined.
    pub fn holds(&self) -> bool {
        self.solution.holds()
    }

    /// The pairs and zones that the strategy does not leave, if none of their points lost.
    pub fn into_relation(self) -> Option<Vec<(Pair, Dbm)>> {
        let pairs = &self.solution.pairs;
        let nothing_lost = pairs.iter().all(|points| points.losing.is_empty());
        nothing_lost.then(|| {
            let of_pair = |state: State| (pairs.pair(state.position as usize), state.zone);
            self.states.into_iter().map(of_pair).collect()
        })
    }
}

/// A zone of a pair, closed under the delays that both games can make.
struct State {
    position: u32,
    zone: Dbm,
    /// Whether a larger one took its place before it was looked at.
    is_covered: bool,
    is_open: bool,
}

/// What is known about a pair besides the pieces that lose.
struct KnownPair {
    states: SmallVec<[u32; 2]>,
    /// The losing points.
    lost: Federation,
    /// Who relies on points of the pair, in order.
    askers: Vec<Task>,
}

/// A challenge that is posed in a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Task {
    state: u32,
    challenge: u32,
}

struct Game<'p, 'b> {
    product: &'p Product<'p>,
    likeness: Likeness<'p>,
    budget: &'b Budget,
    diagonals: Vec<Atom>,
    max: Vec<i64>,
    pairs: Pairs<Points>,
    /// By position of the pair.
    known: Vec<KnownPair>,
    states: Vec<State>,
    waiting: VecDeque<u32>,
    /// Answers that may have become bad.
    again: VecDeque<Task>,
    n_pieces: u64,
    is_alike: bool,
}

impl<'p> Game<'p, '_> {
    fn play(&mut self) -> Result<(), Halt> {
        loop {
            if let Some(task) = self.again.pop_front() {
                self.pose(task)?;
            } else if let Some(state) = self.waiting.pop_front() {
                self.look_at(state)?;
            } else {
                return Ok(());
            }
            if self.initial_loses() {
                return Ok(());
            }
        }
    }

    fn initial_loses(&self) -> bool {
        let lost = self.known[0].lost.zones();
        !lost.is_empty() && lost.iter().any(|zone| zone.includes(&Dbm::zero(self.product.dim())))
    }

    fn meet(&mut self, pair: Pair) -> usize {
        let dim = self.product.dim();
        let position = self.pairs.meet(pair, || Points::unreached(dim));
        if position == self.known.len() {
            self.known.push(KnownPair {
                states: SmallVec::new(),
                lost: Federation::empty(dim),
                askers: Vec::new(),
            });
        }
        position
    }

    fn count(&self) -> Result<(), Halt> {
        let n_zones = self.states.len() as u64 + self.n_pieces;
        match self.budget.exceeded(n_zones, n_zones * zone_ops::zone_bytes(self.product.dim())) {
            Some(reason) => Err(reason.into()),
            None => Ok(()),
        }
    }

    /// Adds the states that `entry` reaches by delay.
    fn enter(&mut self, position: usize, entry: Dbm) -> Result<(), Halt> {
        let product = self.product;
        let pair = self.pairs.pair(position);
        let mut parts = Vec::new();
        product.max_bounds(pair, &mut self.max);
        for zone in product.delayed(pair, entry).into_zones() {
            zone_ops::normalise(zone, &self.diagonals, &self.max, &mut parts);
        }
        for zone in parts {
            let states = &self.known[position].states;
            if states.iter().any(|old| self.states[*old as usize].zone.includes(&zone)) {
                continue;
            }
            let all = &mut self.states;
            self.known[position].states.retain(|old| {
                let old = &mut all[*old as usize];
                old.is_covered = old.is_open && zone.includes(&old.zone);
                !old.is_covered
            });
            let state = index(self.states.len());
            self.known[position].states.push(state);
            self.states.push(State {
                position: index(position),
                zone,
                is_covered: false,
                is_open: true,
            });
            self.waiting.push_back(state);
            self.count()?;
        }
        Ok(())
    }

    fn look_at(&mut self, state: u32) -> Result<(), Halt> {
        let State {
            position, is_covered, ..
        } = self.states[state as usize];
        let position = position as usize;
        self.states[state as usize].is_open = false;
        if is_covered || self.is_lost(position, &self.states[state as usize].zone) {
            return Ok(());
        }
        self.outwait(state)?;
        let pair = self.pairs.pair(position);
        for challenge in 0..index(self.product.challenges(pair).count()) {
            self.pose(Task { state, challenge })?;
        }
        Ok(())
    }

    fn is_lost(&self, position: usize, zone: &Dbm) -> bool {
        let lost = &self.known[position].lost;
        !lost.is_empty() && lost.includes_dbm(zone)
    }

    /// Looks for delays of the mutant that the specification cannot follow, or that lead to what is lost.
    fn outwait(&mut self, state: u32) -> Result<(), Halt> {
        let product = self.product;
        let State { position, zone, .. } = &self.states[state as usize];
        let (position, zone) = (*position as usize, zone.clone());
        let pair = self.pairs.pair(position);
        let mut lost = match product.may_delay(pair) {
            (false, _) => return Ok(()),
            (true, false) => product.left_alive(pair).delayable(),
            (true, true) => {
                let mut bad = self.known[position].lost.clone();
                if !self.can_follow(pair, &zone) {
                    let mut ahead = product.left_alive(pair);
                    ahead.subtract(&product.right_alive(pair));
                    bad.union_with(&ahead);
                }
                if bad.is_empty() {
                    return Ok(());
                }
                safe_past(&bad, &product.left_alive(pair).complement())
            }
        };
        lost.intersect_dbm(&zone);
        for zone in lost.into_zones() {
            self.lose(position, zone, Reason::Delay)?;
        }
        Ok(())
    }

    /// Whether the specification certainly follows all delays of the mutant from `zone`.
    fn can_follow(&self, pair: Pair, zone: &Dbm) -> bool {
        let mut alive = self.product.left.alive(pair.0);
        let (1, Some(alive)) = (alive.len(), alive.next()) else {
            return false;
        };
        let mut later = zone.clone();
        later.up();
        !zone_ops::restrict(&mut later, alive) || is_covered(&later, self.product.right.alive(pair.1))
    }

    /// Notes that the points of `zone` lose, and from where time leads into them.
    fn lose(&mut self, position: usize, zone: Dbm, reason: Reason) -> Result<(), Halt> {
        if self.is_lost(position, &zone) {
            return Ok(());
        }
        self.add_piece(position, zone.clone(), reason);
        let pair = self.pairs.pair(position);
        if reason != Reason::Delay && self.product.may_delay(pair) == (true, true) {
            let alive = self.product.left_alive(pair);
            let past = if alive.zones().len() == 1 {
                // A convex set has all that is between two of its points.
                let mut past = zone;
                past.down();
                Federation::from(past)
            } else {
                safe_past(&zone.into(), &alive.complement())
            };
            for state in self.known[position].states.clone() {
                let mut earlier = past.clone();
                earlier.intersect_dbm(&self.states[state as usize].zone);
                for zone in earlier.into_zones() {
                    if !self.is_lost(position, &zone) {
                        self.add_piece(position, zone, Reason::Delay);
                    }
                }
            }
        }
        let askers = std::mem::take(&mut self.known[position].askers);
        self.again.extend(askers);
        self.count()
    }

    fn add_piece(&mut self, position: usize, zone: Dbm, reason: Reason) {
        self.known[position].lost.add(zone.clone());
        self.pairs[position].add_piece(zone, reason, self.n_pieces);
        self.n_pieces += 1;
    }

    /// Answers a challenge wherever the state does not lose.
    fn pose(&mut self, task: Task) -> Result<(), Halt> {
        let product = self.product;
        let position = self.states[task.state as usize].position as usize;
        let pair = self.pairs.pair(position);
        let challenge = challenge_at(product, pair, task.challenge).expect("a task is about a challenge of its pair");
        let mut answers: SmallVec<[Answer<'p>; 4]> = product.answers(challenge, pair).collect();
        if answers.len() > 1 {
            answers.sort_by_key(|answer| self.likeness.difference(product, challenge, *answer));
        }
        for enabled in product.enabled(challenge) {
            let Some(part) = zone_ops::restricted(&self.states[task.state as usize].zone, enabled) else {
                continue;
            };
            let mut open = Federation::from(part);
            open.subtract(&self.known[position].lost);
            let mut open = open.into_zones();
            for (rank, answer) in answers.iter().enumerate() {
                if open.is_empty() {
                    break;
                }
                self.is_alike &= rank == 0;
                open = self.give(task, (pair, challenge, *answer), open)?;
            }
            for zone in open {
                self.lose(position, zone, Reason::Challenge(task.challenge))?;
            }
        }
        Ok(())
    }

    /// Gives the answer wherever it is possible and not known to be bad; the points of `open` that are left.
    fn give(
        &mut self,
        task: Task,
        (pair, challenge, answer): (Pair, Challenge<'p>, Answer<'p>),
        open: Vec<Dbm>,
    ) -> Result<Vec<Dbm>, Halt> {
        let product = self.product;
        let target = self.meet(product.target(pair, challenge, answer));
        let mut bad = Federation::empty(product.dim());
        for zone in self.known[target].lost.zones() {
            let mut zone = zone.clone();
            if product.before_resets(&mut zone, challenge, answer) {
                bad.add(zone);
            }
        }
        let mut open = open;
        for atoms in product.answer_enabled(challenge, answer) {
            let mut rest = Vec::new();
            for zone in open {
                let Some(possible) = zone_ops::restricted(&zone, atoms) else {
                    rest.push(zone);
                    continue;
                };
                if bad.includes_dbm(&possible) {
                    rest.push(zone);
                    continue;
                }
                zone_ops::subtract(zone, atoms, &mut rest);
                rest.extend(bad.zones().iter().filter_map(|bad| {
                    let mut bad = bad.clone();
                    bad.intersect(&possible).then_some(bad)
                }));
                let mut next = possible;
                product.reset(&mut next, challenge, answer);
                self.enter(target, next)?;
                let askers = &mut self.known[target].askers;
                if let Err(at) = askers.binary_search(&task) {
                    askers.insert(at, task);
                }
            }
            open = rest;
        }
        Ok(open)
    }
}
