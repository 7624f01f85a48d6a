//! Refinement of all games: the two-player fixpoint on federations.
//!
//! First every pair of nodes and every zone that moves and answers lead to is collected (extrapolated, closed under
//! the delays both games can make). Then the losing points of each pair are computed as a least fixpoint: a point
//! loses when some challenge has no answer there but into losing points, or when the mutant can delay into a losing
//! point or where the specification cannot follow. What never loses is the relation of \[003\] Definition 7,
//! restricted to what is reached. Pieces of losing sets are numbered in the order they are found: the answer to a
//! challenge leads to a piece of lower number, which makes them a winning strategy ([`super::witness`]).

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::arena::INITIAL;
use super::error::Halt;
use super::product::{Challenge, Pair, Product};
use super::zone_ops;
use crate::base::Budget;
use crate::zones::{Dbm, Federation, safe_future, safe_past};

/// How the spoiler wins from the points of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// The move of that position among [`Product::challenges`] of the pair.
    Challenge(u32),
    /// By letting time pass.
    Delay,
}

/// Losing points of one pair.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub zone: Dbm,
    pub reason: Reason,
    /// Order of discovery over all pairs.
    pub number: u64,
}

/// A reached pair of nodes.
pub(super) struct PairState {
    pub pair: Pair,
    pub reached: Federation,
    pub losing: Vec<Piece>,
    /// Pairs with a move into this one.
    sources: Vec<usize>,
}

/// The reached pairs with their losing points.
pub(super) struct Solution<'p> {
    pub product: &'p Product<'p>,
    pub states: Vec<PairState>,
    pub position: FxHashMap<Pair, usize>,
}

impl PairState {
    fn losing_zones(&self) -> Federation {
        let mut union = Federation::empty(self.reached.dim());
        for piece in &self.losing {
            union.add(piece.zone.clone());
        }
        union
    }
}

impl<'p> Solution<'p> {
    /// Solves the game, and stops as soon as the initial point loses.
    pub fn compute(product: &'p Product<'p>, budget: &Budget) -> Result<Self, Halt> {
        let mut solution = Self {
            product,
            states: Vec::new(),
            position: FxHashMap::default(),
        };
        solution.reach(budget)?;
        solution.solve(budget)?;
        Ok(solution)
    }

    /// Losing points found along one path only: the pairs it visits, from the last one back to the initial one, each
    /// with the position of the challenge posed there, if it is not a delay. What it finds does lose; it may find
    /// too little.
    pub fn along(product: &'p Product<'p>, path: &[(Pair, Option<u32>)]) -> Self {
        let mut solution = Self {
            product,
            states: Vec::new(),
            position: FxHashMap::default(),
        };
        solution.state((INITIAL, INITIAL));
        let mut number = 0;
        for (pair, challenge) in path {
            let position = solution.state(*pair);
            if solution.states[position].reached.is_empty() {
                let mut both = product.left_alive(*pair);
                both.intersect(&product.right_alive(*pair));
                solution.states[position].reached = both;
            }
            if let Some((challenge, at)) = challenge.and_then(|at| Some((challenge_at(product, *pair, at)?, at))) {
                let unanswered = solution.unanswered(position, challenge);
                solution.add(position, unanswered, Reason::Challenge(at), &mut number);
            }
            let by_delay = solution.lost_by_delay(position);
            solution.add(position, by_delay, Reason::Delay, &mut number);
        }
        solution
    }

    /// How many zones are reached.
    pub fn n_zones(&self) -> u64 {
        self.states.iter().map(|state| state.reached.zones().len() as u64).sum()
    }

    /// Whether the specification is refined.
    pub fn holds(&self) -> bool {
        let zero = Dbm::zero(self.product.dim());
        !self.states[0].losing.iter().any(|piece| piece.zone.includes(&zero))
    }

    fn state(&mut self, pair: Pair) -> usize {
        let dim = self.product.dim();
        *self.position.entry(pair).or_insert_with(|| {
            self.states.push(PairState {
                pair,
                reached: Federation::empty(dim),
                losing: Vec::new(),
                sources: Vec::new(),
            });
            self.states.len() - 1
        })
    }

    fn reach(&mut self, budget: &Budget) -> Result<(), Halt> {
        let product = self.product;
        let dim = product.dim();
        let diagonals = product.diagonals();
        let mut max = Vec::new();
        let mut parts = Vec::new();
        let mut n_zones = 0u64;
        let first = self.state((INITIAL, INITIAL));
        let mut waiting = VecDeque::from([(first, Dbm::zero(dim))]);
        while let Some((position, entry)) = waiting.pop_front() {
            let pair = self.states[position].pair;
            product.max_bounds(pair, &mut max);
            for zone in delayed(product, pair, entry).zones() {
                zone_ops::normalise(zone.clone(), &diagonals, &max, &mut parts);
            }
            for zone in parts.drain(..) {
                let reached = &mut self.states[position].reached;
                if reached.zones().iter().any(|old| old.includes(&zone)) {
                    continue;
                }
                reached.add(zone.clone());
                n_zones += 1;
                if let Some(reason) = budget.exceeded(n_zones, n_zones * zone_ops::zone_bytes(dim)) {
                    return Err(reason.into());
                }
                for (target, next) in successors(product, pair, &zone) {
                    let target = self.state(target);
                    if !self.states[target].sources.contains(&position) {
                        self.states[target].sources.push(position);
                    }
                    waiting.push_back((target, next));
                }
            }
        }
        Ok(())
    }

