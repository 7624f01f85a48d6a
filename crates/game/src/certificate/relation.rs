//! The states of both games in which the mutant does nothing that the specification cannot answer.

use std::fmt::{self, Write as _};

use rustc_hash::FxHashMap;

use super::normal_form::ClockNames;
use crate::answer_heuristic::LocationCorrespondence;
use crate::product::{ArenaProduct, Challenge, ChallengeAnswer};
use crate::symbolic::{Atom, Halt, Pair, PairProduct as _, zone_ops};
use tamper_text::{Budget, Id as _};
use tamper_zones::{Dbm, Federation, future_within};

/// States of both games that the responder's strategy does not leave.
pub(super) struct Relation<'p> {
    product: &'p ArenaProduct<'p>,
    heuristic: LocationCorrespondence<'p>,
    /// Per pair of nodes.
    states: FxHashMap<Pair, Federation>,
    lost: FxHashMap<Pair, Federation>,
    /// In the order in which they were found.
    zones: Vec<(Pair, Dbm)>,
    diagonals: Vec<Atom>,
    max: Vec<i64>,
}

impl<'p> Relation<'p> {
    /// `states` and all further states that answers lead to; `None` if some challenge has no answer. `lost` are
    /// the states that were found to have none. (The engine's zones are extrapolated: they have states that no run reaches, each of
    /// which behaves like one that is reached. Time and challenges may lead from them out of the zones, to such states again.)
    pub fn closed(
        product: &'p ArenaProduct<'p>,
        heuristic: LocationCorrespondence<'p>,
        (states, lost): (Vec<(Pair, Dbm)>, FxHashMap<Pair, Federation>),
        budget: &Budget,
    ) -> Result<Option<Self>, Halt> {
        let mut relation = Self {
            product,
            heuristic,
            states: FxHashMap::default(),
            lost,
            zones: Vec::new(),
            diagonals: product.diagonals(),
            max: Vec::new(),
        };
        for (pair, zone) in states {
            relation.add(pair, zone);
        }
        let mut next = 0;
        while next < relation.zones.len() {
            let (pair, zone) = relation.zones[next].clone();
            next += 1;
            if !relation.answer_all(pair, &zone) {
                return Ok(None);
            }
            let n_zones = relation.zones.len() as u64;
            if let Some(reason) = budget.exceeded(n_zones, n_zones * zone_ops::zone_bytes(product.dim())) {
                return Err(reason.into());
            }
        }
        Ok(Some(relation))
    }

    /// Writes the zones that no other includes.
    pub fn write(&self, out: &mut String, names: &ClockNames, numbers: &[usize]) -> fmt::Result {
        for (pair, zone) in &self.zones {
            if self.states[pair].zones().contains(zone) {
                let (left, right) = (numbers[pair.0.index()], pair.1.index());
                writeln!(out, "{left} {right} {}", names.zone(zone))?;
            }
        }
        Ok(())
    }

    fn add(&mut self, pair: Pair, zone: Dbm) {
        let dim = self.product.dim();
        let known = self.states.entry(pair).or_insert_with(|| Federation::empty(dim));
        if !known.zones().iter().any(|known| known.includes(&zone)) {
            known.add(zone.clone());
            self.zones.push((pair, zone));
        }
    }

    /// Adds the states of `zone`, and others that no game tells from them.
    fn add_like(&mut self, pair: Pair, zone: Dbm) {
        let mut parts = Vec::new();
        self.product.max_bounds(pair, &mut self.max);
        zone_ops::normalise(zone, &self.diagonals, &self.max, &mut parts);
        for part in parts {
            self.add(pair, part);
        }
    }

    fn known(&self, pair: Pair) -> Federation {
        let known = self.states.get(&pair).cloned();
        known.unwrap_or_else(|| Federation::empty(self.product.dim()))
    }

    fn answer_all(&mut self, pair: Pair, zone: &Dbm) -> bool {
        let product = self.product;
        if product.may_delay(pair) == (true, true) {
            let mut later = future_within(&zone.clone().into(), &product.left_alive(pair));
            later.subtract(&self.known(pair));
            for zone in later.into_zones() {
                self.add_like(pair, zone);
            }
        }
        product.challenges(pair).all(|challenge| {
            let posed: Vec<Dbm> = product
                .enabled(challenge)
                .filter_map(|enabled| zone_ops::restricted(zone, enabled))
                .collect();
            posed.into_iter().all(|posed| self.answer(pair, challenge, posed))
        })
    }

    /// Answers the challenge at the points of `posed`; `false` if some have no answer.
    fn answer(&mut self, pair: Pair, challenge: Challenge<'p>, posed: Dbm) -> bool {
        let product = self.product;
        let mut rest = Federation::from(posed);
        let mut answers: Vec<ChallengeAnswer<'p>> = product.answers(challenge, pair).collect();
        for answer in &answers {
            let known = self.known(product.target(pair, challenge, *answer));
            rest.subtract(&self.before(challenge, *answer, &known));
        }
        answers.sort_by_key(|answer| self.heuristic.difference(product, challenge, *answer));
        for answer in answers {
            if rest.is_empty() {
                return true;
            }
            let target = product.target(pair, challenge, answer);
            let mut good = rest.clone();
            good.intersect(&zone_ops::federation(
                product.dim(),
                product.answer_enabled(challenge, answer),
            ));
            if let Some(lost) = self.lost.get(&target) {
                good.subtract(&self.before(challenge, answer, lost));
            }
            rest.subtract(&good);
            for mut zone in good.into_zones() {
                product.reset(&mut zone, challenge, answer);
                self.add_like(target, zone);
            }
        }
        rest.is_empty()
    }

    /// The points from which challenge and answer lead to `states`.
    fn before(&self, challenge: Challenge<'p>, answer: ChallengeAnswer<'p>, states: &Federation) -> Federation {
        let product = self.product;
        let mut before = Federation::empty(product.dim());
        for zone in states.zones() {
            let mut zone = zone.clone();
            if product.before_resets(&mut zone, challenge, answer) {
                for enabled in product.answer_enabled(challenge, answer) {
                    zone_ops::restricted(&zone, enabled)
                        .into_iter()
                        .for_each(|zone| before.add(zone));
                }
            }
        }
        before
    }
}
