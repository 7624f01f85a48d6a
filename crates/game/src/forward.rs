//! Refinement of deterministic games: reachability of a failing pair in the synchronised product.
//!
//! Zones are explored forwards, breadth first, closed under the mutant's delays. While every challenge has at most one
//! answer at every reached point, the relation of \[003\] Definition 7 holds iff no reached point fails. The first point
//! that offers a choice ends the exploration: [`super::responder`] decides then. The states explored without failure are a
//! [`Relation`], to be tried on other mutants; there all answers are followed.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::product::{ArenaProduct, Challenge, ChallengeAnswer, StateId};
use crate::symbolic::{Atom, Halt, INITIAL, NodeId, Pair, PairProduct as _, zone_ops};
use tamper_text::{Budget, Id as _, IndexVec};
use tamper_zones::{Dbm, Federation, future_within};

/// A union of conjunctions: where an answer can be given.
type Cases<'a> = Vec<&'a [Atom]>;

/// The result of a forward exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ForwardOutcome {
    Holds,
    /// A reached point fails, and no point that was reached before leaves the responder a choice.
    Fails,
    /// No point failed before one that leaves the responder a choice.
    Choice,
}

/// Memory that explorations reuse.
#[derive(Default)]
pub struct Scratch {
    states: IndexVec<StateId, (Pair, Dbm)>,
    passed: FxHashMap<Pair, SmallVec<[StateId; 4]>>,
    spare: Vec<Dbm>,
    parts: Vec<Dbm>,
    max: Vec<i64>,
    diagonals: Vec<Atom>,
    /// Per state, the state and the challenge that it was reached by.
    origins: IndexVec<StateId, ChallengeOrigin>,
    /// The state and challenge under examination: the origin of the next state.
    now: ChallengeOrigin,
    /// Whether the pair of `now` failed by a challenge, or the pair after it by a delay.
    fails_after: Option<Pair>,
    /// Whether the exploration ended at a point that leaves the responder a choice.
    has_choice: bool,
    /// Symbolic states of products explored since the scratch was made; by fixpoints, too.
    pub n_states: u64,
}

/// A pair on a path, with the position of the challenge posed there and the points that were looked at.
pub(super) type Posed<'a> = (Pair, Option<(u32, &'a Dbm)>);

/// A state by its position, and the position of a challenge that was posed there.
#[derive(Clone, Copy, Default)]
struct ChallengeOrigin {
    state: Option<StateId>,
    challenge: u32,
}

impl Scratch {
    /// The path to the failure that the last exploration found, from its end back to the start: pairs, each with the
    /// position of the challenge posed there; `None` if the mutant outwaits the specification.
    pub(super) fn path(&self) -> Vec<(Pair, Option<u32>)> {
        let path = self.path_with_zones().into_iter();
        path.map(|(pair, posed)| (pair, posed.map(|(challenge, _)| challenge)))
            .collect()
    }

