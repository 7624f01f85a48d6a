//! `find_observation` and `propagate_observable` (\[002\] Figures 3 and 4) over zones.
//!
//! Two things differ from the printed algorithm. Line 37 of Figure 4 has definition and use the wrong way round (the text and
//! Example 4 have them right). And a state is also stopped if the facts that are affected in it were affected in known states that
//! include it: line 10 alone would let a loop on which something observable stays affected go round for ever.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use super::changes::{Affected, AffectedSet, Changes};
use crate::error::SuiteFailure;
use tamper_game::symbolic::{Arena, INITIAL, NodeId, zone_ops};
use tamper_text::{Budget, IndexVec};
use tamper_timed::model::{EdgeId, LocId};
use tamper_zones::Dbm;

struct ChainState {
    node: NodeId,
    zone: Dbm,
    /// The previous state, and the edge from it.
    by: Option<(usize, EdgeId)>,
    affected: AffectedSet,
    /// The facts that are known to be observed later if they are affected here.
    observable: AffectedSet,
    /// States that were stopped because this state includes them.
    idems: Vec<usize>,
}

pub(super) struct Search<'a> {
    arena: &'a Arena,
    changes: &'a Changes,
    without: &'a [EdgeId],
    /// The facts that may be observed from a location on, guards aside (\[002\] section 4, note 1). No other facts are followed.
    may_observe: IndexVec<LocId, AffectedSet>,
    states: Vec<ChainState>,
    visited: FxHashMap<NodeId, Vec<usize>>,
    waiting: VecDeque<usize>,
    /// Whether the state that was entered last is visited first.
    pub depth_first: bool,
    /// Number of states visited, counted again where a stopped path was resumed.
    pub looked_at: u64,
    /// Number of times that a stopped path was resumed.
    pub resumed: u64,
}

impl<'a> Search<'a> {
    pub fn new(arena: &'a Arena, changes: &'a Changes, without: &'a [EdgeId]) -> Self {
        Self {
            arena,
            changes,
            without,
            may_observe: may_observe(changes, without),
            states: Vec::new(),
            visited: FxHashMap::default(),
            waiting: VecDeque::new(),
            depth_first: false,
            looked_at: 0,
            resumed: 0,
        }
    }

    /// The first path on which the change reaches an observation by definitions and uses.
    pub fn find_observation(&mut self, budget: &Budget) -> Result<Option<Vec<EdgeId>>, SuiteFailure> {
        let fault = AffectedSet::from([Affected::Fault]);
        self.enter(INITIAL, Dbm::zero(self.arena.dim()), fault, None);
        let bytes = zone_ops::zone_bytes(self.arena.dim());
        while let Some(at) = match self.depth_first {
            true => self.waiting.pop_back(),
            false => self.waiting.pop_front(),
        } {
            self.looked_at += 1;
            if let Some(reason) = budget.exceeded(self.looked_at, self.states.len() as u64 * bytes) {
                return Err(reason.into());
            }
            if self.is_stopped(at) {
                continue;
            }
            let node = self.states[at].node;
            self.visited.entry(node).or_default().push(at);
            if let Some(last) = self.expand(at) {
                return Ok(Some(self.path(at, last)));
            }
        }
        Ok(None)
    }

    /// Enters the successors. Returns the edge that shows an affected fact, if any.
    fn expand(&mut self, at: usize) -> Option<EdgeId> {
        let (arena, changes) = (self.arena, self.changes);
        for step in arena.moves_of(self.states[at].node) {
            let Some(edge) = step.edge.filter(|edge| !self.without.contains(edge)) else {
                continue;
            };
            let flow = &changes.flows[edge];
            for atoms in arena.cases(step.enabled) {
                let ChainState { zone, affected, .. } = &self.states[at];
                let Some(mut zone) = zone_ops::restricted(zone, atoms) else {
                    continue;
                };
                if !flow.shows.is_disjoint(affected) {
                    return Some(edge);
                }
                let after = flow.after(affected);
                flow.shows.iter().for_each(|fact| self.propagate_observable(*fact, at));
                zone_ops::reset_all(&mut zone, arena.resets_of(step));
                self.enter(step.target, zone, after, Some((at, edge)));
            }
        }
        None
    }