    fn solve(&mut self, budget: &Budget) -> Result<(), Halt> {
        let mut waiting: VecDeque<usize> = (0..self.states.len()).collect();
        let mut is_waiting = vec![true; self.states.len()];
        let mut number = 0u64;
        while let Some(position) = waiting.pop_front() {
            is_waiting[position] = false;
            let before = number;
            self.lose(position, &mut number);
            if let Some(reason) = budget.exceeded(number, number * zone_ops::zone_bytes(self.product.dim())) {
                return Err(reason.into());
            }
            if number == before {
                continue;
            }
            if position == 0 && !self.holds() {
                return Ok(());
            }
            // A delay may lead into what a challenge has just lost, so the pair itself is looked at again.
            let sources = self.states[position].sources.clone();
            for source in sources.into_iter().chain([position]) {
                if !std::mem::replace(&mut is_waiting[source], true) {
                    waiting.push_back(source);
                }
            }
        }
        Ok(())
    }

    /// Adds the losing points of a pair that follow from what is known to lose now.
    fn lose(&mut self, position: usize, number: &mut u64) {
        let product = self.product;
        let pair = self.states[position].pair;
        for (index, challenge) in product.challenges(pair).enumerate() {
            let unanswered = self.unanswered(position, challenge);
            self.add(
                position,
                unanswered,
                Reason::Challenge(super::arena::index(index)),
                number,
            );
        }
        let by_delay = self.lost_by_delay(position);
        self.add(position, by_delay, Reason::Delay, number);
    }

    fn add(&mut self, position: usize, mut lost: Federation, reason: Reason, number: &mut u64) {
        let state = &mut self.states[position];
        lost.subtract(&state.losing_zones());
        for zone in lost.zones() {
            state.losing.push(Piece {
                zone: zone.clone(),
                reason,
                number: *number,
            });
            *number += 1;
        }
    }

    /// The reached points where the mover can make the move and every answer leads into losing points.
    fn unanswered(&self, position: usize, challenge: Challenge<'p>) -> Federation {
        let product = self.product;
        let state = &self.states[position];
        let dim = product.dim();
        let mut open = state.reached.clone();
        open.intersect(&zone_ops::federation(dim, product.enabled(challenge)));
        for answer in product.answers(challenge, state.pair) {
            if open.is_empty() {
                break;
            }
            let enabled = zone_ops::federation(dim, product.answer_enabled(challenge, answer));
            let mut good = open.clone();
            good.intersect(&enabled);
            let target = product.target(state.pair, challenge, answer);
            let losing = self.position.get(&target).map(|target| &self.states[*target].losing);
            let mut bad = Federation::empty(dim);
            for piece in losing.into_iter().flatten() {
                let mut zone = piece.zone.clone();
                if product.before_resets(&mut zone, challenge, answer) {
                    bad.add(zone);
                }
            }
            good.subtract(&bad);
            open.subtract(&good);
        }
        open
    }

    /// The reached points from which the mutant can delay into a losing point or away from the specification.
    fn lost_by_delay(&self, position: usize) -> Federation {
        let product = self.product;
        let state = &self.states[position];
        let mut lost = match product.may_delay(state.pair) {
            (false, _) => return Federation::empty(product.dim()),
            (true, false) => product.left_alive(state.pair).delayable(),
            (true, true) => {
                let mut bad = product.left_alive(state.pair);
                bad.subtract(&product.right_alive(state.pair));
                bad.union_with(&state.losing_zones());
                safe_past(&bad, &product.left_alive(state.pair).complement())
            }
        };
        lost.intersect(&state.reached);
        lost
    }
}

/// What `entry` reaches by delays that both games can make.
pub(super) fn delayed(product: &Product<'_>, pair: Pair, entry: Dbm) -> Federation {
    let start = Federation::from(entry);
    if product.may_delay(pair) != (true, true) {
        return start;
    }
    let mut alive = product.left_alive(pair);
    alive.intersect(&product.right_alive(pair));
    if let [zone] = alive.zones() {
        let mut later = start;
        later.up();
        later.intersect_dbm(zone);
        return later;
    }
    safe_future(&start, &alive.complement())
}

/// What each challenge and answer make of the points of `zone`.
fn successors(product: &Product<'_>, pair: Pair, zone: &Dbm) -> Vec<(Pair, Dbm)> {
    let mut next = Vec::new();
    for challenge in product.challenges(pair) {
        for enabled in product.enabled(challenge) {
            let Some(part) = zone_ops::restricted(zone, enabled) else {
                continue;
            };
            for answer in product.answers(challenge, pair) {
                for atoms in product.answer_enabled(challenge, answer) {
                    if let Some(mut reached) = zone_ops::restricted(&part, atoms) {
                        product.reset(&mut reached, challenge, answer);
                        next.push((product.target(pair, challenge, answer), reached));
                    }
                }
            }
        }
    }
    next
}

/// The mover of the challenge at `index` in `pair`, if there is one.
pub(super) fn challenge_at<'a>(product: &Product<'a>, pair: Pair, index: u32) -> Option<Challenge<'a>> {
    product.challenges(pair).nth(index as usize)
}
