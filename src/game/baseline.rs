//! What an automaton's own zone graph says about its mutants, without playing them against it.
//!
//! The *identity check*: mutant M refines automaton A if, wherever A's runs lead and M is consistent, M does nothing A
//! does not (outputs, delays) and accepts everything A does. Then the consistent states of M that it reaches are
//! consistent in A (they keep their progress there, as no progress of M is new), and being in the same state is a
//! refinement in the sense of \[003\] Definition 7. Lemmata 1 to 7 are the cases in which this holds for every
//! A; here the zones decide: a guard that changes only where no run leads, a longer invariant whose new part has no
//! progress.
//!
//! With `Unmatched::Ignore` an output outside the specification's alphabet may also lead from a state p to a state that
//! refines p *within A* while A stays put. That is known without a game for p itself (up to clocks that are reset
//! before they are compared) and for nodes that [`Baseline::dominated`] relates: a preorder on nodes with equal
//! clocks, by inclusion of invariants and guards.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::arena::{Arena, Atom, INITIAL, Move, index};
use super::error::{GameError, Halt};
use super::explore::{Reach, explore};
use super::forward::is_covered;
use super::lower::Lowering;
use super::semantics::{Semantics, Unmatched};
use super::specification::consistent_arena;
use super::{cons, zone_ops};
use crate::base::Budget;
use crate::model::{Automaton, Role};
use crate::zones::{Dbm, Federation, safe_future};

/// Why a mutant refines the automaton it was made from, or has no state to refine it with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Containment {
    /// Nothing that a run reaches has changed: the mutated element is unreachable.
    Unreached,
    /// Where it changed it does less or accepts more, whatever the clocks.
    Narrower,
    /// What is new has a guard that no run meets, or what is lost had one.
    NeverEnabled,
    /// What is new leads only to states without independent progress, which pruning removes.
    DeadEnd,
    /// What is new is an ignored output that changes nothing.
    IgnoredLoop,
    /// What is new is an ignored output into a location that can do no more than the one it leaves.
    IgnoredDominated,
    /// The mutant has no consistent initial state.
    Inconsistent,
}

/// The facts about one automaton that its mutants are compared with.
#[derive(Debug)]
pub struct Baseline {
    automaton: Automaton,
    semantics: Semantics,
    /// Actions from this number on are not the specification's.
    n_known_actions: usize,
    /// Unpruned.
    whole: Arena,
    /// Pruned, if the semantics prunes.
    pruned: Arena,
    reach: Reach,
    /// Per node and clock of the pruned game, whether the clock is compared before it is reset.
    compared: Vec<bool>,
    dominated: OnceLock<Vec<bool>>,
}

