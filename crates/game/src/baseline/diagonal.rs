//! The runs on which a mutant of a composition leaves the states that it shares with the original.
//!
//! While both are in the same state one copy of the clocks is enough: the exploration covers the runs that both have, by
//! zones up to simulation (`docs/notes/0021-runs-that-leave.md`).

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::Baseline;
use super::check::Check;
use crate::semantics::Unmatched;
use crate::symbolic::{Arena, Halt, INITIAL, Move, MoveId, Node, NodeBounds, NodeId, Walk, Within, zone_ops};
use tamper_text::{Budget, Id as _, IndexVec};
use tamper_timed::model::{LocId, Role};
use tamper_zones::Dbm;

/// A mutant of a composition beside the original, lowered; its moves have the numbers of the original's actions.
pub(crate) struct Diagonal<'a> {
    baseline: &'a Baseline,
    mutant: &'a Arena,
    /// Per node of the original, the mutant's node of the same discrete state; and the other way round.
    nodes: IndexVec<NodeId, Option<NodeId>>,
    origins: IndexVec<NodeId, Option<NodeId>>,
    /// Per move of the mutant, its similarity to the original's moves.
    moves: IndexVec<MoveId, AnswerHeuristic>,
    /// The nodes of the mutant that differ from the original's in some move.
    differing: FixedBitSet,
    bounds: NodeBounds,
    /// The consistency of the mutant's reached states.
    within: Within,
}

/// The similarity of a move to the original's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AnswerHeuristic {
    /// No move of the original has the same action, resets and target.
    New,
    /// A move of the original has these, perhaps not at the same values.
    Effect,
    /// A move of the original has these, at the same values.
    Same,
}

impl<'a> Diagonal<'a> {
    /// `same` holds, per location of the composition, the mutant's location of the same discrete state; `within` is the
    /// consistency of the mutant's reached states. `None` if clocks are compared with each other, or if the games begin in
    /// different states.
    pub fn of(baseline: &'a Baseline, mutant: &'a Arena, same: &[Option<LocId>], within: Within) -> Option<Self> {
        if !mutant.diagonals.is_empty() || !baseline.whole.diagonals.is_empty() {
            return None;
        }
        let located = mutant.nodes.iter_enumerated();
        let places: FxHashMap<LocId, NodeId> = located.map(|(node, parts)| (parts.location, node)).collect();
        let counterpart = |node: &Node| places.get(&same[node.location.index()]?).copied();
        let nodes: IndexVec<NodeId, Option<NodeId>> = baseline.whole.nodes.iter().map(counterpart).collect();
        if nodes[INITIAL] != Some(INITIAL) {
            return None;
        }
        let mut origins = IndexVec::filled(None, mutant.nodes.len());
        for (known, other) in nodes.iter_enumerated() {
            if let Some(other) = other {
                origins[*other] = Some(known);
            }
        }
        let check = Check {
            baseline,
            mutant,
            nodes: &nodes,
            origins: Some(&origins),
        };
        let mut moves = IndexVec::filled(AnswerHeuristic::New, mutant.moves.len());
        let mut differing = FixedBitSet::with_capacity(mutant.nodes.len());
        for node in mutant.nodes.ids() {
            let known = origins[node];
            let is_same = known.is_some_and(|known| compare_moves(&check, known, node, &mut moves));
            // Pruning removes inputs, so that these must be checked.
            let may_refuse =
                within == Within::Part && mutant.moves_of(node).iter().any(|step| step.role == Role::Input);
            differing.set(node.index(), !is_same || may_refuse);
        }
        let is_watched = |node: NodeId| differing.contains(node.index());
        let bounds = NodeBounds::of(mutant, is_watched, |node, atoms| {
            if let Some(known) = origins[node].filter(|_| is_watched(node)) {
                let whole = &baseline.whole;
                atoms.extend_from_slice(whole.atoms_of(whole.node(known).invariant));
                let enabled = whole.moves_of(known).iter().flat_map(|step| whole.cases(step.enabled));
                enabled.for_each(|enabled| atoms.extend_from_slice(enabled));
            }
        });
        Some(Self {
            baseline,
            mutant,
            nodes,
            origins,
            moves,
            differing,
            bounds,
            within,
        })
    }

