//! The identity check, node by node.

use smallvec::SmallVec;

use super::{Baseline, Containment, parts};
use crate::game::forward::is_covered;
use crate::model::Role;
use crate::symbolic::{Arena, INITIAL, Move, index, zone_ops};
use crate::zones::{Dbm, Federation, safe_future};

/// A mutant held against a baseline, node by node.
pub(in crate::game) struct Check<'a> {
    pub baseline: &'a Baseline,
    pub mutant: &'a Arena,
    /// Per node of the baseline, the mutant's.
    pub nodes: &'a [Option<u32>],
}

impl Check<'_> {
    pub(super) fn run(&self) -> Option<Containment> {
        let mut reason = Containment::Unreached;
        let is_reached = self.reached_nodes();
        let reached = self
            .baseline
            .reach
            .zones
            .iter()
            .enumerate()
            .filter(|(_, zones)| !zones.is_empty());
        for (node, zones) in reached {
            let Some(other) = self.nodes[node] else { continue };
            let checked = self.check_node(index(node), other, zones);
            reason = reason.max(match checked {
                None if is_reached[other as usize] => return None,
                // The mutant, pruned, does not get there.
                None if self.baseline.semantics.prune => Containment::DeadEnd,
                None => Containment::Unreached,
                Some(_) if !is_reached[other as usize] => Containment::Unreached,
                Some(found) => found,
            });
        }
        (reason != Containment::IgnoredDominated || self.differs_by_ignored_only()).then_some(reason)
    }

    /// Per node of the mutant, whether moves that its pruning leaves lead there.
    pub fn reached_nodes(&self) -> Vec<bool> {
        let mut is_reached = vec![false; self.mutant.nodes.len()];
        let mut waiting = vec![INITIAL];
        while let Some(node) = waiting.pop() {
            if std::mem::replace(&mut is_reached[node as usize], true) {
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

    /// What keeps the mutant's node `other` within the automaton's node `node`.
    pub fn check_node(&self, node: u32, other: u32, zones: &[Dbm]) -> Option<Containment> {
        let mut reason = self.check_delay(node, other, zones)?;
        for step in self
            .mutant
            .moves_of(other)
            .iter()
            .filter(|step| step.role != Role::Input)
        {
            reason = reason.max(self.check_output(node, other, step, zones)?);
        }
        // The specification never offers an input that an earlier mutation added.
        let offered = |step: &&Move| step.role == Role::Input && (step.action as usize) < self.baseline.n_known_actions;
        for step in self.baseline.whole.moves_of(node).iter().filter(offered) {
            reason = reason.max(self.check_input(other, step, zones)?);
        }
        Some(reason)
    }

    /// The part of `zones` where the mutant is consistent.
    fn alive(&self, other: u32, zones: &[Dbm]) -> Vec<Dbm> {
        let part = |zone| {
            self.mutant
                .alive(other)
                .filter_map(move |atoms| zone_ops::restricted(zone, atoms))
        };
        zones.iter().flat_map(part).collect()
    }

    /// All states of a node of the mutant, whether or not a run leads there.
    fn everywhere(&self, other: u32) -> Vec<Dbm> {
        let invariant = self.mutant.atoms_of(self.mutant.node(other).invariant);
        zone_ops::restricted(&Dbm::universe(self.mutant.dim()), invariant)
            .into_iter()
            .collect()
    }

    fn check_delay(&self, node: u32, other: u32, zones: &[Dbm]) -> Option<Containment> {
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
        let later = safe_future(&start, &alive.complement());
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

    fn check_output(&self, node: u32, other: u32, step: &Move, zones: &[Dbm]) -> Option<Containment> {
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
        // Where the mutant, unpruned, can take the edge.
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
        if parts(&self.alive(other, zones), self.mutant, step).iter().all(covers) {
            return Some(Containment::DeadEnd);
        }
        self.check_ignored(node, other, step, zones)
    }

    /// Whether the new move is an ignored output that leads to a state which refines the one it leaves.
    fn check_ignored(&self, node: u32, other: u32, step: &Move, zones: &[Dbm]) -> Option<Containment> {
        let baseline = self.baseline;
        if !baseline.is_ignored(step) {
            return None;
        }
        let target = index(self.nodes.iter().position(|known| *known == Some(step.target))?);
        let resets = self.mutant.resets_of(step);
        if !resets
            .iter()
            .all(|(variable, _)| baseline.is_idle(variable.index(), node))
        {
            return None;
        }
        // An ignored output must not be the only progress of a state: it has to be consistent without it.
        if step.target == other {
            let taken = parts(&self.alive(other, zones), self.mutant, step);
            let was_consistent = taken.iter().all(|zone| is_covered(zone, baseline.pruned.alive(node)));
            return was_consistent.then_some(Containment::IgnoredLoop);
        }
        // From here on the mutant may be where the automaton's runs do not lead: every state with the guard counts.
        let taken = parts(&self.everywhere(other), self.mutant, step);
        let consistent = |zone: &Dbm| {
            is_covered(zone, baseline.pruned.alive(node)) && is_covered(zone, baseline.pruned.alive(target))
        };
        if !taken.iter().all(consistent) {
            return None;
        }
        // Fills the table.
        baseline.dominated(target, node);
        let table = baseline.dominated.get()?;
        let dominated = |zone: &Dbm| {
            let mut within = zone.clone();
            within.up();
            baseline.dominates_once(table, (target, node), &baseline.existing(target, &within))
        };
        taken.iter().all(dominated).then_some(Containment::IgnoredDominated)
    }

    fn check_input(&self, other: u32, step: &Move, zones: &[Dbm]) -> Option<Containment> {
        let whole = &self.baseline.whole;
        let fits = |answer: &&Move| self.same_effect(step, answer);
        let answers: SmallVec<[&Move; 4]> = self.mutant.moves_of(other).iter().filter(fits).collect();
        let guard = whole.atoms_of(step.guard);
        let same = |answer: &&Move| self.mutant.atoms_of(answer.guard) == guard && self.same_invariant(answer);
        if answers.iter().any(same) {
            return Some(Containment::Unreached);
        }
        let accepts = |part: &Dbm| {
            is_covered(
                part,
                answers.iter().flat_map(|answer| self.mutant.cases(answer.enabled)),
            )
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
    fn same_effect(&self, known: &Move, step: &Move) -> bool {
        known.action == step.action
            && self.nodes[known.target as usize] == Some(step.target)
            && self
                .baseline
                .same_resets(&self.baseline.whole, known, self.mutant, step)
    }

    /// Whether the target of a move of the mutant has the same invariant in the automaton.
    fn same_invariant(&self, step: &Move) -> bool {
        let known = self.nodes.iter().position(|other| *other == Some(step.target));
        known.is_some_and(|known| {
            let node = &self.baseline.whole.nodes[known];
            self.baseline.whole.atoms_of(node.invariant)
                == self.mutant.atoms_of(self.mutant.node(step.target).invariant)
        })
    }

    /// Whether the specification never has to do with the move: an ignored output, or an input that it does not know.
    fn is_unanswered(&self, step: &Move) -> bool {
        let is_unknown = step.action as usize >= self.baseline.n_known_actions;
        self.baseline.is_ignored(step) || (is_unknown && step.role == Role::Input)
    }

    /// Whether the mutant differs from the automaton only in outputs that are ignored and inputs that are never offered.
    fn differs_by_ignored_only(&self) -> bool {
        (0..index(self.nodes.len())).all(|node| self.differs_by_ignored_at(node))
    }

    /// The same of the automaton's node `node` alone: what it can do and its invariant.
    pub fn differs_by_ignored_at(&self, node: u32) -> bool {
        let whole = &self.baseline.whole;
        let Some(other) = self.nodes[node as usize] else {
            return false;
        };
        let answered = |step: &&Move| !self.is_unanswered(step);
        let mut known = whole.moves_of(node).iter().filter(answered);
        let mut now = self.mutant.moves_of(other).iter().filter(answered);
        let same =
            |a: &Move, b: &Move| self.same_effect(a, b) && whole.atoms_of(a.guard) == self.mutant.atoms_of(b.guard);
        let invariants =
            whole.atoms_of(whole.node(node).invariant) == self.mutant.atoms_of(self.mutant.node(other).invariant);
        invariants
            && loop {
                match (known.next(), now.next()) {
                    (None, None) => break true,
                    (Some(a), Some(b)) if same(a, b) => {}
                    _ => break false,
                }
            }
    }
}
