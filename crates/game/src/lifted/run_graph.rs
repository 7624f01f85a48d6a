//! All runs of products beside the specification, as a graph.
//!
//! [`super::forward`] computes sets of products during the exploration; here each step only records the condition on
//! products. A product shows a failure if and only if a path of steps that it can make leads to one. Only equal zones are
//! merged into one state, since the products that reach a larger zone are not known.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::forward::LiftedProduct;
use super::products::{Lowered, lower};
use crate::forward::is_covered;
use crate::product::{ActionMap, ArenaProduct, Challenge, Mover, StateId};
use crate::semantics::Unmatched;
use crate::specification::Specification;
use crate::symbolic::{Atom, Halt, INITIAL, MoveId, Pair, PairProduct as _, SharedArena, zone_ops};
use tamper_features::ProductSets;
use tamper_text::{Budget, IndexVec, StopReason};
use tamper_timed::featured::FeaturedAutomaton;
use tamper_zones::{Dbm, Federation, future_within};

/// The runs of all products, as a graph.
#[derive(Clone, Debug)]
pub struct FeaturedRunGraph<Set> {
    /// All products as one arena, not pruned.
    pub left: SharedArena<Set>,
    /// The start of the runs, with the products that begin there.
    pub starts: Vec<(Set, Goal)>,
    /// By state, the ways to continue.
    pub from: IndexVec<StateId, Vec<Way<Set>>>,
}

/// One way to continue.
#[derive(Clone, PartialEq, Debug)]
pub struct Way<Set> {
    /// The products that can take it; if `None`, all products that are in the state.
    pub when: Option<Set>,
    /// The products in these sets cannot take it.
    pub unless: Vec<Set>,
    /// The state or failure that the way leads to.
    pub to: Goal,
}

/// The end of a step of a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// To the state of that number.
    State(StateId),
    /// To something that the specification does not allow.
    Failure,
}

/// The graph of all runs of the products of `featured` beside `specification`, whose semantics is `definition`; `None` if
/// some product must be decided alone, or ignores inputs.
///
/// # Errors
/// The limit that was hit: the budget limits the states of the graph.
pub fn ways<S: ProductSets>(
    featured: &FeaturedAutomaton,
    specification: &Specification,
    sets: &mut S,
    budget: &Budget,
) -> Result<Option<FeaturedRunGraph<S::Set>>, StopReason> {
    let lowered = match lower(featured, sets, budget) {
        Ok(lowered) => lowered,
        Err(Halt::Error(_)) => return Ok(None),
        Err(Halt::Stopped(reason)) => return Err(reason),
    };
    let Lowered {
        shared: left,
        alone,
        alphabet,
    } = lowered;
    let semantics = specification.semantics();
    let is_plain = !featured.automaton().is_input_enabled()
        && semantics.unmatched == Unmatched::Reject
        && left.arena.nodes.iter().all(|node| !node.atomic);
    if !is_plain || !sets.is_empty(&alone) {
        return Ok(None);
    }
    let right = specification.behind(left.arena.n_clocks);
    let product = ArenaProduct {
        left: &left.arena,
        right: &right,
        actions: ActionMap::new(featured.automaton(), specification.automaton()),
        unmatched: semantics.unmatched,
    };
    let both = LiftedProduct {
        left: &left,
        product: &product,
        unpruned: None,
        alphabet: &alphabet,
        known: &IndexVec::new(),
    };
    let mut tracing = Tracing {
        both: &both,
        diagonals: product.diagonals(),
        states: IndexVec::new(),
        by_pair: FxHashMap::default(),
        waiting: VecDeque::new(),
        max: Vec::new(),
        from: IndexVec::new(),
        budget,
    };
    let mut starts = Vec::new();
    for (node, own) in &left.starts {
        for goal in tracing.enter((*node, INITIAL), Dbm::zero(product.dim()))? {
            starts.push((own.clone(), goal));
        }
    }
    tracing.run()?;
    let from = tracing.from;
    Ok(Some(FeaturedRunGraph { left, starts, from }))
}

struct Tracing<'a, Set> {
    both: &'a LiftedProduct<'a, Set>,
    diagonals: Vec<Atom>,
    states: IndexVec<StateId, (Pair, Dbm)>,
    by_pair: FxHashMap<Pair, Vec<StateId>>,
    waiting: VecDeque<StateId>,
    max: Vec<i64>,
    from: IndexVec<StateId, Vec<Way<Set>>>,
    budget: &'a Budget,
}

