//! The states in which a game may be after an observation: per node a union of zones.
//!
//! A zone has the game's clocks and a last one, the stopwatch, which is 0 in every estimate. While a delay is followed, the
//! stopwatch shows how much of the delay is over, so that hidden steps are taken at any time during it, both ends included.
//! With widening ([`Estimator::widening`]) an estimate may be larger than the truth, never smaller.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::walker::compared;
use crate::symbolic::{Arena, Atom, INITIAL, NodeId, zone_ops};
use tamper_text::{Budget, IndexVec, StopReason};
use tamper_timed::model::{ActionId, Role};
use tamper_zones::{Bound, Clock, Dbm, Federation, Variable, future_within};

/// The states in which a game may be.
#[derive(Clone, Default, Debug)]
pub(super) struct Estimate {
    nodes: BTreeMap<NodeId, Federation>,
}

/// The reason why an estimate was not made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Halted {
    Limit(StopReason),
    /// The limit of the search on zones was reached.
    Effort,
}

/// Follows a game by observations of it.
pub(super) struct Estimator<'a> {
    arena: &'a Arena,
    /// Per visited node, its existing states.
    alive: IndexVec<NodeId, OnceCell<Federation>>,
    widening: bool,
    budget: &'a Budget,
    n_zones: u64,
    max_zones: u64,
}

impl Estimate {
    /// Whether the game can be in no state.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes in which the game may be, with the clock values there.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Federation)> {
        self.nodes.iter().map(|(node, zones)| (*node, zones))
    }

    /// Whether every zone of this estimate lies in one of `other`.
    pub fn is_within(&self, other: &Self) -> bool {
        self.nodes.iter().all(|(node, zones)| {
            let known = other.nodes.get(node);
            let covered = |zone: &Dbm| known.is_some_and(|known| known.zones().iter().any(|k| k.includes(zone)));
            zones.zones().iter().all(covered)
        })
    }
}

impl<'a> Estimator<'a> {
    /// For the game of `arena`; at most `max_zones` zones are made.
    pub fn new(arena: &'a Arena, widening: bool, budget: &'a Budget, max_zones: u64) -> Self {
        Self {
            alive: IndexVec::filled(OnceCell::new(), arena.nodes.len()),
            arena,
            widening,
            budget,
            n_zones: 0,
            max_zones,
        }
    }

    /// The existing states of a node.
    fn alive(&self, node: NodeId) -> &Federation {
        self.alive[node].get_or_init(|| zone_ops::federation(self.arena.dim() + 1, self.arena.alive(node)))
    }

    fn stopwatch(&self) -> Variable {
        Variable::new(self.arena.n_clocks)
    }

    /// The states in which the game may be before any observation.
    pub fn start(&mut self) -> Result<Estimate, Halted> {
        let zero = Dbm::zero(self.arena.dim() + 1);
        self.follow(vec![(INITIAL, zero)], 0)
    }

    /// The states in which it may be `span` later, without an observation in between.
    pub fn after_delay(&mut self, estimate: &Estimate, span: i64) -> Result<Estimate, Halted> {
        let all = estimate
            .nodes()
            .flat_map(|(node, zones)| zones.zones().iter().map(move |zone| (node, zone.clone())));
        self.follow(all.collect(), span)
    }

    /// The states in which it may be after `action`.
    pub fn after_action(&mut self, estimate: &Estimate, action: ActionId) -> Result<Estimate, Halted> {
        let mut reached = Vec::new();
        for (node, zones) in estimate.nodes() {
            for zone in zones.zones() {
                self.steps(
                    node,
                    zone,
                    |step| step.role != Role::Internal && step.action == action,
                    &mut reached,
                );
            }
        }
        self.follow(reached, 0)
    }

    /// Whether the game accepts `input` in every state in which it may be, none of which is inside an atomic step.
    pub fn accepts(&self, estimate: &Estimate, input: ActionId) -> bool {
        estimate.nodes().all(|(node, zones)| {
            let moves = self.arena.moves_of(node).iter().filter(|step| step.action == input);
            let cases: Vec<&[Atom]> = moves.flat_map(|step| self.arena.cases(step.enabled)).collect();
            let mut refusing = zones.zones().to_vec();
            for case in cases {
                let mut rest = Vec::new();
                refusing
                    .into_iter()
                    .for_each(|zone| zone_ops::subtract(zone, case, &mut rest));
                refusing = rest;
            }
            !self.arena.node(node).atomic && refusing.is_empty()
        })
    }