    /// The same, each challenge with the points of the pair that the exploration looked at.
    pub(super) fn path_with_zones(&self) -> Vec<Posed<'_>> {
        let mut path: Vec<_> = self.fails_after.iter().map(|pair| (*pair, None)).collect();
        let mut at = self.now;
        while let Some(state) = at.state {
            let (pair, zone) = &self.states[state];
            path.push((*pair, Some((at.challenge, zone))));
            at = self.origins[state];
        }
        path
    }

    fn clear(&mut self, dim: usize) {
        self.passed.clear();
        self.origins.truncate(0);
        self.now = ChallengeOrigin::default();
        self.fails_after = None;
        self.has_choice = false;
        if self.spare.first().is_some_and(|zone| zone.dim() != dim) {
            self.spare.clear();
        }
        let used = self.states.drain().map(|(_, zone)| zone);
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
    fn copy_of_state(&mut self, state: StateId) -> Dbm {
        match self.spare.pop() {
            Some(mut copy) => {
                copy.clone_from(&self.states[state].1);
                copy
            }
            None => self.states[state].1.clone(),
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

/// Pairs and zones that a mutant and a specification together do not leave, so that the mutant refines the specification.
#[derive(Debug)]
pub(super) struct Relation {
    states: IndexVec<StateId, (Pair, Dbm)>,
    by_pair: FxHashMap<Pair, SmallVec<[StateId; 4]>>,
}

/// Most states that are explored beyond a relation.
const MOST_BEYOND: usize = 128;

impl Relation {
    fn covers(&self, pair: Pair, zone: &Dbm) -> bool {
        let known = self.by_pair.get(&pair);
        known.is_some_and(|known| known.iter().any(|at| self.states[*at].1.includes(zone)))
    }

    /// Approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.states.iter().map(|(_, zone)| zone.bytes() + 24).sum()
    }
}

impl Scratch {
    /// The states that the last exploration passed; it must have held. `None` if extrapolation added points from which time
    /// leads out of these states (or if that is not easily seen): then they prove nothing alone.
    pub(super) fn relation(&self, product: &ArenaProduct<'_>) -> Option<Relation> {
        self.states
            .iter()
            .all(|(pair, zone)| is_closed_under_delay(product, *pair, zone))
            .then(|| Relation {
                states: self.states.clone(),
                by_pair: self.passed.clone(),
            })
    }
}

impl Relation {
    /// The pairs and zones that a strategy of the responder does not leave. `None` as at [`Scratch::relation`].
    pub fn of_states(product: &ArenaProduct<'_>, states: Vec<(Pair, Dbm)>) -> Option<Self> {
        let is_closed = |(pair, zone): &(Pair, Dbm)| is_closed_under_delay(product, *pair, zone);
        if !states.iter().all(is_closed) {
            return None;
        }
        let mut by_pair: FxHashMap<Pair, SmallVec<[StateId; 4]>> = FxHashMap::default();
        let states: IndexVec<StateId, _> = states.into();
        for (state, (pair, _)) in states.iter_enumerated() {
            by_pair.entry(*pair).or_default().push(state);
        }
        Some(Self { states, by_pair })
    }
}

/// Whether the left game's delays from `zone` stay in it and the right game can follow them.
fn is_closed_under_delay(product: &ArenaProduct<'_>, pair: Pair, zone: &Dbm) -> bool {
    let (left_delays, right_delays) = product.may_delay(pair);
    let mut alive = product.left.alive(pair.0);
    if !left_delays {
        return true;
    }
    let (1, Some(alive), true) = (alive.len(), alive.next(), right_delays) else {
        return false;
    };
    let mut later = zone.clone();
    later.up();
    !zone_ops::restrict(&mut later, alive) || (zone.includes(&later) && is_covered(&later, product.right.alive(pair.1)))
}

/// Explores the product from the initial pair; both initial states exist.
pub(super) fn explore(
    product: &ArenaProduct<'_>,
    budget: &Budget,
    scratch: &mut Scratch,
) -> Result<ForwardOutcome, Halt> {
    let mut search = ForwardSearch::start(product, budget, scratch);
    let fails = search.begin()? || search.go_on(usize::MAX)?;
    Ok(match (fails, search.scratch.has_choice) {
        (false, _) => ForwardOutcome::Holds,
        (true, false) => ForwardOutcome::Fails,
        (true, true) => ForwardOutcome::Choice,
    })
}

/// Whether the product stays in `relation` and a few further states, if it differs from the product in which `relation` was
/// found only at left nodes that are `open`. `true` shows that the mutant refines the specification: every point of these
/// states that the product reaches is answered, and the answers lead to points of these states. `false` proves nothing.
pub(super) fn stays_in(
    product: &ArenaProduct<'_>,
    relation: &Relation,
    open: &dyn Fn(NodeId) -> bool,
    budget: &Budget,
    scratch: &mut Scratch,
) -> Result<bool, Halt> {
    let mut search = ForwardSearch::start(product, budget, scratch);
    search.relation = Some(relation);
    if search.begin()? {
        return Ok(false);
    }
    for (pair, zone) in relation.states.iter().filter(|(pair, _)| open(pair.0)) {
        if search.answer_all(*pair, zone)? {
            return Ok(false);
        }
    }
    Ok(!search.go_on(MOST_BEYOND)?)
}

struct ForwardSearch<'p, 's> {
    product: &'p ArenaProduct<'p>,
    budget: &'p Budget,
    scratch: &'s mut Scratch,
    /// States that need not be entered.
    relation: Option<&'p Relation>,
    zone_bytes: u64,
}

/// Whether a reached point fails.
type Fails = bool;

impl<'p, 's> ForwardSearch<'p, 's> {
    fn start(product: &'p ArenaProduct<'p>, budget: &'p Budget, scratch: &'s mut Scratch) -> Self {
        let dim = product.dim();
        scratch.clear(dim);
        scratch.diagonals = product.diagonals();
        Self {
            product,
            budget,
            scratch,
            relation: None,
            zone_bytes: zone_ops::zone_bytes(dim),
        }
    }

    fn begin(&mut self) -> Result<Fails, Halt> {
        let entry = self.scratch.copy(&Dbm::zero(self.product.dim()));
        self.enter((INITIAL, INITIAL), entry)
    }

    /// Explores the entered states; gives up beyond `most` states, and then counts as failed.
    fn go_on(&mut self, most: usize) -> Result<Fails, Halt> {
        let mut n_answered = 0;
        while n_answered < self.scratch.states.len() {
            if n_answered >= most {
                return Ok(true);
            }
            let state = StateId::from_index(n_answered);
            let pair = self.scratch.states[state].0;
            let entry = self.scratch.copy_of_state(state);
            self.scratch.now.state = Some(state);
            if self.answer_all(pair, &entry)? {
                return Ok(true);
            }
            self.scratch.spare.push(entry);
            n_answered += 1;
        }
        Ok(false)
    }
}

impl ForwardSearch<'_, '_> {
    /// Adds the states that `entry` reaches by delay.
    fn enter(&mut self, pair: Pair, entry: Dbm) -> Result<Fails, Halt> {
        let product = self.product;
        let (left_delays, right_delays) = product.may_delay(pair);
        if !left_delays {
            return self.pass(pair, entry);
        }
        let mut cases = product.left.alive(pair.0);
        if !right_delays {
            let delayable = product.left_alive(pair).delayable();
            return if delayable.zones().iter().any(|zone| zone.intersects(&entry)) {
                self.scratch.fails_after = Some(pair);
                Ok(true)
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
        let later = future_within(&Federation::from(entry), &product.left_alive(pair));
        for zone in later.zones() {
            let zone = self.scratch.copy(zone);
            if self.follow(pair, zone)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Fails if the right game cannot follow the delay into `zone`.
    fn follow(&mut self, pair: Pair, zone: Dbm) -> Result<Fails, Halt> {
        if is_covered(&zone, self.product.right.alive(pair.1)) {
            self.pass(pair, zone)
        } else {
            self.scratch.fails_after = Some(pair);
            Ok(true)
        }
    }

    /// Keeps `zone`, extrapolated, unless it is known.
    fn pass(&mut self, pair: Pair, zone: Dbm) -> Result<Fails, Halt> {
        if self.relation.is_some_and(|relation| relation.covers(pair, &zone)) {
            self.scratch.spare.push(zone);
            return Ok(false);
        }
        let mut parts = std::mem::take(&mut self.scratch.parts);
        if self.relation.is_some() {
            // The few states beyond a relation need no finite abstraction, and stay exact.
            parts.push(zone);
        } else {
            self.product.max_bounds(pair, &mut self.scratch.max);
            zone_ops::normalise(zone, &self.scratch.diagonals, &self.scratch.max, &mut parts);
        }
        for zone in parts.drain(..) {
            let known = self.scratch.passed.entry(pair).or_default();
            if known.iter().any(|old| self.scratch.states[*old].1.includes(&zone)) {
                self.scratch.spare.push(zone);
                continue;
            }
            known.push(self.scratch.states.push((pair, zone)));
            self.scratch.origins.push(self.scratch.now);
            self.scratch.n_states += 1;
            let n_states = self.scratch.states.len() as u64;
            if let Some(reason) = self.budget.exceeded(n_states, n_states * self.zone_bytes) {
                return Err(reason.into());
            }
        }
        self.scratch.parts = parts;
        Ok(false)
    }

    fn answer_all(&mut self, pair: Pair, zone: &Dbm) -> Result<Fails, Halt> {
        let product = self.product;
        for (position, challenge) in (0..).zip(product.challenges(pair)) {
            self.scratch.now.challenge = position;
            for enabled in product.enabled(challenge) {
                let Some(part) = self.scratch.part(zone, enabled) else {
                    continue;
                };
                let fails = self.answer(pair, challenge, &part)?;
                self.scratch.spare.push(part);
                if fails {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Answers a challenge that every point of `part` poses.
    fn answer(&mut self, pair: Pair, challenge: Challenge<'_>, part: &Dbm) -> Result<Fails, Halt> {
        let product = self.product;
        let mut answers: SmallVec<[(ChallengeAnswer<'_>, Cases<'_>); 2]> = SmallVec::new();
        for answer in product.answers(challenge, pair) {
            let mut cases = product.answer_enabled(challenge, answer);
            cases.retain(|atoms| self.meets(part, atoms));
            if !cases.is_empty() {
                answers.push((answer, cases));
            }
        }
        if !is_covered(part, answers.iter().flat_map(|(_, cases)| cases.iter().copied())) {
            return Ok(true);
        }
        if self.relation.is_none() && self.is_choice(challenge, part, &answers) {
            self.scratch.has_choice = true;
            return Ok(true);
        }
        for (answer, cases) in &answers {
            let target = product.target(pair, challenge, *answer);
            for atoms in cases {
                let Some(mut next) = self.scratch.part(part, atoms) else {
                    continue;
                };
                product.reset(&mut next, challenge, *answer);
                if self.enter(target, next)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether some point has two answers of different effect.
    fn is_choice(
        &mut self,
        challenge: Challenge<'_>,
        part: &Dbm,
        answers: &[(ChallengeAnswer<'_>, Cases<'_>)],
    ) -> bool {
        let product = self.product;
        answers.iter().enumerate().any(|(position, (first, first_cases))| {
            answers[position + 1..].iter().any(|(second, second_cases)| {
                !product.same_effect(challenge.mover, *first, *second)
                    && first_cases
                        .iter()
                        .any(|atoms| self.meet_both(part, atoms, second_cases))
            })
        })
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
