//! Verdicts on mutants from the automaton's own zone graph, without playing the mutants against it.
//!
//! The *identity check*: mutant M refines automaton A if, in all states that A's runs reach and in which M is consistent, M
//! does nothing that A does not do (outputs, delays) and accepts everything that A accepts. Then the consistent states of M
//! that it reaches are consistent in A (they keep their progress there, as no progress of M is new), and being in the same
//! state is a refinement in the sense of \[003\] Definition 7. Lemmata 1 to 7 are the cases in which this holds for every
//! A; here the zones decide: a guard that changes only in states that no run reaches, a longer invariant whose new part has
//! no progress.
//!
//! With `Unmatched::Ignore` an output outside the specification's alphabet may also lead from a state p to a state that
//! refines p *within A* while A stays put. This is known without a game for p itself (up to clocks that are reset before
//! they are compared) and for nodes that [`Baseline::refines_within`] relates: a preorder on nodes with equal clocks, by
//! inclusion of invariants and guards. The mutant may then be in a state that A's runs do not reach, so all of this is
//! checked for all states, and only for a mutant that differs from A in nothing else.
//!
//! The proofs are in `docs/notes/0002-identity-check.md`.

pub(super) mod check;
pub(super) mod containment;
pub(super) mod diagonal;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use super::forward::is_covered;
use super::semantics::{Semantics, Unmatched};
use super::specification::Specification;
use crate::symbolic::{
    Arena, Atom, GameError, Halt, Lowering, Move, NodeId, ReachedZones, bounds, consistency, explore, lower, zone_ops,
};
use tamper_text::{Budget, Id as _, IndexVec};
use tamper_timed::model::{Automaton, Role};
use tamper_zones::Dbm;

/// The facts about one automaton that its mutants are compared with.
#[derive(Debug)]
pub struct Baseline {
    automaton: Automaton,
    semantics: Semantics,
    /// Actions from this number on are unknown to the specification.
    n_known_actions: usize,
    whole: Arena,
    /// The arena, pruned if the semantics prunes; otherwise equal to `whole`.
    pruned: Arena,
    /// Whether all nodes of the graph, regardless of clocks, are present with their moves. The facts about states that runs
    /// reach never need it.
    is_complete: bool,
    reach: ReachedZones,
    /// Per node and clock of the pruned game, whether the clock is compared before it is reset.
    compared: Vec<bool>,
    dominated: OnceLock<Vec<bool>>,
}

