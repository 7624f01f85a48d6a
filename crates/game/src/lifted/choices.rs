//! Refinement of all products at once where the responder has choices ([`crate::fixpoint`] lifted).
//!
//! First all pairs and zones that moves and their answers lead to are collected, with the products that reach them. Then
//! the losing points of each pair are a least fixpoint, piece by piece: a piece is a zone and the products for which its
//! points lose. A product is decided as soon as its initial point loses.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::forward::{LiftedProduct, Parts, Reply, subtract};
use crate::product::Challenge;
use crate::symbolic::{Agenda, Halt, INITIAL, Pair, PairId, PairProduct as _, Pairs, zone_ops};
use tamper_features::ProductSets;
use tamper_text::Budget;
use tamper_zones::{Dbm, Federation, past_within};

/// The products among `products` that do not refine the specification.
///
/// # Errors
/// The budget.
pub(super) fn losing<S: ProductSets>(
    both: &LiftedProduct<'_, S::Set>,
    sets: &mut S,
    products: &S::Set,
    budget: &Budget,
) -> Result<S::Set, Halt> {
    let mut game = Game {
        both,
        lost: sets.none(),
        pairs: Pairs::new(),
        sets,
        budget,
        n_pieces: 0,
    };
    game.reach(products)?;
    game.solve()?;
    Ok(game.lost)
}

/// The facts about a pair.
struct LiftedPairInfo<Set> {
    /// The reached points that are not known to lose.
    open: Parts<Set>,
    losing: Parts<Set>,
    /// Losing points whose predecessors were not examined yet.
    fresh: Parts<Set>,
    /// Whether it was visited.
    is_visited: bool,
}

struct Game<'a, 's, S: ProductSets> {
    both: &'a LiftedProduct<'a, S::Set>,
    sets: &'s mut S,
    budget: &'s Budget,
    pairs: Pairs<LiftedPairInfo<S::Set>>,
    /// Products whose initial point loses.
    lost: S::Set,
    n_pieces: u64,
}

impl<S: ProductSets> Game<'_, '_, S> {
    fn meet(&mut self, pair: Pair) -> PairId {
        self.pairs.meet(pair, || LiftedPairInfo {
            open: Vec::new(),
            losing: Vec::new(),
            fresh: Vec::new(),
            is_visited: false,
        })
    }

    fn count_piece(&mut self) -> Result<(), Halt> {
        self.n_pieces += 1;
        let bytes = self.n_pieces * zone_ops::zone_bytes(self.both.product.dim());
        match self.budget.exceeded(self.n_pieces, bytes) {
            Some(reason) => Err(reason.into()),
            None => Ok(()),
        }
    }