impl<Set: Clone + PartialEq> Tracing<'_, Set> {
    fn run(&mut self) -> Result<(), StopReason> {
        while let Some(at) = self.waiting.pop_front() {
            let (pair, zone) = self.states[at].clone();
            let mut ways = Vec::new();
            for (challenge, own) in self.both.challenges(pair) {
                for enabled in self.both.product.enabled(challenge) {
                    let Some(part) = zone_ops::restricted(&zone, enabled) else {
                        continue;
                    };
                    match own {
                        Some(own) => self.output(pair, challenge, &part, own, &mut ways)?,
                        None => self.input(pair, challenge, &part, &mut ways)?,
                    }
                }
            }
            self.from[at] = ways;
        }
        Ok(())
    }

    /// Adds the ways by an output that every point of `part` can make.
    fn output(
        &mut self,
        pair: Pair,
        challenge: Challenge<'_>,
        part: &Dbm,
        own: MoveId,
        ways: &mut Vec<Way<Set>>,
    ) -> Result<(), StopReason> {
        let product = self.both.product;
        let when = Some(self.both.left.moves[own].clone());
        let way = |to| Way {
            when: when.clone(),
            unless: Vec::new(),
            to,
        };
        let mut unanswered = vec![part.clone()];
        for answer in product.answers(challenge, pair) {
            for atoms in product.answer_enabled(challenge, answer) {
                let mut rest = Vec::new();
                unanswered
                    .into_iter()
                    .for_each(|zone| zone_ops::subtract(zone, atoms, &mut rest));
                unanswered = rest;
                if let Some(mut next) = zone_ops::restricted(part, atoms) {
                    product.reset(&mut next, challenge, answer);
                    let goals = self.enter(product.target(pair, challenge, answer), next)?;
                    ways.extend(goals.into_iter().map(way));
                }
            }
        }
        ways.extend((!unanswered.is_empty()).then(|| way(Goal::Failure)));
        Ok(())
    }

    /// Adds the ways by an input that a tester can give at every point of `part`. A product refuses it unless it has, at
    /// each point, one of the edges that accept it there.
    fn input(
        &mut self,
        pair: Pair,
        challenge: Challenge<'_>,
        part: &Dbm,
        ways: &mut Vec<Way<Set>>,
    ) -> Result<(), StopReason> {
        debug_assert_eq!(challenge.mover, Mover::Right, "the specification accepts inputs");
        let product = self.both.product;
        let action = product.actions.to_left()[challenge.step.action];
        let mut cells: Vec<(Vec<Set>, Dbm)> = vec![(Vec::new(), part.clone())];
        for at in self.both.left.move_ids(pair.0) {
            let step = &self.both.left.arena.moves[at];
            if Some(step.action) != action {
                continue;
            }
            let when = &self.both.left.moves[at];
            let answer = crate::product::ChallengeAnswer::Move(step);
            for atoms in self.both.left.arena.cases(step.enabled) {
                cells = zone_ops::divided(cells, atoms, when);
                if let Some(mut next) = zone_ops::restricted(part, atoms) {
                    product.reset(&mut next, challenge, answer);
                    let goals = self.enter(product.target(pair, challenge, answer), next)?;
                    ways.extend(goals.into_iter().map(|to| Way {
                        when: Some(when.clone()),
                        unless: Vec::new(),
                        to,
                    }));
                }
            }
        }
        let first = ways.len();
        for (unless, _) in cells {
            let refuses = Way {
                when: None,
                unless,
                to: Goal::Failure,
            };
            if !ways[first..].contains(&refuses) {
                ways.push(refuses);
            }
        }
        Ok(())
    }

    /// The goals that are reached from `entry` by delay.
    fn enter(&mut self, pair: Pair, entry: Dbm) -> Result<Vec<Goal>, StopReason> {
        let product = self.both.product;
        let (left_delays, right_delays) = product.may_delay(pair);
        if !left_delays {
            return self.pass(pair, entry);
        }
        if !right_delays {
            let delayable = product.left_alive(pair).delayable();
            return match delayable.zones().iter().any(|zone| zone.intersects(&entry)) {
                true => Ok(vec![Goal::Failure]),
                false => self.pass(pair, entry),
            };
        }
        let later = future_within(&Federation::from(entry), &product.left_alive(pair));
        let mut goals = Vec::new();
        for zone in later.into_zones() {
            match is_covered(&zone, product.right.alive(pair.1)) {
                true => goals.extend(self.pass(pair, zone)?),
                false => goals.push(Goal::Failure),
            }
        }
        Ok(goals)
    }

    /// The states for `zone`, extrapolated.
    fn pass(&mut self, pair: Pair, zone: Dbm) -> Result<Vec<Goal>, StopReason> {
        let product = self.both.product;
        product.max_bounds(pair, &mut self.max);
        let mut parts = Vec::new();
        zone_ops::normalise(zone, &self.diagonals, &self.max, &mut parts);
        let mut goals = Vec::with_capacity(parts.len());
        for zone in parts {
            let known = self.by_pair.entry(pair).or_default();
            let same = known.iter().find(|at| self.states[**at].1 == zone);
            if let Some(at) = same {
                goals.push(Goal::State(*at));
                continue;
            }
            let at = self.states.push((pair, zone));
            known.push(at);
            self.from.push(Vec::new());
            self.waiting.push_back(at);
            goals.push(Goal::State(at));
            let n_states = self.states.len() as u64;
            let bytes = n_states * zone_ops::zone_bytes(product.dim());
            if let Some(reason) = self.budget.exceeded(n_states, bytes) {
                return Err(reason);
            }
        }
        Ok(goals)
    }
}