    /// The least time after which a comparison of a clock with a constant may change, as far as bounds of zones show.
    pub fn next_event(&self, estimate: &Estimate) -> Option<i64> {
        let arena = self.arena;
        let mut least: Option<i64> = None;
        for (node, zones) in estimate.nodes() {
            let moves = arena.moves_of(node).iter().flat_map(|step| arena.cases(step.enabled));
            let atoms = moves.chain(arena.alive(node)).flatten();
            for (clock, constant) in atoms.filter_map(compared) {
                for zone in zones.zones() {
                    let (upper, lower) = (zone.bound(clock, Clock::ZERO), zone.bound(Clock::ZERO, clock));
                    let upper = (!upper.is_infinite()).then(|| upper.constant());
                    let ends = upper.into_iter().chain([-lower.constant()]);
                    let times = ends.map(|end| constant - end).filter(|time| *time > 0);
                    least = least.into_iter().chain(times).min();
                }
            }
        }
        least
    }

    /// The states reached from `start` by delays and hidden steps that take `span` in all.
    fn follow(&mut self, mut waiting: Vec<(NodeId, Dbm)>, span: i64) -> Result<Estimate, Halted> {
        let dim = self.arena.dim() + 1;
        let stopwatch = self.stopwatch();
        let mut passed: BTreeMap<NodeId, Federation> = BTreeMap::new();
        let mut n_held = 0;
        while let Some((node, zone)) = waiting.pop() {
            for zone in self.waited(node, zone, span) {
                n_held += 1;
                self.n_zones += 1;
                if let Some(reason) = self.budget.exceeded(n_held, n_held * zone_ops::zone_bytes(dim)) {
                    return Err(Halted::Limit(reason));
                }
                if self.n_zones > self.max_zones {
                    return Err(Halted::Effort);
                }
                let known = passed.entry(node).or_insert_with(|| Federation::empty(dim));
                if known.zones().iter().any(|known| known.includes(&zone)) {
                    continue;
                }
                self.steps(node, &zone, |step| step.role == Role::Internal, &mut waiting);
                passed.entry(node).and_modify(|known| known.add(zone));
            }
        }
        let mut nodes = BTreeMap::new();
        for (node, zones) in passed {
            let mut now = Federation::empty(dim);
            for mut zone in zones.into_zones() {
                if zone.constrain(Clock::ZERO, stopwatch.into(), Bound::le(-span)) {
                    zone.reset(stopwatch, 0);
                    self.widened(node, zone).into_iter().for_each(|zone| now.add(zone));
                }
            }
            if !now.is_empty() {
                nodes.insert(node, now);
            }
        }
        Ok(Estimate { nodes })
    }

    /// The states of `node` in which the game may be while it waits from `zone`, until the stopwatch shows `span`.
    fn waited(&self, node: NodeId, zone: Dbm, span: i64) -> Vec<Dbm> {
        if self.arena.node(node).urgent {
            return vec![zone];
        }
        let alive = self.alive(node);
        let mut later = match alive.zones() {
            [alive] => {
                let mut later = zone;
                later.up();
                let kept = later.intersect(alive);
                assert!(kept, "a state that exists does so for no time");
                Federation::from(later)
            }
            _ => future_within(&zone.into(), alive),
        };
        let mut within = Dbm::universe(self.arena.dim() + 1);
        let kept = within.constrain(self.stopwatch().into(), Clock::ZERO, Bound::le(span));
        assert!(kept, "a span is not negative");
        later.intersect_dbm(&within);
        later.into_zones()
    }

    /// Appends to `out` the results of the moves of `node` that satisfy `is_asked`, taken from `zone`.
    fn steps(
        &self,
        node: NodeId,
        zone: &Dbm,
        is_asked: impl Fn(&crate::symbolic::Move) -> bool,
        out: &mut Vec<(NodeId, Dbm)>,
    ) {
        for step in self.arena.moves_of(node).iter().filter(|step| is_asked(step)) {
            for case in self.arena.cases(step.enabled) {
                if let Some(mut reached) = zone_ops::restricted(zone, case) {
                    zone_ops::reset_all(&mut reached, self.arena.resets_of(step));
                    out.push((step.target, reached));
                }
            }
        }
    }

    /// A superset of `zone`, one of finitely many; without widening `zone` itself.
    fn widened(&self, node: NodeId, zone: Dbm) -> Vec<Dbm> {
        if !self.widening {
            return vec![zone];
        }
        let own = self.arena.max_bounds_of(node).iter().copied();
        let max: Vec<i64> = std::iter::once(0).chain(own).chain([0]).collect();
        let mut parts = Vec::new();
        zone_ops::normalise(zone, &self.arena.diagonals, &max, &mut parts);
        // States that are not alive were never reached; and the stopwatch is 0, whatever widening has forgotten.
        let alive = self.alive(node);
        let mut kept = Federation::from_zones(self.arena.dim() + 1, parts);
        kept.intersect(alive);
        let mut zones = kept.into_zones();
        zones.iter_mut().for_each(|zone| zone.reset(self.stopwatch(), 0));
        zones
    }
}
