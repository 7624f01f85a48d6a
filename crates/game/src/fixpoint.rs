//! Refinement of all games: the two-player fixpoint on federations.
//!
//! First every pair of nodes and every zone that moves and answers lead to is collected (extrapolated, closed under the
//! delays both games can make). Then the losing points of each pair are computed as a least fixpoint: a point loses if all
//! answers to some challenge lead to losing points, or if the mutant can delay into a losing point or further than the
//! specification can follow. The points that never lose are the relation of \[003\] Definition 7, restricted to reached
//! points. Pieces of losing sets are numbered in the order they are found: the answer to a challenge leads to a piece of
//! lower number, so that the pieces are a winning strategy ([`super::witness`]).

use super::forward::Posed;
use super::product::{ArenaProduct, Challenge};
use crate::symbolic::{Agenda, Halt, INITIAL, INITIAL_PAIR, Known, Pair, PairId, PairProduct as _, Pairs, zone_ops};
use tamper_text::Budget;
use tamper_zones::{Dbm, Federation, safe_past};

/// The spoiler's winning option at the points of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// The move of that position among [`ArenaProduct::challenges`] of the pair.
    Challenge(u32),
    Delay,
}

/// Losing points of one pair.
#[derive(Clone, Debug)]
pub(super) struct LosingZone {
    pub zone: Dbm,
    pub reason: Reason,
    /// Order of discovery over all pairs.
    pub number: u64,
}

/// The points of a pair.
pub(super) struct Points {
    /// The points that are reached if all answers are followed.
    reached: Federation,
    pub losing: Vec<LosingZone>,
}

/// The reached pairs with their losing points.
pub(super) struct Solution<'p> {
    pub product: &'p ArenaProduct<'p>,
    pub pairs: Pairs<Points>,
}

impl Known for Points {
    fn unreached(dim: usize) -> Self {
        Self {
            reached: Federation::empty(dim),
            losing: Vec::new(),
        }
    }
    fn reached(&mut self) -> &mut Federation {
        &mut self.reached
    }
}

impl Points {
    /// Notes that the points of `zone` lose.
    pub fn add_piece(&mut self, zone: Dbm, reason: Reason, number: u64) {
        self.losing.push(LosingZone { zone, reason, number });
    }

    /// A zone with all points that time leads to from reached ones; `None` if no point is reached. Points outside it are
    /// irrelevant for delays.
    fn later(&self) -> Option<Dbm> {
        let zones = self.reached.zones().iter().cloned();
        let mut later = zones.reduce(|all, zone| all.hull(&zone))?;
        later.up();
        Some(later)
    }

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
    pub fn compute(product: &'p ArenaProduct<'p>, budget: &Budget) -> Result<Self, Halt> {
        let pairs = Pairs::explore(product, budget)?;
        let mut solution = Self { product, pairs };
        solution.solve(budget)?;
        Ok(solution)
    }