    fn reach(&mut self, products: &S::Set) -> Result<(), Halt> {
        let both = self.both;
        let diagonals = both.product.diagonals();
        let mut max = Vec::new();
        let mut parts = Vec::new();
        let mut waiting = VecDeque::new();
        for (node, own) in &both.left.starts {
            let own = self.sets.and(own, products)?;
            let id = self.meet((*node, INITIAL));
            waiting.push_back((id, Dbm::zero(both.product.dim()), own));
        }
        while let Some((id, entry, own)) = waiting.pop_front() {
            if self.sets.is_empty(&own) {
                continue;
            }
            let pair = self.pairs.pair(id);
            both.product.max_bounds(pair, &mut max);
            for zone in both.product.delayed(pair, entry).into_zones() {
                zone_ops::normalise(zone, &diagonals, &max, &mut parts);
            }
            for zone in parts.drain(..) {
                let mut new = own.clone();
                for (known, old) in &self.pairs[id].open {
                    if old.includes(&zone) {
                        new = self.sets.minus(&new, known)?;
                    }
                }
                if self.sets.is_empty(&new) {
                    continue;
                }
                self.pairs[id].open.push((new.clone(), zone.clone()));
                self.count_piece()?;
                for (challenge, part, products) in self.challenges(pair, &[(new, zone)])? {
                    let (replies, _) = both.replies(pair, challenge, &part, self.sets, &products)?;
                    for reply in replies {
                        let target = self.meet(both.product.target(pair, challenge, reply.answer));
                        self.pairs.link(id, target);
                        for atoms in &reply.cases {
                            if let Some(mut next) = zone_ops::restricted(&part, atoms) {
                                both.product.reset(&mut next, challenge, reply.answer);
                                waiting.push_back((target, next, reply.products.clone()));
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The challenges posed at the points of `parts`, with these points and the products that are challenged.
    fn challenges<'c>(&mut self, pair: Pair, parts: &[(S::Set, Dbm)]) -> Result<Vec<(Challenge<'c>, Dbm, S::Set)>, Halt>
    where
        Self: 'c,
    {
        let both = self.both;
        let mut posed = Vec::new();
        for (challenge, at) in both.challenges(pair) {
            for (own, zone) in parts {
                let own = match at {
                    Some(at) => self.sets.and(own, &both.left.moves[at])?,
                    None => own.clone(),
                };
                let own = self.sets.minus(&own, &self.lost)?;
                if self.sets.is_empty(&own) {
                    continue;
                }
                for enabled in both.product.enabled(challenge) {
                    if let Some(part) = zone_ops::restricted(zone, enabled) {
                        posed.push((challenge, part, own.clone()));
                    }
                }
            }
        }
        Ok(posed)
    }

    fn solve(&mut self) -> Result<(), Halt> {
        let mut agenda = Agenda::of_all(&self.pairs);
        while let Some(id) = agenda.take() {
            if !self.lose(id)? {
                continue;
            }
            self.note_lost()?;
            // A delay may lead into points that a challenge has just lost, so the pair itself is examined again.
            for source in self.pairs.sources(id) {
                agenda.add(*source);
            }
            agenda.add(id);
        }
        Ok(())
    }

    /// Products whose initial point loses.
    fn note_lost(&mut self) -> Result<(), Halt> {
        let both = self.both;
        let zero = Dbm::zero(both.product.dim());
        for (node, own) in &both.left.starts {
            let Some(initial) = self.pairs.get((*node, INITIAL)) else {
                continue;
            };
            for (products, zone) in &initial.losing {
                if zone.includes(&zero) {
                    let lost = self.sets.and(products, own)?;
                    self.lost = self.sets.or(&self.lost, &lost)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the losing points of a pair that follow from the known losing points. Returns whether any of them is new.
    fn lose(&mut self, id: PairId) -> Result<bool, Halt> {
        let both = self.both;
        let pair = self.pairs.pair(id);
        let open = self.pairs[id].open.clone();
        let mut found = false;
        for (challenge, part, products) in self.challenges(pair, &open)? {
            let (replies, _) = both.replies(pair, challenge, &part, self.sets, &products)?;
            // The points at which every answer so far is impossible or leads to losing points.
            let mut rest: Parts<S::Set> = vec![(products, part)];
            for reply in &replies {
                rest = self.lost_after(rest, pair, challenge, reply)?;
            }
            found |= self.add(id, rest)?;
        }
        let by_delay = self.lost_by_delay(id)?;
        found |= self.add(id, by_delay)?;
        Ok(found)
    }

    /// The points of `parts` where the answer cannot be given or leads to losing points.
    fn lost_after(
        &mut self,
        parts: Parts<S::Set>,
        pair: Pair,
        challenge: Challenge<'_>,
        reply: &Reply<'_, S::Set>,
    ) -> Result<Parts<S::Set>, Halt> {
        let both = self.both;
        let target = both.product.target(pair, challenge, reply.answer);
        let losing = self.pairs.get(target);
        let losing = losing.map_or_else(Vec::new, |known| known.losing.clone());
        let mut lost = Vec::new();
        for (products, zone) in losing {
            let mut zone = zone;
            if !both.product.before_resets(&mut zone, challenge, reply.answer) {
                continue;
            }
            let products = self.sets.and(&products, &reply.products)?;
            for (own, part) in &parts {
                let own = self.sets.and(own, &products)?;
                if self.sets.is_empty(&own) {
                    continue;
                }
                for atoms in &reply.cases {
                    let mut meeting = zone.clone();
                    if meeting.intersect(part) && zone_ops::restrict(&mut meeting, atoms) {
                        push_new(own.clone(), meeting, &mut lost, self.sets)?;
                    }
                }
            }
        }
        for (own, part) in subtract(parts, &reply.products, &reply.cases, self.sets)? {
            push_new(own, part, &mut lost, self.sets)?;
        }
        Ok(lost)
    }

    /// The open points from which the product can delay into a losing point or away from the specification.
    fn lost_by_delay(&mut self, id: PairId) -> Result<Parts<S::Set>, Halt> {
        let product = self.both.product;
        let all = self.sets.all();
        let pair = self.pairs.pair(id);
        let known = &mut self.pairs[id];
        let fresh = std::mem::take(&mut known.fresh);
        let is_first = !std::mem::replace(&mut known.is_visited, true);
        let alive = product.left_alive(pair);
        let mut pasts: Vec<(S::Set, Federation)> = Vec::new();
        match product.may_delay(pair) {
            (false, _) => return Ok(Vec::new()),
            (true, false) if is_first => pasts.push((all, alive.delayable())),
            (true, false) => return Ok(Vec::new()),
            (true, true) => {
                if is_first {
                    let mut ahead = alive.clone();
                    ahead.subtract(&product.right_alive(pair));
                    pasts.push((all, past_within(&ahead, &alive)));
                }
                for (products, zone) in fresh {
                    pasts.push((products, past_within(&Federation::from(zone), &alive)));
                }
            }
        }
        let mut lost = Vec::new();
        for (products, past) in &pasts {
            for (own, zone) in &self.pairs[id].open {
                let own = self.sets.and(own, products)?;
                if self.sets.is_empty(&own) {
                    continue;
                }
                for past in past.zones() {
                    let mut meeting = zone.clone();
                    if meeting.intersect(past) {
                        push_new(own.clone(), meeting, &mut lost, self.sets)?;
                    }
                }
            }
        }
        Ok(lost)
    }

    /// Adds the parts that are not known yet. Returns whether there are any.
    fn add(&mut self, id: PairId, parts: Parts<S::Set>) -> Result<bool, Halt> {
        let mut found = false;
        for (own, zone) in parts {
            let own = self.sets.minus(&own, &self.lost)?;
            let mut is_new = false;
            for (products, open) in &self.pairs[id].open {
                if open.intersects(&zone) {
                    let both = self.sets.and(products, &own)?;
                    is_new |= !self.sets.is_empty(&both);
                }
            }
            if !is_new {
                continue;
            }
            found = true;
            let atoms = [Cow::Owned(zone_ops::atoms_of_zone(&zone))];
            let open = std::mem::take(&mut self.pairs[id].open);
            self.pairs[id].open = subtract(open, &own, &atoms, self.sets)?;
            self.pairs[id].fresh.push((own.clone(), zone.clone()));
            push_new(own, zone, &mut self.pairs[id].losing, self.sets)?;
            self.count_piece()?;
        }
        Ok(found)
    }
}

/// Adds a part unless another one has all of its products and points; parts that it covers in the same way are removed.
fn push_new<S: ProductSets>(mut own: S::Set, zone: Dbm, parts: &mut Parts<S::Set>, sets: &mut S) -> Result<(), Halt> {
    let mut at = 0;
    while at < parts.len() {
        let (products, known) = &parts[at];
        let (is_larger, is_smaller) = (known.includes(&zone), zone.includes(known));
        if is_larger {
            let rest = sets.minus(&own, products)?;
            if sets.is_empty(&rest) {
                return Ok(());
            }
        }
        if is_larger && is_smaller {
            own = sets.or(&own, products)?;
            parts.swap_remove(at);
        } else if is_smaller {
            let rest = sets.minus(products, &own)?;
            if sets.is_empty(&rest) {
                parts.swap_remove(at);
            } else {
                at += 1;
            }
        } else {
            at += 1;
        }
    }
    parts.push((own, zone));
    Ok(())
}
