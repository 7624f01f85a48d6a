//! The members of a family: one game, and all games that one more change makes of it.

use std::cell::OnceCell;
use std::sync::Arc;

use smallvec::SmallVec;

use super::delta_arena::{Change, DeltaArena, is_plain};
use super::refutation::Refutation;
use crate::answer_heuristic::LocationCorrespondence;
use crate::baseline::Baseline;
use crate::baseline::check::Check;
use crate::fixpoint::Solution;
use crate::forward::{self, ForwardOutcome, Relation, Scratch};
use crate::product::{ActionMap, ArenaProduct};
use crate::responder;
use crate::specification::{Method, Specification, Verdict};
use crate::symbolic::{GameError, Halt, INITIAL, NodeId, bounds};
use tamper_text::{Budget, IndexVec};

tamper_text::named! {
    /// The method that decided about a mutant.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum How {
        /// The consistency of the mutant alone decided.
        Consistency = "consistency",
        /// The counterexample of another mutant, which also refutes this one.
        Replay = "replay",
        /// The specification's own zone graph: the mutant stays on the diagonal of the product.
        Diagonal = "diagonal",
        /// A simulation of another mutant: this one and the specification do not leave its pairs either.
        Relation = "relation",
        /// The mutant is the specification itself.
        Same = "same",
        /// A run of the mutant to an output that the specification never makes.
        Unanswered = "unanswered",
        /// The runs that mutant and specification have in common, without a composition of the mutant.
        Beside = "beside",
        /// The same, and deadlines of some processes told that runs get stuck.
        BesideDeadlines = "beside, deadlines",
        /// All states of a network's mutant, also behind inputs, go on.
        BesideInputs = "beside, inputs",
        /// Such a run, which the mutant continues with an output that the specification never makes.
        BesideUnanswered = "beside, unanswered",
        /// Such a run, which the mutant continues so that the specification cannot follow.
        BesideRun = "beside, run",
        /// The exploration of the product decided.
        Product = "product",
        /// The game in which the responder has choices: each challenge was answered by its counterpart.
        Counterpart = "counterpart",
        /// The game in which the responder has choices: it had to answer by other moves.
        Strategy = "strategy",
    }
}

impl How {
    /// The method by which a single mutant was decided.
    pub fn of_game(method: Method) -> Self {
        match method {
            Method::Consistency => Self::Consistency,
            Method::Same => Self::Same,
            Method::Diagonal => Self::Diagonal,
            Method::Unanswered => Self::Unanswered,
            Method::Product => Self::Product,
            Method::Counterpart => Self::Counterpart,
            Method::Strategy => Self::Strategy,
        }
    }
}

/// The data that all families of mutants of one specification share.
#[derive(Debug)]
pub struct Families<'s> {
    specification: &'s Specification,
    baseline: Baseline,
    original: DeltaArena,
}

impl<'s> Families<'s> {
    /// Lowers the specification once for all. `None` for games whose mutants must be lowered one by one: with
    /// integers, selects, ignored inputs, urgent channels, or parts without meaning that no run reaches.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn of(specification: &'s Specification) -> Result<Option<Self>, GameError> {
        let automaton = specification.automaton();
        if !is_plain(automaton) {
            return Ok(None);
        }
        let budget = Budget::unlimited();
        let semantics = specification.semantics();
        let parts = || -> Result<_, Halt> {
            let Some((original, lowering)) = DeltaArena::of(automaton, semantics.prune, &budget)? else {
                return Ok(None);
            };
            let n_known = automaton.actions().len();
            let baseline = Baseline::of_lowering(lowering, n_known, semantics, &budget)?;
            Ok(Some((original, baseline)))
        };
        match parts() {
            Ok(Some((original, baseline))) => Ok(Some(Self {
                specification,
                baseline,
                original,
            })),
            Ok(None) | Err(Halt::Stopped(_)) => Ok(None),
            Err(Halt::Error(error)) => Err(error),
        }
    }

    /// Symbolic states of the specification that were explored for all families.
    pub fn n_states(&self) -> u64 {
        self.baseline.n_states()
    }

    /// The family of the specification itself: its members are the first-order mutants.
    pub fn original(&self) -> Family<'_> {
        Family {
            families: self,
            delta: self.original.clone(),
            passed: IndexVec::filled(Passed::BOTH, self.original.nodes.len()),
            evidence: SmallVec::new(),
        }
    }
}

/// A finding about one mutant of a specification, to be tried on others.
#[derive(Debug)]
pub enum Evidence {
    /// A strategy that tells the mutant from the specification.
    No(Refutation),
    /// Pairs that the mutant and the specification do not leave.
    Yes(Simulation),
}

/// Pairs that a mutant and the specification do not leave.
#[derive(Debug)]
pub struct Simulation {
    relation: Relation,
    /// The nodes at which the mutant differs from the specification, in order.
    touched: Vec<NodeId>,
}

/// Most bytes of a relation that is kept.
const MOST_BYTES: usize = 4 << 20;

