//! Forward exploration of the product of all products with the specification ([`crate::forward`] lifted).
//!
//! A symbolic state is a pair of nodes, a zone, and the products that reach it. Products part only at a move that some of
//! them have; when an equal or larger zone is reached again, only the products that have not been there continue. A product
//! that fails while none of its reached points left the responder a choice is decided and dropped. One that fails after a
//! choice is set aside for the game.

use std::borrow::Cow;
use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::forward::is_covered;
use crate::product::{ArenaProduct, Challenge, ChallengeAnswer, Mover, StateId};
use crate::semantics::Unmatched;
use crate::symbolic::{Atom, Halt, INITIAL, Move, MoveId, Pair, PairProduct as _, SharedArena, zone_ops};
use tamper_features::ProductSets;
use tamper_text::{Budget, IndexVec};
use tamper_timed::model::{ActionId, Role};
use tamper_zones::{Dbm, Federation, future_within};

/// All products beside the specification.
pub(super) struct LiftedProduct<'a, Set> {
    pub left: &'a SharedArena<Set>,
    /// `left.arena` and the specification.
    pub product: &'a ArenaProduct<'a>,
    /// The arena before pruning, for games that ignore inputs: they stay if an input is impossible even there. `None` if
    /// they refuse inputs.
    pub unpruned: Option<&'a SharedArena<Set>>,
    /// Per action of the left game, the products that know it.
    pub alphabet: &'a IndexVec<ActionId, Set>,
    /// Per action of the right game, the products that have its name as an input or as an output.
    pub known: &'a IndexVec<ActionId, Set>,
}

/// An answer to a challenge, and the products that can give it.
pub(super) struct Reply<'a, Set> {
    pub answer: ChallengeAnswer<'a>,
    pub products: Set,
    /// The clock conditions under which it can be given: a union.
    pub cases: SmallVec<[Cow<'a, [Atom]>; 1]>,
}

/// Products, and points that are reached or unanswered for them.
pub(super) type Parts<Set> = Vec<(Set, Dbm)>;
/// Answers, and the points without an answer.
pub(super) type Replies<'a, Set> = (Vec<Reply<'a, Set>>, Parts<Set>);

/// A state that was reached.
struct ReachedState<Set> {
    pair: Pair,
    zone: Dbm,
    products: Set,
    /// The products whose moves have not been explored.
    open: Set,
}

/// The result of an exploration.
pub(super) struct Explored<Set> {
    /// Products that do not refine the specification.
    pub fails: Set,
    /// Products that fail after a choice; another choice may avoid the failure.
    pub perhaps: Set,
    pub n_states: u64,
    /// The reason why the exploration ended early, if it did; products in neither set are then undecided.
    pub stopped: Option<Halt>,
}

/// Explores all `products` (each begins where `left.starts` says).
pub(super) fn explore<S: ProductSets>(
    both: &LiftedProduct<'_, S::Set>,
    sets: &mut S,
    products: &S::Set,
    budget: &Budget,
) -> Explored<S::Set> {
    let mut search = LiftedSearch {
        both,
        diagonals: both.product.diagonals(),
        fails: sets.none(),
        perhaps: sets.none(),
        choice: sets.none(),
        states: IndexVec::new(),
        by_pair: FxHashMap::default(),
        waiting: VecDeque::new(),
        max: Vec::new(),
        sets,
        budget,
    };
    let stopped = search.run(products).err();
    Explored {
        fails: search.fails,
        perhaps: search.perhaps,
        n_states: search.states.len() as u64,
        stopped,
    }
}

struct LiftedSearch<'a, 's, S: ProductSets> {
    both: &'a LiftedProduct<'a, S::Set>,
    sets: &'s mut S,
    budget: &'s Budget,
    diagonals: Vec<Atom>,
    fails: S::Set,
    perhaps: S::Set,
    /// Products for which some reached point leaves the responder a choice.
    choice: S::Set,
    states: IndexVec<StateId, ReachedState<S::Set>>,
    by_pair: FxHashMap<Pair, SmallVec<[StateId; 4]>>,
    waiting: VecDeque<StateId>,
    max: Vec<i64>,
}

impl<S: ProductSets> LiftedSearch<'_, '_, S> {
    fn run(&mut self, products: &S::Set) -> Result<(), Halt> {
        let both = self.both;
        for (node, own) in &both.left.starts {
            let own = self.sets.and(own, products)?;
            let zero = Dbm::zero(both.product.dim());
            self.enter((*node, INITIAL), zero, own)?;
        }
        while let Some(at) = self.waiting.pop_front() {
            let none = self.sets.none();
            let state = &mut self.states[at];
            let (pair, zone) = (state.pair, state.zone.clone());
            let open = std::mem::replace(&mut state.open, none);
            self.answer_all(pair, &zone, open)?;
        }
        Ok(())
    }

