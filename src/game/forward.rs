//! Refinement of deterministic games: reachability of a failing pair in the synchronised product.
//!
//! Zones are explored forwards, breadth first, closed under the mutant's delays. While every challenge has at most one
//! answer at every reached point, the relation of \[003\] Definition 7 holds iff no reached point fails; as soon as a
//! point offers a choice of answers, the exploration says so and [`super::fixpoint`] decides.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::arena::{Atom, INITIAL};
use super::error::Halt;
use super::product::{Answer, Challenge, Pair, Product};
use super::zone_ops;
use crate::base::Budget;
use crate::zones::{Dbm, Federation, safe_future};

/// A union of conjunctions: where an answer can be given.
type Cases<'a> = Vec<&'a [Atom]>;

/// What a forward exploration finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// No reached point fails.
    Holds,
    /// A reached point fails.
    Fails,
    /// Some reached point leaves the responder a choice.
    Choice,
}

/// Memory that explorations use again.
#[derive(Default)]
pub struct Scratch {
    states: Vec<(Pair, Dbm)>,
    passed: FxHashMap<Pair, SmallVec<[u32; 4]>>,
    spare: Vec<Dbm>,
    parts: Vec<Dbm>,
    max: Vec<i64>,
    diagonals: Vec<Atom>,
    /// Symbolic states explored since the scratch was made.
    pub n_states: u64,
}

impl Scratch {
    fn clear(&mut self, dim: usize) {
        self.passed.clear();
        if self.spare.first().is_some_and(|zone| zone.dim() != dim) {
            self.spare.clear();
        }
        let used = self.states.drain(..).map(|(_, zone)| zone);
        self.spare.extend(used.filter(|zone| zone.dim() == dim));
    }
    fn copy(&mut self, zone: &Dbm) -> Dbm {
        match self.spare.pop() {
            Some(mut copy) => {
                copy.clone_from(zone);
                copy
            }
            None => zone.clone(),
        }
    }
    /// The part of `zone` within `atoms`.
    fn part(&mut self, zone: &Dbm, atoms: &[Atom]) -> Option<Dbm> {
        let mut part = self.copy(zone);
        if zone_ops::restrict(&mut part, atoms) {
            return Some(part);
        }
        self.spare.push(part);
        None
    }
}

/// Explores the product from the initial pair; both initial states exist.
pub(super) fn explore(product: &Product<'_>, budget: &Budget, scratch: &mut Scratch) -> Result<Outcome, Halt> {
    let dim = product.dim();
    scratch.clear(dim);
    scratch.diagonals = product.diagonals();
    let mut entry = scratch.copy(&Dbm::zero(dim));
    let mut search = Search {
        product,
        budget,
        scratch,
        zone_bytes: zone_ops::zone_bytes(dim),
    };
    let mut pair = (INITIAL, INITIAL);
    let mut next = 0;
    if let Some(outcome) = search.enter(pair, entry)? {
        return Ok(outcome);
    }
    while next < search.scratch.states.len() {
        pair = search.scratch.states[next].0;
        entry = search.scratch.copy(&search.scratch.states[next].1.clone());
        if let Some(outcome) = search.answer_all(pair, &entry)? {
            return Ok(outcome);
        }
        search.scratch.spare.push(entry);
        next += 1;
    }
    Ok(Outcome::Holds)
}

struct Search<'p, 's> {
    product: &'p Product<'p>,
    budget: &'p Budget,
    scratch: &'s mut Scratch,
    zone_bytes: u64,
}

impl Search<'_, '_> {
    /// Adds the states that `entry` reaches by delay.
    fn enter(&mut self, pair: Pair, entry: Dbm) -> Result<Option<Outcome>, Halt> {
        let product = self.product;
        let (left_delays, right_delays) = product.may_delay(pair);
        if !left_delays {
            return self.pass(pair, entry);
        }
        let mut cases = product.left.alive(pair.0);
        if !right_delays {
            let delayable = product.left_alive(pair).delayable();
            return if delayable.zones().iter().any(|zone| zone.intersects(&entry)) {
                Ok(Some(Outcome::Fails))
            } else {
                self.pass(pair, entry)
            };
        }
        if cases.len() == 1 {
            let mut zone = entry;
            zone.up();
            let kept = cases.next().is_some_and(|alive| zone_ops::restrict(&mut zone, alive));
            assert!(kept, "an entered state exists");
            return self.follow(pair, zone);
        }
        let later = safe_future(&Federation::from(entry), &product.left_alive(pair).complement());
        for zone in later.zones() {
            let zone = self.scratch.copy(zone);
            if let Some(outcome) = self.follow(pair, zone)? {
                return Ok(Some(outcome));
            }
        }
        Ok(None)
    }

