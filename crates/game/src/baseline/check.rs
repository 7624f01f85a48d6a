//! The identity check, node by node.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::containment::Containment;
use super::{Baseline, parts};
use crate::forward::is_covered;
use crate::product::turns_known;
use crate::semantics::Unmatched;
use crate::specification::consistent_arena;
use crate::symbolic::{Arena, GameError, Halt, INITIAL, Move, NodeId, zone_ops};
use tamper_text::{Budget, IndexVec};
use tamper_timed::model::{Automaton, Role};
use tamper_zones::{Dbm, Federation, Variable, future_within};

/// A mutant compared with a baseline, node by node.
pub(crate) struct Check<'a> {
    pub baseline: &'a Baseline,
    pub mutant: &'a Arena,
    /// Per node of the baseline, the mutant's node.
    pub nodes: &'a IndexVec<NodeId, Option<NodeId>>,
    /// Per node of the mutant, the baseline's node, if it is known without a search.
    pub origins: Option<&'a IndexVec<NodeId, Option<NodeId>>>,
}

impl Check<'_> {
    /// The reason why the mutant is contained: its states agree with the automaton's, or everything new is ignored.
    pub(super) fn run(&self) -> Option<Containment> {
        let is_reached = self.reached_nodes();
        let is_there = |node: NodeId| self.nodes[node].is_some_and(|other| is_reached[other]);
        self.on_runs(is_there)
            .or_else(|| self.largest_reason(|node| is_there(node).then(|| self.check_ignored_at(node))))
    }

    /// The identity check on all states that runs of the automaton reach; nodes that pruning keeps the mutant out of always
    /// pass.
    fn on_runs(&self, is_there: impl Fn(NodeId) -> bool) -> Option<Containment> {
        let prunes = self.baseline.semantics.prune;
        self.largest_reason(|node| {
            let zones = self.baseline.reached(node);
            let other = self.nodes[node].filter(|_| !zones.is_empty())?;
            let checked = self.check_node(node, other, zones);
            if is_there(node) {
                return Some(checked);
            }
            // The mutant, pruned, does not get there.
            let is_less = checked.or_else(|| self.check_ignored_at(node)).is_some();
            Some(Some(if prunes && !is_less {
                Containment::DeadEnd
            } else {
                Containment::Unreached
            }))
        })
    }

    /// The largest of the reasons at the checked nodes; `None` if the check fails at one of them.
    fn largest_reason(&self, at: impl Fn(NodeId) -> Option<Option<Containment>>) -> Option<Containment> {
        let mut reasons = self.nodes.ids().filter_map(at);
        reasons.try_fold(Containment::Unreached, |largest, reason| Some(largest.max(reason?)))
    }

    /// Per node of the mutant, whether the moves left by its pruning lead there.
    pub fn reached_nodes(&self) -> IndexVec<NodeId, bool> {
        let mut is_reached = IndexVec::filled(false, self.mutant.nodes.len());
        let mut waiting = vec![INITIAL];
        while let Some(node) = waiting.pop() {
            if std::mem::replace(&mut is_reached[node], true) {
                continue;
            }
            let possible = self
                .mutant
                .moves_of(node)
                .iter()
                .filter(|step| step.enabled.start < step.enabled.end);
            waiting.extend(possible.map(|step| step.target));
        }
        is_reached
    }

    /// The reason why the mutant's node `other` stays within the automaton's node `node` in the states of `zones`; `None`
    /// if it does not.
    pub fn check_node(&self, node: NodeId, other: NodeId, zones: &[Dbm]) -> Option<Containment> {
        let mut reason = self.check_delay(node, other, zones)?;
        for step in self.mutant.moves_of(other).iter().filter(is_no_input) {
            let known = || self.check_output(node, other, step, zones);
            reason = reason.max(known().or_else(|| self.check_idle_loop(node, other, step, zones))?);
        }
        for step in self.baseline.inputs_that_count(node) {
            reason = reason.max(self.check_input(other, step, zones)?);
        }
        Some(reason)
    }

    /// The reason why the mutant's states in the automaton's node `node`, reached or not, refine the automaton's: it does
    /// the same there except for ignored outputs, and these lead to states that refine the ones they leave. `None` if this
    /// does not hold.
    pub fn check_ignored_at(&self, node: NodeId) -> Option<Containment> {
        let baseline = self.baseline;
        if baseline.semantics.unmatched != Unmatched::Ignore || !baseline.is_complete {
            return None;
        }
        let Some(other) = self.nodes[node] else {
            return Some(Containment::Unreached);
        };
        if !self.answers_alike(node, other) {
            return None;
        }
        let everywhere = self.everywhere(other);
        let mut reason = Containment::Unreached;
        let ignored = |step: &&Move| baseline.is_ignored(step);
        for step in self.mutant.moves_of(other).iter().filter(ignored) {
            let known = || self.check_output(node, other, step, &everywhere);
            reason = reason.max(known().or_else(|| self.check_ignored(node, other, step))?);
        }
        for step in baseline.inputs_that_count(node).filter(|step| !baseline.is_known(step)) {
            reason = reason.max(self.check_input(other, step, &everywhere)?);
        }
        Some(reason)
    }

    /// The node of the baseline that corresponds to a node of the mutant.
    fn origin(&self, other: NodeId) -> Option<NodeId> {
        match self.origins {
            Some(origins) => origins[other],
            None => self.nodes.ids().find(|node| self.nodes[*node] == Some(other)),
        }
    }

    /// The part of `zones` where the mutant is consistent.
    fn alive(&self, other: NodeId, zones: &[Dbm]) -> Vec<Dbm> {
        let part = |zone| {
            self.mutant
                .alive(other)
                .filter_map(move |atoms| zone_ops::restricted(zone, atoms))
        };
        zones.iter().flat_map(part).collect()
    }

    /// All states of a node of the mutant, whether or not a run leads there.
    fn everywhere(&self, other: NodeId) -> Vec<Dbm> {
        let invariant = self.mutant.atoms_of(self.mutant.node(other).invariant);
        zone_ops::restricted(&Dbm::universe(self.mutant.dim()), invariant)
            .into_iter()
            .collect()
    }

    fn check_delay(&self, node: NodeId, other: NodeId, zones: &[Dbm]) -> Option<Containment> {
        let whole = &self.baseline.whole;
        let dim = whole.dim();
        if self.mutant.node(other).urgent {
            return Some(Containment::Unreached);
        }
        let invariant = whole.atoms_of(whole.node(node).invariant);
        let same = whole.node(node).urgent == self.mutant.node(other).urgent
            && invariant == self.mutant.atoms_of(self.mutant.node(other).invariant);
        if same {
            return Some(Containment::Unreached);
        }
        let alive = zone_ops::federation(dim, self.mutant.alive(other));
        let mut start = Federation::empty(dim);
        for zone in self.alive(other, zones) {
            start.add(zone);
        }
        if whole.node(node).urgent {
            let mut delayed = alive.delayable();
            delayed.intersect(&start);
            return delayed.is_empty().then_some(Containment::DeadEnd);
        }
        let later = future_within(&start, &alive);
        let within = |zone: &Dbm| is_covered(zone, std::iter::once(invariant));
        if !later.zones().iter().all(within) {
            return None;
        }
        let longest = self.mutant.atoms_of(self.mutant.node(other).invariant);
        if zone_ops::restricted(&Dbm::universe(dim), longest)
            .as_ref()
            .is_none_or(within)
        {
            return Some(Containment::Narrower);
        }
        let mut unpruned = start;
        unpruned.up();
        unpruned.intersect(&zone_ops::federation(
            dim,
            [self.mutant.atoms_of(self.mutant.node(other).invariant)],
        ));
        let was_within = unpruned.zones().iter().all(within);
        Some(if was_within {
            Containment::NeverEnabled
        } else {
            Containment::DeadEnd
        })
    }

    fn check_output(&self, node: NodeId, other: NodeId, step: &Move, zones: &[Dbm]) -> Option<Containment> {
        let whole = &self.baseline.whole;
        let fits = |known: &&Move| self.same_effect(known, step);
        let known: SmallVec<[&Move; 4]> = whole.moves_of(node).iter().filter(fits).collect();
        let guard = self.mutant.atoms_of(step.guard);
        if known.iter().any(|known| whole.atoms_of(known.guard) == guard) && self.same_invariant(step) {
            return Some(Containment::Unreached);
        }
        let covers = |part: &Dbm| {
            let cases = known.iter().flat_map(|known| whole.cases(known.enabled));
            is_covered(part, cases)
        };
        // The condition under which the unpruned mutant can take the edge.
        let mut possible = guard.to_vec();
        let invariant = self.mutant.atoms_of(self.mutant.node(step.target).invariant);
        if !self.mutant.before_resets(invariant, step, &mut possible) {
            return Some(Containment::NeverEnabled);
        }
        let taken = |zones: &[Dbm]| -> Vec<Dbm> {
            let part = |zone| zone_ops::restricted(zone, &possible);
            zones.iter().filter_map(part).collect()
        };
        if !known.is_empty() && taken(&self.everywhere(other)).iter().all(covers) {
            return Some(Containment::Narrower);
        }
        if taken(zones).iter().all(covers) {
            return Some(Containment::NeverEnabled);
        }
        parts(&self.alive(other, zones), self.mutant, step)
            .iter()
            .all(covers)
            .then_some(Containment::DeadEnd)
    }

    /// Whether the new move is an ignored output that changes nothing: it leads from states of `zones` to the same states.
    fn check_idle_loop(&self, node: NodeId, other: NodeId, step: &Move, zones: &[Dbm]) -> Option<Containment> {
        let changes = step.target != other || !self.mutant.resets_of(step).is_empty();
        if changes || !self.baseline.is_ignored(step) {
            return None;
        }
        let taken = parts(&self.alive(other, zones), self.mutant, step);
        self.was_consistent(node, &taken).then_some(Containment::IgnoredLoop)
    }

    /// Whether the automaton is consistent in these states of `node`. An ignored output must not be the only progress
    /// of a state.
    fn was_consistent(&self, node: NodeId, states: &[Dbm]) -> bool {
        states
            .iter()
            .all(|zone| is_covered(zone, self.baseline.pruned.alive(node)))
    }

    /// Whether the new move is an ignored output that leads, from wherever it is possible, to a state that refines the one
    /// it leaves. The mutant may then be where no run of the automaton leads.
    fn check_ignored(&self, node: NodeId, other: NodeId, step: &Move) -> Option<Containment> {
        let baseline = self.baseline;
        let target = self.origin(step.target)?;
        let resets = self.mutant.resets_of(step);
        let is_idle = |reset: &(Variable, i64)| baseline.is_idle(reset.0.index(), node);
        if !resets.iter().all(is_idle) {
            return None;
        }
        let mut states = parts(&self.alive(other, &self.everywhere(other)), self.mutant, step);
        if !self.was_consistent(node, &states) {
            return None;
        }
        if step.target == other {
            return Some(Containment::IgnoredLoop);
        }
        // A clock that is idle at the source of the move may be compared at its target.
        for zone in &mut states {
            zone_ops::reset_all(zone, resets);
        }
        let refines = |zone: &Dbm| baseline.refines_within(target, node, zone);
        (self.was_consistent(target, &states) && states.iter().all(refines)).then_some(Containment::IgnoredDominated)
    }

    /// Whether the mutant accepts the automaton's input: an input that the specification offers, or one that decides about
    /// the automaton's consistency, where the mutant is consistent without it only if the automaton is.
    fn check_input(&self, other: NodeId, step: &Move, zones: &[Dbm]) -> Option<Containment> {
        let whole = &self.baseline.whole;
        let fits = |answer: &&Move| self.same_effect(step, answer);
        let answers: SmallVec<[&Move; 4]> = self.mutant.moves_of(other).iter().filter(fits).collect();
        let guard = whole.atoms_of(step.guard);
        let same = |answer: &&Move| self.mutant.atoms_of(answer.guard) == guard && self.same_invariant(answer);
        if answers.iter().any(same) {
            return Some(Containment::Unreached);
        }
        let harmless = self.baseline.stays_consistent(step);
        let accepts = |part: &Dbm| {
            let accepted = answers.iter().flat_map(|answer| self.mutant.cases(answer.enabled));
            is_covered(part, accepted.chain(harmless.iter().map(Vec::as_slice)))
        };
        if parts(&self.everywhere(other), whole, step).iter().all(accepts) {
            return Some(Containment::Narrower);
        }
        if parts(zones, whole, step).iter().all(accepts) {
            return Some(Containment::NeverEnabled);
        }
        let alive = self.alive(other, zones);
        parts(&alive, whole, step)
            .iter()
            .all(accepts)
            .then_some(Containment::DeadEnd)
    }

    /// Whether a move of the automaton and one of the mutant have the same action, resets and target.
    pub(super) fn same_effect(&self, known: &Move, step: &Move) -> bool {
        known.action == step.action
            && self.nodes[known.target] == Some(step.target)
            && self
                .baseline
                .same_resets(&self.baseline.whole, known, self.mutant, step)
    }

    /// Whether the target of a move of the mutant has the same invariant in the automaton.
    pub(super) fn same_invariant(&self, step: &Move) -> bool {
        self.origin(step.target).is_some_and(|known| {
            let node = self.baseline.whole.node(known);
            self.baseline.whole.atoms_of(node.invariant)
                == self.mutant.atoms_of(self.mutant.node(step.target).invariant)
        })
    }

    /// Whether the two nodes have the same invariant and the same moves into the same invariants, apart from ignored
    /// outputs and inputs that the specification does not know, and time stops in the mutant's node if it does in the
    /// other.
    fn answers_alike(&self, node: NodeId, other: NodeId) -> bool {
        let (baseline, whole) = (self.baseline, &self.baseline.whole);
        let answered =
            |step: &&Move| !baseline.is_ignored(step) && (step.role != Role::Input || baseline.is_known(step));
        let known = whole.moves_of(node).iter().filter(answered);
        let now = self.mutant.moves_of(other).iter().filter(answered);
        // A target that is no longer entered is not checked separately, so its invariant is compared here.
        let same = |a: &Move, b: &Move| {
            self.same_effect(a, b) && whole.atoms_of(a.guard) == self.mutant.atoms_of(b.guard) && self.same_invariant(b)
        };
        let waits_longer = whole.node(node).urgent && !self.mutant.node(other).urgent;
        !waits_longer
            && whole.atoms_of(whole.node(node).invariant) == self.mutant.atoms_of(self.mutant.node(other).invariant)
            && known.clone().count() == now.clone().count()
            && known.zip(now).all(|(a, b)| same(a, b))
    }
}