/// A game, made from the specification by changes, with the facts about it. Its members are made by one more change.
#[derive(Clone, Debug)]
pub struct Family<'f> {
    families: &'f Families<'f>,
    delta: DeltaArena,
    /// Per node, the parts of the identity check that it passes.
    passed: IndexVec<NodeId, Passed>,
    /// Findings about the game itself or about similar mutants, to be tried on the members.
    evidence: SmallVec<[Arc<Evidence>; 2]>,
}

/// The result of the identity check at a node that changes touched. Untouched nodes pass both parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Passed {
    /// In states that the specification's runs reach, it does only what the specification's node does, and accepts no less.
    on_runs: bool,
    /// In all states it differs from the specification's node only in ignored outputs, which lead to states that do no
    /// more.
    ignored: bool,
}

impl Passed {
    const BOTH: Self = Self {
        on_runs: true,
        ignored: true,
    };
}

impl<'f> Family<'f> {
    /// The family whose game is the member that `change` makes; `evidence`, and the evidence tried on the members of this
    /// family, is tried on its members. `None` if the member cannot be lowered by patching.
    #[must_use]
    pub fn child(&self, change: &Change, evidence: Option<Arc<Evidence>>) -> Option<Self> {
        let mut child = self.clone();
        child.evidence.extend(evidence);
        if !child.delta.apply(change) {
            return None;
        }
        if child.families.specification.semantics().prune {
            child.delta.settle(&Budget::unlimited()).ok()?;
        }
        child.recheck_touched();
        child.delta.commit(change);
        Some(child)
    }

    /// The verdict on the member that `change` makes. `hints` are evidence about other mutants of the specification; the
    /// verdict is exact whatever they are. `None` if the member cannot be lowered by patching.
    pub fn decide(&mut self, change: &Change, hints: &[&Evidence], scratch: &mut Scratch) -> Option<(Verdict, How)> {
        if !self.delta.apply(change) {
            return None;
        }
        let decided = self.decide_applied(hints, scratch);
        self.delta.undo();
        decided
    }

    /// Whether the member that `change` makes is consistent: the only question left if a guideline names it.
    pub fn is_consistent(&mut self, change: &Change) -> Option<bool> {
        if !self.delta.apply(change) {
            return None;
        }
        let is_consistent = self.settle();
        self.delta.undo();
        is_consistent
    }

    /// The verdict on the member that `change` makes, and evidence from its game, to be tried on others.
    pub fn investigate(&mut self, change: &Change, scratch: &mut Scratch) -> Option<(Verdict, How, Option<Evidence>)> {
        if !self.delta.apply(change) {
            return None;
        }
        let mut evidence = None;
        let decided = match self.settle() {
            Some(true) if self.is_contained() => Some((Verdict::Subsumed, How::Diagonal)),
            Some(true) => self.play(&[], scratch, Some(&mut evidence)),
            Some(false) => Some((Verdict::Inconsistent, How::Consistency)),
            None => None,
        };
        self.delta.undo();
        decided.map(|(verdict, how)| (verdict, how, evidence))
    }

    fn settle(&mut self) -> Option<bool> {
        if !self.delta.has_start() {
            return Some(false);
        }
        if !self.families.specification.semantics().prune {
            return Some(true);
        }
        self.delta.settle(&Budget::unlimited()).ok()
    }

    fn decide_applied(&mut self, hints: &[&Evidence], scratch: &mut Scratch) -> Option<(Verdict, How)> {
        if !self.settle()? {
            return Some((Verdict::Inconsistent, How::Consistency));
        }
        let own = std::mem::take(&mut self.evidence);
        let all: SmallVec<[&Evidence; 4]> = own.iter().map(|own| &**own).chain(hints.iter().copied()).collect();
        let decided = self.decide_consistent(&all, scratch);
        drop(all);
        self.evidence = own;
        decided
    }

    fn decide_consistent(&mut self, hints: &[&Evidence], scratch: &mut Scratch) -> Option<(Verdict, How)> {
        let arena = &self.delta.arena;
        let refutes = |evidence: &&Evidence| matches!(evidence, Evidence::No(refutation) if refutation.holds(arena));
        if hints.iter().any(refutes) {
            return Some((Verdict::NonSubsumed, How::Replay));
        }
        if self.is_contained() {
            return Some((Verdict::Subsumed, How::Diagonal));
        }
        self.play(hints, scratch, None)
    }

    fn play(
        &mut self,
        hints: &[&Evidence],
        scratch: &mut Scratch,
        evidence: Option<&mut Option<Evidence>>,
    ) -> Option<(Verdict, How)> {
        for hint in hints {
            if let Evidence::Yes(simulation) = hint
                && self.stays_in(simulation, scratch).ok()?
            {
                return Some((Verdict::Subsumed, How::Relation));
            }
        }
        let bounds = bounds::per_node(&self.delta.arena);
        let kept = std::mem::replace(&mut self.delta.arena.max_bounds, bounds);
        let decided = self.play_bounded(scratch, evidence);
        self.delta.arena.max_bounds = kept;
        decided.ok()
    }