    /// Whether the mutant does not leave the runs that both have: then being in the same state is a refinement.
    pub fn stays(&self, budget: &Budget) -> Result<bool, Halt> {
        let check = Check {
            baseline: self.baseline,
            mutant: self.mutant,
            nodes: &self.nodes,
            origins: Some(&self.origins),
        };
        let mut walk = Walk::new(self.mutant, &self.bounds, budget);
        walk.enter(INITIAL, Dbm::zero(self.mutant.dim()))?;
        while let Some(state) = walk.next_state() {
            let (node, zone) = (walk.states[state].node, walk.states[state].zone.clone());
            let known = self.origins[node].expect("what both share is a node of both");
            if self.differing.contains(node.index())
                && check.check_node(known, node, &[self.asked(node, &zone)]).is_none()
            {
                return Ok(false);
            }
            for step in self.mutant.move_ids(node) {
                for entry in self.after(&walk, known, step, &zone) {
                    walk.enter(self.mutant.moves[step].target, entry)?;
                }
            }
        }
        Ok(true)
    }

    /// Whether a departure found for a zone holds for that zone: the check compares no constants beyond the bounds.
    fn is_exact(&self) -> bool {
        self.within != Within::Part && self.baseline.semantics.unmatched != Unmatched::Ignore
    }

    /// The values to check: the zone itself if the check compares only constants within the bounds, else all values that
    /// the zone simulates.
    fn asked(&self, node: NodeId, zone: &Dbm) -> Dbm {
        match self.is_exact() {
            true => zone.clone(),
            false => self.bounds.widened(node, zone),
        }
    }

    /// The values after a step that both games take.
    fn after(&self, walk: &Walk<'_>, known: NodeId, at: MoveId, zone: &Dbm) -> Vec<Dbm> {
        let step = &self.mutant.moves[at];
        if step.enabled.start == step.enabled.end {
            return Vec::new();
        }
        match self.moves[at] {
            AnswerHeuristic::New => Vec::new(),
            AnswerHeuristic::Same => walk.after(zone, step).into_iter().collect(),
            AnswerHeuristic::Effect => {
                let whole = &self.baseline.whole;
                let alike = whole
                    .moves_of(known)
                    .iter()
                    .filter(|known| self.has_same_effect(known, step));
                let cases = alike.flat_map(|known| whole.cases(known.enabled));
                let parts = cases.filter_map(|enabled| zone_ops::restricted(zone, enabled));
                parts.filter_map(|part| walk.after(&part, step)).collect()
            }
        }
    }

    fn has_same_effect(&self, known: &Move, step: &Move) -> bool {
        let check = Check {
            baseline: self.baseline,
            mutant: self.mutant,
            nodes: &self.nodes,
            origins: Some(&self.origins),
        };
        check.same_effect(known, step)
    }
}

/// Records the similarity of a node's moves to the moves of its counterpart. Returns whether the two nodes agree in
/// everything that the check examines.
fn compare_moves(
    check: &Check<'_>,
    known: NodeId,
    node: NodeId,
    moves: &mut IndexVec<MoveId, AnswerHeuristic>,
) -> bool {
    let (whole, mutant) = (&check.baseline.whole, check.mutant);
    let (before, after) = (whole.node(known), mutant.node(node));
    let mut is_same =
        before.urgent == after.urgent && whole.atoms_of(before.invariant) == mutant.atoms_of(after.invariant);
    for at in mutant.move_ids(node) {
        let step = &mutant.moves[at];
        let of_original = whole.moves_of(known);
        moves[at] = if of_original.iter().any(|known| is_same_move(check, known, step)) {
            AnswerHeuristic::Same
        } else if of_original.iter().any(|known| check.same_effect(known, step)) {
            AnswerHeuristic::Effect
        } else {
            AnswerHeuristic::New
        };
        is_same &= step.role == Role::Input || moves[at] == AnswerHeuristic::Same;
    }
    let mut inputs = whole.moves_of(known).iter().filter(|step| step.role == Role::Input);
    let is_accepted = |input: &Move| {
        mutant
            .moves_of(node)
            .iter()
            .any(|step| is_same_move(check, input, step))
    };
    is_same && inputs.all(is_accepted)
}

/// Whether a move of the original and one of the mutant are the same, whatever pruning removes of them.
fn is_same_move(check: &Check<'_>, known: &Move, step: &Move) -> bool {
    let (guard, own) = (
        check.baseline.whole.atoms_of(known.guard),
        check.mutant.atoms_of(step.guard),
    );
    check.same_effect(known, step) && check.same_invariant(step) && guard == own
}