impl Baseline {
    /// The reason why `mutant`, made from this automaton, refines it or is inconsistent; `None` if these facts do not
    /// decide.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn contains(&self, mutant: &Automaton, budget: &Budget) -> Result<Option<Containment>, GameError> {
        if !self.is_origin_of(mutant) || turns_known(mutant, self.n_known_actions) {
            return Ok(None);
        }
        let arena = match consistent_arena(mutant, self.semantics.prune, budget) {
            Ok(Some(arena)) => arena,
            Ok(None) => return Ok(Some(Containment::Inconsistent)),
            Err(Halt::Stopped(_)) => return Ok(None),
            Err(Halt::Error(error)) => return Err(error),
        };
        let check = Check {
            baseline: self,
            nodes: &node_map(&self.automaton, &self.whole, mutant, &arena),
            mutant: &arena,
            origins: None,
        };
        Ok(check.run())
    }
}

/// Per node of the automaton, the mutant's node of the same location and integers.
fn node_map(
    automaton: &Automaton,
    arena: &Arena,
    mutant: &Automaton,
    mutant_arena: &Arena,
) -> IndexVec<NodeId, Option<NodeId>> {
    let nodes = mutant_arena.nodes.ids();
    let known: FxHashMap<_, NodeId> = nodes
        .map(|node| (state_key(mutant, mutant_arena, node), node))
        .collect();
    let counterpart = |node| known.get(&state_key(automaton, arena, node)).copied();
    arena.nodes.ids().map(counterpart).collect()
}

/// The identity of a node, independent of its number: its location's name and the integers.
fn state_key<'a>(automaton: &'a Automaton, arena: &'a Arena, node: NodeId) -> (&'a str, &'a [i32]) {
    let name = &automaton.locations()[arena.node(node).location].name;
    (name, arena.values_of(node))
}

fn is_no_input(step: &&Move) -> bool {
    step.role != Role::Input
}