    fn product(&self) -> ArenaProduct<'_> {
        let specification = self.families.specification;
        let n_known = specification.automaton().actions().len();
        ArenaProduct {
            left: &self.delta.arena,
            right: specification.shifted(),
            actions: ActionMap::extending(n_known, self.delta.n_actions - n_known),
            unmatched: specification.semantics().unmatched,
        }
    }

    fn stays_in(&self, simulation: &Simulation, scratch: &mut Scratch) -> Result<bool, Halt> {
        let DeltaArena {
            touched, ever_touched, ..
        } = &self.delta;
        let open = |node: NodeId| {
            touched.contains(&node) || ever_touched.contains(&node) || simulation.touched.contains(&node)
        };
        let budget = Budget::unlimited();
        forward::stays_in(&self.product(), &simulation.relation, &open, &budget, scratch)
    }

    fn play_bounded(
        &self,
        scratch: &mut Scratch,
        evidence: Option<&mut Option<Evidence>>,
    ) -> Result<(Verdict, How), Halt> {
        let n_known = self.families.specification.automaton().actions().len();
        let product = self.product();
        let budget = Budget::unlimited();
        match forward::explore(&product, &budget, scratch)? {
            ForwardOutcome::Holds => {
                if let Some(evidence) = evidence {
                    let relation = scratch.relation(&product);
                    *evidence = relation
                        .and_then(|relation| self.simulation(relation))
                        .map(Evidence::Yes);
                }
                Ok((Verdict::Subsumed, How::Product))
            }
            ForwardOutcome::Fails => {
                if let Some(evidence) = evidence {
                    let along = Solution::along(&product, &scratch.path_with_zones());
                    let found = Refutation::extract(&along, n_known);
                    *evidence = found.filter(|found| found.holds(product.left)).map(Evidence::No);
                }
                Ok((Verdict::NonSubsumed, How::Product))
            }
            ForwardOutcome::Choice => {
                let answered = responder::answer(&product, LocationCorrespondence::Numbers, &budget)?;
                scratch.n_states += answered.n_states;
                let holds = answered.holds();
                let how = How::of_game(Method::with_choices(answered.is_alike));
                if let Some(evidence) = evidence {
                    *evidence = if holds {
                        let states = answered.into_relation();
                        let relation = states.and_then(|states| Relation::of_states(&product, states));
                        relation
                            .and_then(|relation| self.simulation(relation))
                            .map(Evidence::Yes)
                    } else {
                        Refutation::extract(&answered.solution, n_known).map(Evidence::No)
                    };
                }
                let verdict = if holds { Verdict::Subsumed } else { Verdict::NonSubsumed };
                Ok((verdict, how))
            }
        }
    }

    fn simulation(&self, relation: Relation) -> Option<Simulation> {
        if relation.bytes() > MOST_BYTES {
            return None;
        }
        let DeltaArena {
            touched, ever_touched, ..
        } = &self.delta;
        let mut touched: Vec<NodeId> = touched.iter().chain(ever_touched).copied().collect();
        touched.sort_unstable();
        Some(Simulation { relation, touched })
    }

    fn check(&self) -> Check<'_> {
        Check {
            baseline: &self.families.baseline,
            mutant: &self.delta.arena,
            nodes: &self.delta.nodes,
            origins: None,
        }
    }

    /// Whether the touched node passes the check on runs.
    fn passes_on_runs(&self, check: &Check<'_>, node: NodeId) -> bool {
        let zones = self.families.baseline.reached(node);
        zones.is_empty() || self.is_gone(node) || check.check_node(node, node, zones).is_some()
    }

    fn is_gone(&self, node: NodeId) -> bool {
        self.delta.nodes[node].is_none()
    }

    fn recheck_touched(&mut self) {
        let check = self.check();
        let checked = |node: &NodeId| {
            let passed = Passed {
                on_runs: self.passes_on_runs(&check, *node),
                ignored: check.check_ignored_at(*node).is_some(),
            };
            (*node, passed)
        };
        let found: Vec<_> = self.delta.touched.iter().map(checked).collect();
        for (node, passed) in found {
            self.passed[node] = passed;
        }
    }

    /// The identity check: only nodes that the change touched are examined again.
    fn is_contained(&self) -> bool {
        let check = self.check();
        let touched = &self.delta.touched;
        let off = |fails: &dyn Fn(NodeId) -> bool, failed: &dyn Fn(Passed) -> bool| -> SmallVec<[NodeId; 8]> {
            let again = touched.iter().copied().filter(|node| fails(*node));
            let untouched = self.passed.ids().filter(|node| !touched.contains(node));
            let known = untouched.filter(|node| failed(self.passed[*node]));
            again.chain(known).collect()
        };
        let is_reached = OnceCell::new();
        let nobody_gets_there = |off: &[NodeId]| {
            let reaches = |node: &NodeId| is_reached.get_or_init(|| check.reached_nodes())[*node];
            !off.contains(&INITIAL) && !off.iter().any(reaches)
        };
        nobody_gets_there(&off(&|node| !self.passes_on_runs(&check, node), &|passed| {
            !passed.on_runs
        })) || nobody_gets_there(&off(&|node| check.check_ignored_at(node).is_none(), &|passed| {
            !passed.ignored
        }))
    }
}