impl Baseline {
    /// The facts about `automaton`, a mutant (of any order, or none) of a specification with `n_known_actions` actions.
    /// `None` if it has no initial state, if it ignores inputs, has urgent channels or is composed (then less behaviour is
    /// not always a refinement), or if the budget was hit. Propositions that are seen are inputs of the lowered game, and
    /// compared with the mutant's as all inputs are.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn of(
        automaton: &Automaton,
        n_known_actions: usize,
        semantics: Semantics,
        budget: &Budget,
    ) -> Result<Option<Self>, GameError> {
        let is_special = automaton.is_input_enabled() || automaton.is_atomic();
        if is_special || automaton.actions().iter().any(|action| action.urgent) {
            return Ok(None);
        }
        let baseline = Halt::sorted(Self::compute(automaton, n_known_actions, semantics, budget))?;
        Ok(baseline.ok().flatten())
    }

    /// The facts about the composition of a network, for mutants whose discrete states are compared with it: only the game
    /// itself. `None` if it has no initial state or the budget was hit.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn of_composition(specification: &Specification, budget: &Budget) -> Result<Option<Self>, GameError> {
        let automaton = specification.automaton();
        let lowered = Halt::sorted(lower(automaton, budget))?.ok().flatten();
        // Pruning does not change the numbers of nodes.
        Ok(lowered.map(|whole| Self {
            automaton: automaton.clone(),
            semantics: specification.semantics(),
            n_known_actions: automaton.actions().len(),
            compared: bounds::compared(specification.arena()),
            pruned: specification.arena().clone(),
            // Inputs are not compared inside atomic steps, so refinement is not transitive.
            is_complete: false,
            reach: ReachedZones {
                zones: IndexVec::filled(Vec::new(), whole.nodes.len()),
            },
            whole,
            dominated: OnceLock::new(),
        }))
    }

    fn compute(
        automaton: &Automaton,
        n_known_actions: usize,
        semantics: Semantics,
        budget: &Budget,
    ) -> Result<Option<Self>, Halt> {
        match Lowering::start(automaton)? {
            Some(lowering) => Self::of_lowering(lowering, n_known_actions, semantics, budget).map(Some),
            None => Ok(None),
        }
    }

    /// The facts about a game whose lowering has begun; its nodes keep their numbers.
    pub(super) fn of_lowering(
        mut lowering: Lowering<'_>,
        n_known_actions: usize,
        semantics: Semantics,
        budget: &Budget,
    ) -> Result<Self, Halt> {
        let mut reach = explore(&mut lowering, budget)?;
        let is_whole = !lowering.automaton.ints().is_empty() || lowering.expand_graph().is_ok();
        let is_complete = is_whole && lowering.is_complete();
        reach.zones.resize_with(lowering.arena.nodes.len(), Vec::new);
        let automaton = lowering.automaton.clone();
        let whole = lowering.finish();
        let mut pruned = whole.clone();
        if semantics.prune {
            consistency::prune(&mut pruned, budget)?;
        }
        Ok(Self {
            automaton,
            semantics,
            n_known_actions,
            whole,
            compared: bounds::compared(&pruned),
            pruned,
            is_complete,
            reach,
            dominated: OnceLock::new(),
        })
    }

    /// The zones that runs of the unpruned game reach in `node`.
    pub(super) fn reached(&self, node: NodeId) -> &[Dbm] {
        &self.reach.zones[node]
    }

    /// Number of zones in all nodes.
    pub(super) fn n_states(&self) -> u64 {
        self.reach.zones.iter().map(|zones| zones.len() as u64).sum()
    }

    /// Whether the two share clocks, integers, initial location and the older one's actions, as an automaton and its
    /// mutants do; otherwise being in the same state means nothing.
    fn is_origin_of(&self, mutant: &Automaton) -> bool {
        let start = |automaton: &Automaton| std::sync::Arc::clone(&automaton.locations()[automaton.initial()].name);
        self.automaton.clocks() == mutant.clocks()
            && self.automaton.ints() == mutant.ints()
            && start(&self.automaton) == start(mutant)
            && mutant
                .actions()
                .as_slice()
                .starts_with(self.automaton.actions().as_slice())
            && !mutant.is_input_enabled()
    }

    /// Whether the states of the pruned game's node `lesser` in `zone`, and after delays from there, do no more than node
    /// `greater` at the same values of the clocks that it still compares: they exist and let time pass only if the other's
    /// do, their outputs are outputs of the other, and the other's inputs are theirs.
    fn refines_within(&self, lesser: NodeId, greater: NodeId, zone: &Dbm) -> bool {
        let table = self.dominated.get_or_init(|| self.compute_dominated());
        let mut later = zone.clone();
        later.up();
        self.dominates_once(table, lesser, greater, &self.existing(lesser, &later))
    }

    /// The inputs of a node that matter for a mutant: the inputs that the specification offers, and with pruning all
    /// inputs, since they decide about consistency.
    fn inputs_that_count(&self, node: NodeId) -> impl Iterator<Item = &Move> {
        let counts = |step: &&Move| step.role == Role::Input && (self.semantics.prune || self.is_known(step));
        self.whole.moves_of(node).iter().filter(counts)
    }

    /// The condition under which the input leads into consistent states, if the specification never offers it: a union of
    /// conjunctions.
    fn stays_consistent(&self, input: &Move) -> Vec<Vec<Atom>> {
        if self.is_known(input) {
            return Vec::new();
        }
        let before = |alive: &[Atom]| {
            let mut atoms = Vec::new();
            let possible = self.whole.before_resets(alive, input, &mut atoms);
            possible.then_some(atoms)
        };
        self.pruned.alive(input.target).filter_map(before).collect()
    }

    /// Whether the specification has the move's action.
    fn is_known(&self, step: &Move) -> bool {
        step.action.index() < self.n_known_actions
    }

    /// The greatest preorder on whole nodes, as a fixpoint from above: when a pair is dropped, the pairs that depend on it
    /// are checked again.
    fn compute_dominated(&self) -> Vec<bool> {
        let arena = &self.pruned;
        let n_nodes = arena.nodes.len();
        let universe = Dbm::universe(arena.dim());
        let existing = arena.nodes.ids().map(|node| self.existing(node, &universe));
        let states: IndexVec<NodeId, Vec<Dbm>> = existing.collect();
        let mut sources: IndexVec<NodeId, Vec<NodeId>> = IndexVec::filled(Vec::new(), n_nodes);
        for node in arena.nodes.ids() {
            for step in arena.moves_of(node) {
                sources[step.target].push(node);
            }
        }
        for sources in &mut sources {
            sources.dedup();
        }
        let mut table = vec![true; n_nodes * n_nodes];
        let mut fallen = Vec::new();
        let check = |table: &mut Vec<bool>, fallen: &mut Vec<_>, (lesser, greater): (NodeId, NodeId)| {
            let at = lesser.index() * n_nodes + greater.index();
            if table[at] && !self.dominates_once(table, lesser, greater, &states[lesser]) {
                table[at] = false;
                fallen.push((lesser, greater));
            }
        };
        for lesser in arena.nodes.ids() {
            for greater in arena.nodes.ids() {
                check(&mut table, &mut fallen, (lesser, greater));
            }
        }
        while let Some((lesser, greater)) = fallen.pop() {
            for source in &sources[lesser] {
                // By a move of both, or an ignored move of the lesser node.
                check(&mut table, &mut fallen, (*source, greater));
                for other in &sources[greater] {
                    check(&mut table, &mut fallen, (*source, *other));
                }
            }
        }
        table
    }

    /// The states of a node of the pruned game with clock values in `within`.
    fn existing(&self, node: NodeId, within: &Dbm) -> Vec<Dbm> {
        let cases = self.pruned.alive(node);
        cases.filter_map(|atoms| zone_ops::restricted(within, atoms)).collect()
    }

    /// One unfolding of the preorder, for the states `exists` of the lesser node, which are closed under delay.
    fn dominates_once(&self, table: &[bool], lesser: NodeId, greater: NodeId, exists: &[Dbm]) -> bool {
        let arena = &self.pruned;
        let related = |a: NodeId, b: NodeId| table[a.index() * arena.nodes.len() + b.index()];
        if lesser == greater || exists.is_empty() {
            return true;
        }
        let stays = exists.iter().all(|zone| is_covered(zone, arena.alive(greater)));
        if !stays || (arena.node(greater).urgent && !arena.node(lesser).urgent) {
            return false;
        }
        let answered = |mover: &Move, own: bool| {
            let answers = arena.moves_of(if own { greater } else { lesser });
            parts(exists, arena, mover).iter().all(|part| {
                let fits = |answer: &&Move| {
                    let (a, b) = if own { (mover, *answer) } else { (*answer, mover) };
                    answer.action == mover.action && self.agree_after(a, b) && related(a.target, b.target)
                };
                is_covered(
                    part,
                    answers
                        .iter()
                        .filter(fits)
                        .flat_map(|answer| arena.cases(answer.enabled)),
                )
            })
        };
        let ignored = |mover: &Move| {
            self.is_ignored(mover)
                && related(mover.target, greater)
                && arena
                    .resets_of(mover)
                    .iter()
                    .all(|(variable, _)| self.is_idle(variable.index(), greater))
        };
        let outputs = arena.moves_of(lesser).iter().filter(|step| step.role != Role::Input);
        let offered = |step: &&Move| step.role == Role::Input && self.is_known(step);
        let inputs = arena.moves_of(greater).iter().filter(offered);
        outputs.into_iter().all(|step| ignored(step) || answered(step, true))
            && inputs.into_iter().all(|step| answered(step, false))
    }

    fn is_ignored(&self, step: &Move) -> bool {
        self.semantics.unmatched == Unmatched::Ignore && step.role == Role::Output && !self.is_known(step)
    }

    /// Whether clocks that were equal still agree after a move of the lesser and a move of the greater node, as far as the
    /// greater game compares them from its target on.
    fn agree_after(&self, lesser: &Move, greater: &Move) -> bool {
        let value = |step: &Move, clock: usize| {
            let reset = self
                .pruned
                .resets_of(step)
                .iter()
                .find(|(variable, _)| variable.index() == clock);
            reset.map(|(_, value)| *value)
        };
        let mut clocks = 1..=self.pruned.n_clocks;
        clocks.all(|clock| value(lesser, clock) == value(greater, clock) || self.is_idle(clock, greater.target))
    }

    /// Whether the pruned game never compares the clock of that matrix index from `node` on before it is reset.
    fn is_idle(&self, clock: usize, node: NodeId) -> bool {
        !self.compared[node.index() * self.pruned.n_clocks + clock - 1]
    }

    /// Whether two moves set the same clocks to the same values.
    fn same_resets(&self, first_arena: &Arena, first: &Move, second_arena: &Arena, second: &Move) -> bool {
        let (first, second) = (first_arena.resets_of(first), second_arena.resets_of(second));
        first.len() == second.len() && first.iter().all(|reset| second.contains(reset))
    }
}

/// The parts of `zones` where `step` is enabled.
fn parts(zones: &[Dbm], arena: &Arena, step: &Move) -> Vec<Dbm> {
    let part = |zone| {
        arena
            .cases(step.enabled)
            .filter_map(move |atoms| zone_ops::restricted(zone, atoms))
    };
    zones.iter().flat_map(part).collect()
}