    /// Losing points found along one path only: the pairs it visits, from the last one back to the initial one, each with
    /// the position of the challenge posed there and the points that the path goes through (`None` for a delay). The points
    /// found do lose, but losing points may be missed. Only points that delay into the path's points are examined: all
    /// points of a pair, cut by each bound of an invariant again and again, are exponentially many zones.
    pub fn along(product: &'p ArenaProduct<'p>, path: &[Posed<'_>]) -> Self {
        let mut pairs = Pairs::new();
        let unreached = || Points::unreached(product.dim());
        pairs.meet((INITIAL, INITIAL), unreached);
        let mut solution = Self { product, pairs };
        let mut number = 0;
        for (pair, posed) in path {
            let id = solution.pairs.meet(*pair, unreached);
            let mut both = product.left_alive(*pair);
            if let Some((_, zone)) = posed {
                let mut before = (*zone).clone();
                before.down();
                both.intersect_dbm(&before);
            }
            both.intersect(&product.right_alive(*pair));
            solution.pairs[id].reached = both;
            let challenge = posed.and_then(|(at, _)| Some((challenge_at(product, *pair, at)?, at)));
            if let Some((challenge, at)) = challenge {
                let unanswered = solution.unanswered(id, challenge);
                solution.add(id, unanswered, Reason::Challenge(at), &mut number);
            }
            let by_delay = solution.lost_by_delay(id);
            solution.add(id, by_delay, Reason::Delay, &mut number);
        }
        solution
    }

    /// The losing points that were found, per pair that has some.
    pub fn losing_states(&self) -> impl Iterator<Item = (Pair, Federation)> {
        let pairs = self.pairs.ids().map(|id| (self.pairs.pair(id), &self.pairs[id]));
        let losing = pairs.filter(|(_, points)| !points.losing.is_empty());
        losing.map(|(pair, points)| (pair, points.losing_zones()))
    }

    /// Whether the specification is refined.
    pub fn holds(&self) -> bool {
        let zero = Dbm::zero(self.product.dim());
        !self.pairs[INITIAL_PAIR]
            .losing
            .iter()
            .any(|piece| piece.zone.includes(&zero))
    }

    fn solve(&mut self, budget: &Budget) -> Result<(), Halt> {
        let mut agenda = Agenda::of_all(&self.pairs);
        let mut number = 0u64;
        while let Some(id) = agenda.take() {
            let before = number;
            self.lose(id, &mut number);
            if let Some(reason) = budget.exceeded(number, number * zone_ops::zone_bytes(self.product.dim())) {
                return Err(reason.into());
            }
            if number == before {
                continue;
            }
            if id == INITIAL_PAIR && !self.holds() {
                return Ok(());
            }
            // A delay may lead into points that a challenge has just lost, so the pair itself is examined again.
            for source in self.pairs.sources(id) {
                agenda.add(*source);
            }
            agenda.add(id);
        }
        Ok(())
    }

    /// Adds the losing points of a pair that follow from the known losing points.
    fn lose(&mut self, id: PairId, number: &mut u64) {
        let product = self.product;
        let pair = self.pairs.pair(id);
        for (at, challenge) in (0..).zip(product.challenges(pair)) {
            let unanswered = self.unanswered(id, challenge);
            self.add(id, unanswered, Reason::Challenge(at), number);
        }
        let by_delay = self.lost_by_delay(id);
        self.add(id, by_delay, Reason::Delay, number);
    }

    fn add(&mut self, id: PairId, mut lost: Federation, reason: Reason, number: &mut u64) {
        let points = &mut self.pairs[id];
        lost.subtract(&points.losing_zones());
        for zone in lost.into_zones() {
            points.add_piece(zone, reason, *number);
            *number += 1;
        }
    }

    /// The reached points where the mover can make the move and every answer leads into losing points.
    fn unanswered(&self, id: PairId, challenge: Challenge<'p>) -> Federation {
        let product = self.product;
        let pair = self.pairs.pair(id);
        let dim = product.dim();
        let mut open = self.pairs[id].reached.clone();
        open.intersect(&zone_ops::federation(dim, product.enabled(challenge)));
        for answer in product.answers(challenge, pair) {
            if open.is_empty() {
                break;
            }
            let enabled = zone_ops::federation(dim, product.answer_enabled(challenge, answer));
            let mut good = open.clone();
            good.intersect(&enabled);
            let target = product.target(pair, challenge, answer);
            let losing = self.pairs.get(target).map(|target| &target.losing);
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
    fn lost_by_delay(&self, id: PairId) -> Federation {
        let product = self.product;
        let (pair, points) = (self.pairs.pair(id), &self.pairs[id]);
        let Some(later) = points.later() else {
            return Federation::empty(product.dim());
        };
        let mut lost = match product.may_delay(pair) {
            (false, _) => return Federation::empty(product.dim()),
            (true, false) => product.left_alive(pair).delayable(),
            (true, true) => {
                let mut bad = product.left_alive(pair);
                bad.intersect_dbm(&later);
                let mut gone = Federation::from(later);
                gone.subtract(&bad);
                bad.subtract(&product.right_alive(pair));
                bad.union_with(&points.losing_zones());
                safe_past(&bad, &gone)
            }
        };
        lost.intersect(&points.reached);
        lost
    }
}

/// The mover of the challenge at `index` in `pair`, if there is one.
pub(super) fn challenge_at<'a>(product: &ArenaProduct<'a>, pair: Pair, index: u32) -> Option<Challenge<'a>> {
    product.challenges(pair).nth(index as usize)
}