    /// The products that are neither decided nor waiting for the game.
    fn undecided(&mut self, products: &S::Set) -> Result<S::Set, Halt> {
        let rest = self.sets.minus(products, &self.fails)?;
        Ok(self.sets.minus(&rest, &self.perhaps)?)
    }

    fn fail(&mut self, products: &S::Set) -> Result<(), Halt> {
        let products = self.undecided(products)?;
        let perhaps = self.sets.and(&products, &self.choice)?;
        let fails = self.sets.minus(&products, &self.choice)?;
        self.perhaps = self.sets.or(&self.perhaps, &perhaps)?;
        self.fails = self.sets.or(&self.fails, &fails)?;
        Ok(())
    }

    /// Adds the states that `entry` reaches by delay.
    fn enter(&mut self, pair: Pair, entry: Dbm, products: S::Set) -> Result<(), Halt> {
        let products = self.undecided(&products)?;
        if self.sets.is_empty(&products) {
            return Ok(());
        }
        let product = self.both.product;
        let (left_delays, right_delays) = product.may_delay(pair);
        if !left_delays {
            return self.pass(pair, entry, &products);
        }
        if !right_delays {
            let delayable = product.left_alive(pair).delayable();
            return if delayable.zones().iter().any(|zone| zone.intersects(&entry)) {
                self.fail(&products)
            } else {
                self.pass(pair, entry, &products)
            };
        }
        let mut cases = product.left.alive(pair.0);
        if cases.len() == 1 {
            let mut zone = entry;
            zone.up();
            let kept = cases.next().is_some_and(|alive| zone_ops::restrict(&mut zone, alive));
            assert!(kept, "an entered state exists");
            return self.follow(pair, zone, &products);
        }
        let later = future_within(&Federation::from(entry), &product.left_alive(pair));
        for zone in later.into_zones() {
            self.follow(pair, zone, &products)?;
        }
        Ok(())
    }

    /// Fails if the specification cannot follow the delay into `zone`.
    fn follow(&mut self, pair: Pair, zone: Dbm, products: &S::Set) -> Result<(), Halt> {
        if is_covered(&zone, self.both.product.right.alive(pair.1)) {
            self.pass(pair, zone, products)
        } else {
            self.fail(products)
        }
    }

    /// Keeps `zone`, extrapolated, for the products that have not been there.
    fn pass(&mut self, pair: Pair, zone: Dbm, products: &S::Set) -> Result<(), Halt> {
        self.both.product.max_bounds(pair, &mut self.max);
        let mut parts = Vec::new();
        zone_ops::normalise(zone, &self.diagonals, &self.max, &mut parts);
        for zone in parts {
            let mut new = products.clone();
            let mut same = None;
            for at in self.by_pair.get(&pair).into_iter().flatten() {
                let state = &self.states[*at];
                if !state.zone.includes(&zone) {
                    continue;
                }
                new = self.sets.minus(&new, &state.products)?;
                if self.sets.is_empty(&new) {
                    break;
                }
                if zone.includes(&state.zone) {
                    same = Some(*at);
                }
            }
            if self.sets.is_empty(&new) {
                continue;
            }
            if let Some(at) = same {
                let state = &mut self.states[at];
                state.products = self.sets.or(&state.products, &new)?;
                if self.sets.is_empty(&state.open) {
                    self.waiting.push_back(at);
                }
                state.open = self.sets.or(&state.open, &new)?;
                continue;
            }
            let at = self.states.push(ReachedState {
                pair,
                zone,
                products: new.clone(),
                open: new,
            });
            self.by_pair.entry(pair).or_default().push(at);
            self.waiting.push_back(at);
            let n_states = self.states.len() as u64;
            let bytes = n_states * zone_ops::zone_bytes(self.both.product.dim());
            if let Some(reason) = self.budget.exceeded(n_states, bytes) {
                return Err(reason.into());
            }
        }
        Ok(())
    }