    /// Fails where the right game cannot follow the delay into `zone`.
    fn follow(&mut self, pair: Pair, zone: Dbm) -> Result<Option<Outcome>, Halt> {
        if is_covered(&zone, self.product.right.alive(pair.1)) {
            self.pass(pair, zone)
        } else {
            Ok(Some(Outcome::Fails))
        }
    }

    /// Keeps `zone`, extrapolated, unless it is known.
    fn pass(&mut self, pair: Pair, zone: Dbm) -> Result<Option<Outcome>, Halt> {
        let mut parts = std::mem::take(&mut self.scratch.parts);
        self.product.max_bounds(pair, &mut self.scratch.max);
        zone_ops::normalise(zone, &self.scratch.diagonals, &self.scratch.max, &mut parts);
        for zone in parts.drain(..) {
            let known = self.scratch.passed.entry(pair).or_default();
            if known
                .iter()
                .any(|old| self.scratch.states[*old as usize].1.includes(&zone))
            {
                self.scratch.spare.push(zone);
                continue;
            }
            known.push(super::arena::index(self.scratch.states.len()));
            self.scratch.states.push((pair, zone));
            self.scratch.n_states += 1;
            let n_states = self.scratch.states.len() as u64;
            if let Some(reason) = self.budget.exceeded(n_states, n_states * self.zone_bytes) {
                return Err(reason.into());
            }
        }
        self.scratch.parts = parts;
        Ok(None)
    }

    fn answer_all(&mut self, pair: Pair, zone: &Dbm) -> Result<Option<Outcome>, Halt> {
        let product = self.product;
        for challenge in product.challenges(pair) {
            for enabled in product.enabled(challenge) {
                let Some(part) = self.scratch.part(zone, enabled) else {
                    continue;
                };
                let outcome = self.answer(pair, challenge, &part)?;
                self.scratch.spare.push(part);
                if outcome.is_some() {
                    return Ok(outcome);
                }
            }
        }
        Ok(None)
    }

    /// Answers a challenge that every point of `part` poses.
    fn answer(&mut self, pair: Pair, challenge: Challenge<'_>, part: &Dbm) -> Result<Option<Outcome>, Halt> {
        let product = self.product;
        let mut answers: SmallVec<[(Answer<'_>, Cases<'_>); 2]> = SmallVec::new();
        for answer in product.answers(challenge, pair) {
            let mut cases = product.answer_enabled(challenge, answer);
            cases.retain(|atoms| self.meets(part, atoms));
            if !cases.is_empty() {
                answers.push((answer, cases));
            }
        }
        if !is_covered(part, answers.iter().flat_map(|(_, cases)| cases.iter().copied())) {
            return Ok(Some(Outcome::Fails));
        }
        for (position, (first, first_cases)) in answers.iter().enumerate() {
            for (second, second_cases) in &answers[position + 1..] {
                let is_choice = !product.same_effect(challenge.mover, *first, *second)
                    && first_cases
                        .iter()
                        .any(|atoms| self.meet_both(part, atoms, second_cases));
                if is_choice {
                    return Ok(Some(Outcome::Choice));
                }
            }
        }
        for (answer, cases) in &answers {
            let target = product.target(pair, challenge, *answer);
            for atoms in cases {
                let Some(mut next) = self.scratch.part(part, atoms) else {
                    continue;
                };
                product.reset(&mut next, challenge, *answer);
                if let Some(outcome) = self.enter(target, next)? {
                    return Ok(Some(outcome));
                }
            }
        }
        Ok(None)
    }

    fn meets(&mut self, zone: &Dbm, atoms: &[Atom]) -> bool {
        if zone_ops::satisfies(zone, atoms) {
            return true;
        }
        match self.scratch.part(zone, atoms) {
            Some(part) => {
                self.scratch.spare.push(part);
                true
            }
            None => false,
        }
    }

    fn meet_both(&mut self, zone: &Dbm, first: &[Atom], second: &[&[Atom]]) -> bool {
        let Some(part) = self.scratch.part(zone, first) else {
            return false;
        };
        let met = second.iter().any(|atoms| self.meets(&part, atoms));
        self.scratch.spare.push(part);
        met
    }
}

/// Whether every point of `zone` satisfies one of `cases`.
pub(super) fn is_covered<'a>(zone: &Dbm, cases: impl Iterator<Item = &'a [Atom]> + Clone) -> bool {
    if cases.clone().any(|atoms| zone_ops::satisfies(zone, atoms)) {
        return true;
    }
    let mut rest = vec![zone.clone()];
    for atoms in cases {
        let mut outside = Vec::new();
        for part in rest {
            zone_ops::subtract(part, atoms, &mut outside);
        }
        rest = outside;
        if rest.is_empty() {
            return true;
        }
    }
    rest.is_empty()
}