impl Baseline {
    /// The facts about `automaton`, a mutant (of any order, or none) of a specification with `n_known_actions`
    /// actions. `None` when it has no initial state, when it ignores inputs or has urgent channels (then less
    /// behaviour is not always a refinement), or when the budget was hit.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn of(
        automaton: &Automaton,
        n_known_actions: usize,
        semantics: Semantics,
        budget: &Budget,
    ) -> Result<Option<Self>, GameError> {
        if automaton.is_input_enabled() || automaton.actions().iter().any(|action| action.urgent) {
            return Ok(None);
        }
        match Self::compute(automaton, n_known_actions, semantics, budget) {
            Ok(baseline) => Ok(baseline),
            Err(Halt::Stopped(_)) => Ok(None),
            Err(Halt::Error(error)) => Err(error),
        }
    }

    fn compute(
        automaton: &Automaton,
        n_known_actions: usize,
        semantics: Semantics,
        budget: &Budget,
    ) -> Result<Option<Self>, Halt> {
        let Some(mut lowering) = Lowering::start(automaton)? else {
            return Ok(None);
        };
        let reach = explore(&mut lowering, budget)?;
        let whole = lowering.finish();
        let mut pruned = whole.clone();
        if semantics.prune {
            cons::prune(&mut pruned, budget)?;
        }
        Ok(Some(Self {
            automaton: automaton.clone(),
            semantics,
            n_known_actions,
            whole,
            compared: super::bounds::compared(&pruned),
            pruned,
            reach,
            dominated: OnceLock::new(),
        }))
    }

    /// Why `mutant`, made from this automaton, refines it or is inconsistent; `None` when these facts do not tell.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn contains(&self, mutant: &Automaton, budget: &Budget) -> Result<Option<Containment>, GameError> {
        if !self.is_origin_of(mutant) {
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
            nodes: node_map(&self.automaton, &self.whole, mutant, &arena),
            mutant: &arena,
        };
        Ok(check.run())
    }

    /// Whether the two have clocks, integers, initial location and the older one's actions in common, as an automaton and
    /// its mutants do; otherwise being in the same state means nothing.
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

    /// Whether node `lesser` of the pruned game can do no more than node `greater` at the same clock values: it exists
    /// and lets time pass only where the other does, its outputs are the other's, the other's inputs are its own.
    fn dominated(&self, lesser: u32, greater: u32) -> bool {
        let n_nodes = self.pruned.nodes.len();
        let table = self.dominated.get_or_init(|| {
            let mut table = vec![true; n_nodes * n_nodes];
            let mut changed = true;
            while changed {
                changed = false;
                for at in 0..table.len() {
                    if table[at] {
                        let (lesser, greater) = (index(at / n_nodes), index(at % n_nodes));
                        table[at] = self.dominates_once(&table, lesser, greater, None);
                        changed |= !table[at];
                    }
                }
            }
            table
        });
        table[lesser as usize * n_nodes + greater as usize]
    }

    /// One unfolding of the preorder, for the clock values in `within` and those that time makes of them.
    fn dominates_once(&self, table: &[bool], lesser: u32, greater: u32, within: Option<&Dbm>) -> bool {
        let arena = &self.pruned;
        let related = |a: u32, b: u32| table[a as usize * arena.nodes.len() + b as usize];
        let universe = Dbm::universe(arena.dim());
        let within = within.unwrap_or(&universe);
        let exists: Vec<Dbm> = arena
            .alive(lesser)
            .filter_map(|atoms| zone_ops::restricted(within, atoms))
            .collect();
        if lesser == greater || exists.is_empty() {
            return true;
        }
        let stays = exists.iter().all(|zone| is_covered(zone, arena.alive(greater)));
        if !stays || (arena.node(greater).urgent && !arena.node(lesser).urgent) {
            return false;
        }
        let answered = |mover: &Move, own: bool| {
            let answers = arena.moves_of(if own { greater } else { lesser });
            parts(&exists, arena, mover).iter().all(|part| {
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
        let offered = |step: &&Move| step.role == Role::Input && (step.action as usize) < self.n_known_actions;
        let inputs = arena.moves_of(greater).iter().filter(offered);
        outputs.into_iter().all(|step| ignored(step) || answered(step, true))
            && inputs.into_iter().all(|step| answered(step, false))
    }

    fn is_ignored(&self, step: &Move) -> bool {
        self.semantics.unmatched == Unmatched::Ignore
            && step.role == Role::Output
            && step.action as usize >= self.n_known_actions
    }

    /// Whether clocks that were equal agree, after a move of the lesser and one of the greater node, where the greater
    /// game compares them from its target on.
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

    /// Whether the pruned game compares the clock of that matrix index with nothing from `node` on before it is reset.
    fn is_idle(&self, clock: usize, node: u32) -> bool {
        !self.compared[node as usize * self.pruned.n_clocks + clock - 1]
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

/// Per node of the automaton, the mutant's node of the same location and integers.
fn node_map(automaton: &Automaton, arena: &Arena, mutant: &Automaton, mutant_arena: &Arena) -> Vec<Option<u32>> {
    let nodes = 0..index(mutant_arena.nodes.len());
    let known: FxHashMap<_, u32> = nodes
        .map(|node| (state_key(mutant, mutant_arena, node), node))
        .collect();
    let counterpart = |node| known.get(&state_key(automaton, arena, node)).copied();
    (0..index(arena.nodes.len())).map(counterpart).collect()
}

/// What a node is, whatever its number: its location's name and the integers.
fn state_key<'a>(automaton: &'a Automaton, arena: &'a Arena, node: u32) -> (&'a str, &'a [i32]) {
    let name = &automaton.locations()[arena.node(node).location].name;
    (name, arena.values_of(node))
}

struct Check<'a> {
    baseline: &'a Baseline,
    mutant: &'a Arena,
    nodes: Vec<Option<u32>>,
}

impl Check<'_> {
    fn run(&self) -> Option<Containment> {
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
    fn reached_nodes(&self) -> Vec<bool> {
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
    fn check_node(&self, node: u32, other: u32, zones: &[Dbm]) -> Option<Containment> {
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
        let known: Vec<&Move> = whole.moves_of(node).iter().filter(fits).collect();
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
            baseline.dominates_once(table, target, node, Some(&within))
        };
        taken.iter().all(dominated).then_some(Containment::IgnoredDominated)
    }

    fn check_input(&self, other: u32, step: &Move, zones: &[Dbm]) -> Option<Containment> {
        let whole = &self.baseline.whole;
        let fits = |answer: &&Move| self.same_effect(step, answer);
        let answers: Vec<&Move> = self.mutant.moves_of(other).iter().filter(fits).collect();
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

    /// Whether the mutant differs from the automaton only in outputs that are ignored.
    fn differs_by_ignored_only(&self) -> bool {
        let whole = &self.baseline.whole;
        (0..index(whole.nodes.len())).all(|node| {
            let Some(other) = self.nodes[node as usize] else {
                return false;
            };
            let own = |arena: &Arena, node: u32| -> Vec<Move> {
                let moves = arena.moves_of(node).iter();
                moves.filter(|step| !self.baseline.is_ignored(step)).cloned().collect()
            };
            let (known, now) = (own(whole, node), own(self.mutant, other));
            let same = |(a, b): (&Move, &Move)| {
                let guards: (&[Atom], &[Atom]) = (whole.atoms_of(a.guard), self.mutant.atoms_of(b.guard));
                self.same_effect(a, b) && guards.0 == guards.1
            };
            let invariants =
                whole.atoms_of(whole.node(node).invariant) == self.mutant.atoms_of(self.mutant.node(other).invariant);
            known.len() == now.len() && known.iter().zip(&now).all(same) && invariants
        })
    }
}

impl Containment {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Unreached,
        Self::Narrower,
        Self::NeverEnabled,
        Self::DeadEnd,
        Self::IgnoredLoop,
        Self::IgnoredDominated,
        Self::Inconsistent,
    ];
    /// What it says, in a few words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Unreached => "unreachable element",
            Self::Narrower => "does less or accepts more",
            Self::NeverEnabled => "dead guard",
            Self::DeadEnd => "pruned for independent progress",
            Self::IgnoredLoop => "ignored output that changes nothing",
            Self::IgnoredDominated => "ignored output into a location that does no more",
            Self::Inconsistent => "inconsistent",
        }
    }
}