    fn answer_all(&mut self, pair: Pair, zone: &Dbm, open: S::Set) -> Result<(), Halt> {
        let both = self.both;
        let mut open = self.undecided(&open)?;
        for (challenge, own) in both.challenges(pair) {
            if self.sets.is_empty(&open) {
                return Ok(());
            }
            let products = match own {
                Some(at) => self.sets.and(&open, &both.left.moves[at])?,
                None => open.clone(),
            };
            if self.sets.is_empty(&products) {
                continue;
            }
            for enabled in both.product.enabled(challenge) {
                if let Some(part) = zone_ops::restricted(zone, enabled) {
                    let before = (self.fails.clone(), self.perhaps.clone());
                    self.answer(pair, challenge, &part, &products)?;
                    if before != (self.fails.clone(), self.perhaps.clone()) {
                        open = self.undecided(&open)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Answers a challenge that every point of `part` poses to `products`.
    fn answer(&mut self, pair: Pair, challenge: Challenge<'_>, part: &Dbm, products: &S::Set) -> Result<(), Halt> {
        let both = self.both;
        let products = self.undecided(products)?;
        let (replies, unanswered) = both.replies(pair, challenge, part, self.sets, &products)?;
        for (own, _) in unanswered {
            self.fail(&own)?;
        }
        self.note_choices(challenge, part, &replies)?;
        for reply in &replies {
            let going = self.undecided(&reply.products)?;
            if self.sets.is_empty(&going) {
                continue;
            }
            let target = both.product.target(pair, challenge, reply.answer);
            for atoms in &reply.cases {
                if let Some(mut next) = zone_ops::restricted(part, atoms) {
                    both.product.reset(&mut next, challenge, reply.answer);
                    self.enter(target, next, going.clone())?;
                }
            }
        }
        Ok(())
    }

    /// Notes the products for which two answers with different effects can be given at one point.
    fn note_choices(
        &mut self,
        challenge: Challenge<'_>,
        part: &Dbm,
        replies: &[Reply<'_, S::Set>],
    ) -> Result<(), Halt> {
        for (position, first) in replies.iter().enumerate() {
            for second in &replies[position + 1..] {
                if self
                    .both
                    .product
                    .same_effect(challenge.mover, first.answer, second.answer)
                {
                    continue;
                }
                let both = self.sets.and(&first.products, &second.products)?;
                let both = self.sets.minus(&both, &self.choice)?;
                if self.sets.is_empty(&both) {
                    continue;
                }
                let parts = first.cases.iter().filter_map(|atoms| zone_ops::restricted(part, atoms));
                let meets = |zone: Dbm| {
                    let mut cases = second.cases.iter();
                    cases.any(|atoms| zone_ops::restricted(&zone, atoms).is_some())
                };
                if parts.into_iter().any(meets) {
                    let both = self.undecided(&both)?;
                    self.choice = self.sets.or(&self.choice, &both)?;
                }
            }
        }
        Ok(())
    }
}

impl<'a, Set: Clone + PartialEq> LiftedProduct<'a, Set> {
    /// The challenges posed in `pair`, with the left game's move if the challenge is one.
    pub fn challenges(&self, pair: Pair) -> Vec<(Challenge<'a>, Option<MoveId>)> {
        let inputs = self.product.right.moves_of(pair.1).iter();
        let inputs = inputs.filter(|step| step.role == Role::Input).map(|step| {
            let mover = Mover::Right;
            (Challenge { mover, step }, None)
        });
        let outputs = self.left.move_ids(pair.0).map(|at| (at, self.left_move(at)));
        let outputs = outputs.filter(|(_, step)| step.role != Role::Input).map(|(at, step)| {
            let mover = Mover::Left;
            (Challenge { mover, step }, Some(at))
        });
        inputs.chain(outputs).collect()
    }

    fn left_move(&self, at: MoveId) -> &'a Move {
        &self.product.left.moves[at]
    }

    /// The answers that can be given somewhere in `part`, with the products that can; and the points at which products
    /// have no answer.
    pub fn replies<S: ProductSets<Set = Set>>(
        &self,
        pair: Pair,
        challenge: Challenge<'a>,
        part: &Dbm,
        sets: &mut S,
        products: &Set,
    ) -> Result<Replies<'a, Set>, Halt> {
        let mut replies = self.moves(pair, challenge, part, sets, products)?;
        let mut unanswered = vec![(products.clone(), part.clone())];
        for reply in &replies {
            unanswered = subtract(unanswered, &reply.products, &reply.cases, sets)?;
        }
        if let Some(unpruned) = self.unpruned {
            let (stay, without) = self.ignored(unpruned, pair, challenge, unanswered, sets)?;
            let stay = stay.into_iter().map(|(products, zone)| Reply {
                answer: ChallengeAnswer::Stay,
                products,
                cases: SmallVec::from_iter([Cow::Owned(zone_ops::atoms_of_zone(&zone))]),
            });
            replies.extend(stay);
            unanswered = without;
        }
        Ok((replies, unanswered))
    }

    /// The answers, without ignored inputs.
    fn moves<S: ProductSets<Set = Set>>(
        &self,
        pair: Pair,
        challenge: Challenge<'a>,
        part: &Dbm,
        sets: &mut S,
        products: &Set,
    ) -> Result<Vec<Reply<'a, Set>>, Halt> {
        let mut replies = Vec::new();
        let mut add = |answer, products: Set, cases: Vec<&'a [Atom]>, sets: &S| {
            let meets =
                |atoms: &&[Atom]| zone_ops::satisfies(part, atoms) || zone_ops::restricted(part, atoms).is_some();
            let cases: SmallVec<_> = cases.into_iter().filter(meets).map(Cow::Borrowed).collect();
            if !cases.is_empty() && !sets.is_empty(&products) {
                replies.push(Reply {
                    answer,
                    products,
                    cases,
                });
            }
        };
        if challenge.mover == Mover::Left {
            for answer in self.product.answers(challenge, pair) {
                let cases = self.product.answer_enabled(challenge, answer);
                add(answer, products.clone(), cases, sets);
            }
            return Ok(replies);
        }
        let action = self.product.actions.to_left()[challenge.step.action];
        if self.product.unmatched == Unmatched::Ignore {
            let unknowing = sets.minus(products, &self.known[challenge.step.action])?;
            add(ChallengeAnswer::Stay, unknowing, vec![&[]], sets);
        }
        for at in self.left.move_ids(pair.0) {
            let step = self.left_move(at);
            if Some(step.action) == action {
                let going = sets.and(products, &self.left.moves[at])?;
                let cases = self.product.left.cases(step.enabled).collect();
                add(ChallengeAnswer::Move(step), going, cases, sets);
            }
        }
        Ok(replies)
    }

    /// Splits unanswered points into the points at which the left game stays because it ignores the input, and the others.
    fn ignored<S: ProductSets<Set = Set>>(
        &self,
        unpruned: &SharedArena<Set>,
        pair: Pair,
        challenge: Challenge<'a>,
        unanswered: Parts<Set>,
        sets: &mut S,
    ) -> Result<(Parts<Set>, Parts<Set>), Halt> {
        let action = match challenge.mover {
            Mover::Left => None,
            Mover::Right => self.product.actions.to_left()[challenge.step.action],
        };
        let Some(action) = action else {
            return Ok((Vec::new(), unanswered));
        };
        let (mut stay, mut without) = (Vec::new(), Vec::new());
        for (products, zone) in unanswered {
            let knowing = sets.and(&products, &self.alphabet[action])?;
            let unknowing = sets.minus(&products, &self.alphabet[action])?;
            if !sets.is_empty(&unknowing) {
                without.push((unknowing, zone.clone()));
            }
            if sets.is_empty(&knowing) {
                continue;
            }
            // A move that is possible before pruning is not ignored: it leads to states that pruning removed.
            let mut rest = vec![(knowing.clone(), zone.clone())];
            for at in unpruned.move_ids(self.left.origins[pair.0]) {
                let step = &unpruned.arena.moves[at];
                if step.action == action {
                    let cases: Vec<Cow<'_, [Atom]>> = unpruned.arena.cases(step.enabled).map(Cow::Borrowed).collect();
                    rest = subtract(rest, &unpruned.moves[at], &cases, sets)?;
                }
            }
            let mut possible = vec![(knowing, zone)];
            for (own, zone) in &rest {
                let atoms = [Cow::Owned(zone_ops::atoms_of_zone(zone))];
                possible = subtract(possible, own, &atoms, sets)?;
            }
            stay.extend(rest);
            without.extend(possible);
        }
        Ok((stay, without))
    }
}

/// `parts` without the points that satisfy one of `cases`, for the products that are among `products`.
pub(super) fn subtract<S: ProductSets>(
    parts: Parts<S::Set>,
    products: &S::Set,
    cases: &[Cow<'_, [Atom]>],
    sets: &mut S,
) -> Result<Parts<S::Set>, Halt> {
    let mut result = Vec::new();
    for (own, zone) in parts {
        let with = sets.and(&own, products)?;
        if sets.is_empty(&with) {
            result.push((own, zone));
            continue;
        }
        // Cutting along constraints that do not meet the zone would only make more parts.
        let meets = |atoms: &Cow<'_, [Atom]>| zone_ops::restricted(&zone, atoms).is_some();
        let cases: SmallVec<[_; 2]> = cases.iter().filter(|atoms| meets(atoms)).collect();
        if cases.is_empty() {
            result.push((own, zone));
            continue;
        }
        let without = sets.minus(&own, products)?;
        let mut rest = vec![zone.clone()];
        for atoms in cases {
            let mut outside = Vec::new();
            for zone in rest {
                zone_ops::subtract(zone, atoms, &mut outside);
            }
            rest = outside;
        }
        result.extend(rest.into_iter().map(|zone| (with.clone(), zone)));
        if !sets.is_empty(&without) {
            result.push((without, zone));
        }
    }
    Ok(result)
}