    fn enter(&mut self, node: NodeId, mut zone: Dbm, mut affected: AffectedSet, by: Option<(usize, EdgeId)>) {
        let (arena, parts) = (self.arena, self.arena.node(node));
        affected.retain(|fact| self.may_observe[parts.location].contains(fact));
        if !parts.urgent {
            zone.up();
        }
        if !zone_ops::restrict(&mut zone, arena.atoms_of(parts.invariant)) {
            return;
        }
        let mut zones = Vec::new();
        let max = [&[0], arena.max_bounds_of(node)].concat();
        zone_ops::normalise(zone, &arena.diagonals, &max, &mut zones);
        for zone in zones {
            let new = self.states.len();
            self.states.push(ChainState {
                node,
                zone,
                by,
                affected: affected.clone(),
                observable: AffectedSet::new(),
                idems: Vec::new(),
            });
            match affected.is_empty() {
                false => self.waiting.push_back(new),
                // A state without affected facts is not followed: all that may be observed counts as observed.
                true => {
                    let facts = self.may_observe[parts.location].clone();
                    facts.into_iter().for_each(|fact| self.propagate_observable(fact, new));
                }
            }
        }
    }

    /// Whether no fact that is affected here, and was not affected in known states that include this one, is known to be observed
    /// from there. Then the state waits until more is known.
    fn is_stopped(&mut self, at: usize) -> bool {
        let ChainState { node, zone, .. } = &self.states[at];
        let known = self.visited.get(node).into_iter().flatten().copied();
        let known: Vec<usize> = known.filter(|old| self.states[*old].zone.includes(zone)).collect();
        let Some(first) = known.first().copied() else {
            return false;
        };
        // Facts noted for this state may in turn be noted for the known one, so the difference is computed again each time.
        let missing = |states: &[ChainState]| {
            let mut missing = states[first].observable.difference(&states[at].observable);
            missing.next().copied()
        };
        while let Some(fact) = missing(&self.states) {
            self.propagate_observable(fact, at);
        }
        let was_affected: BTreeSet<_> = known.iter().flat_map(|old| &self.states[*old].affected).collect();
        let mut new = self.states[at]
            .affected
            .iter()
            .filter(|fact| !was_affected.contains(fact));
        let is_stopped = !new.any(|fact| self.states[first].observable.contains(fact));
        if is_stopped {
            self.states[first].idems.push(at);
        }
        is_stopped
    }

    /// Notes that `fact` is observed later if it is affected in a state, and propagates this to earlier states.
    fn propagate_observable(&mut self, fact: Affected, at: usize) {
        let mut open = vec![(fact, at)];
        while let Some((fact, at)) = open.pop() {
            let state = &mut self.states[at];
            if !state.observable.insert(fact) {
                continue;
            }
            self.resumed += state.idems.len() as u64;
            self.waiting.extend(state.idems.drain(..));
            if let Some((before, edge)) = state.by {
                let facts = self.changes.flows[edge].before(fact);
                open.extend(facts.into_iter().map(|fact| (fact, before)));
            }
        }
    }

    fn path(&self, mut at: usize, last: EdgeId) -> Vec<EdgeId> {
        let mut path = vec![last];
        while let Some((before, edge)) = self.states[at].by {
            path.push(edge);
            at = before;
        }
        path.reverse();
        path
    }
}

fn may_observe(changes: &Changes, without: &[EdgeId]) -> IndexVec<LocId, AffectedSet> {
    let mut may = IndexVec::filled(AffectedSet::new(), changes.game.locations().len());
    let mut is_stable = false;
    while !is_stable {
        is_stable = true;
        let edges = changes.game.edges().iter_enumerated().rev();
        for (id, edge) in edges.filter(|(id, _)| !without.contains(id)) {
            let flow = &changes.flows[id];
            let before = may[edge.target].iter().flat_map(|fact| flow.before(*fact));
            let facts: AffectedSet = before.chain(flow.shows.iter().copied()).collect();
            let n_known = may[edge.source].len();
            may[edge.source].extend(facts);
            is_stable &= may[edge.source].len() == n_known;
        }
    }
    may
}
