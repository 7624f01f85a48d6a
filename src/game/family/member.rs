//! The members of a family: one game and all that one more change makes of it.

use std::sync::Arc;

use smallvec::SmallVec;

use super::refutation::Refutation;
use super::sheet::{Change, Sheet, is_plain};
use crate::base::Budget;
use crate::game::baseline::{Baseline, Check, Containment};
use crate::game::fixpoint::Solution;
use crate::game::forward::{self, Outcome, Relation, Scratch};
use crate::game::product::{ActionMap, Product};
use crate::game::specification::{Specification, Verdict};
use crate::symbolic::{GameError, Halt, INITIAL, bounds, index};

/// What decided about a mutant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum How {
    /// Its own consistency.
    Consistency,
    /// The counterexample of another mutant, which is one for it too.
    Replay,
    /// The specification's own zone graph: the mutant stays on the diagonal of the product.
    Diagonal,
    /// The pairs that another mutant and the specification do not leave, which it does not leave either.
    Relation,
    /// Exploration of the product.
    Product,
    /// The two-player fixpoint.
    Fixpoint,
}

/// What all families of mutants of one specification share.
#[derive(Debug)]
pub struct Families<'s> {
    specification: &'s Specification,
    baseline: Baseline,
    original: Sheet,
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
            let Some((original, lowering)) = Sheet::of(automaton, semantics.prune, &budget)? else {
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
            sheet: self.original.clone(),
            off: vec![None; self.original.nodes.len()],
            evidence: SmallVec::new(),
        }
    }
}

/// What was found out about a mutant of a specification, to be tried on others.
#[derive(Debug)]
pub enum Evidence {
    /// A strategy that tells it from the specification.
    No(Refutation),
    /// Pairs that it and the specification do not leave.
    Yes(Simulation),
}

/// Pairs that a mutant and the specification do not leave.
#[derive(Debug)]
pub struct Simulation {
    relation: Relation,
    /// The nodes at which the mutant differs from the specification, in order.
    touched: Vec<u32>,
}

/// Most bytes of a relation that is kept.
const MOST_BYTES: usize = 4 << 20;

/// A game, made from the specification by changes, and what is known about it. Its members are made by one more.
#[derive(Clone, Debug)]
pub struct Family<'f> {
    families: &'f Families<'f>,
    sheet: Sheet,
    /// Per node, how it stays within the specification's; [`Off::Out`] where it does not.
    off: Vec<Option<Off>>,
    /// What is known about the game itself or about mutants like it, to be tried on the members.
    evidence: SmallVec<[Arc<Evidence>; 2]>,
}

/// What the identity check says about a node that changes touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Off {
    /// It does something that the specification's node does not, or accepts less.
    Out,
    /// It makes an ignored output into a node that can do no more.
    Dominated,
}

impl<'f> Family<'f> {
    /// The family whose game is the member that `change` makes; `evidence`, and what is tried on the members of this family,
    /// is tried on its members. `None` where the member cannot be lowered by patching.
    #[must_use]
    pub fn child(&self, change: &Change, evidence: Option<Arc<Evidence>>) -> Option<Self> {
        let mut child = self.clone();
        child.evidence.extend(evidence);
        if !child.sheet.apply(change) {
            return None;
        }
        if child.families.specification.semantics().prune {
            child.sheet.settle(&Budget::unlimited()).ok()?;
        }
        child.recheck_touched();
        child.sheet.commit(change);
        Some(child)
    }

    /// The verdict on the member that `change` makes. `hints` are about other mutants of the specification; whatever they
    /// are, the verdict is exact. `None` where the member cannot be lowered by patching.
    pub fn decide(&mut self, change: &Change, hints: &[&Evidence], scratch: &mut Scratch) -> Option<(Verdict, How)> {
        if !self.sheet.apply(change) {
            return None;
        }
        let decided = self.decide_applied(hints, scratch);
        self.sheet.undo();
        decided
    }

    /// Whether the member that `change` makes is consistent: what is left to decide where a guideline names it.
    pub fn is_consistent(&mut self, change: &Change) -> Option<bool> {
        if !self.sheet.apply(change) {
            return None;
        }
        let is_consistent = self.settle();
        self.sheet.undo();
        is_consistent
    }

    /// The verdict on the member that `change` makes, and what else the game tells, to be tried on others.
    pub fn investigate(&mut self, change: &Change, scratch: &mut Scratch) -> Option<(Verdict, How, Option<Evidence>)> {
        if !self.sheet.apply(change) {
            return None;
        }
        let mut evidence = None;
        let decided = match self.settle() {
            Some(true) if self.is_contained() => Some((Verdict::Subsumed, How::Diagonal)),
            Some(true) => self.play(&[], scratch, Some(&mut evidence)),
            Some(false) => Some((Verdict::Inconsistent, How::Consistency)),
            None => None,
        };
        self.sheet.undo();
        decided.map(|(verdict, how)| (verdict, how, evidence))
    }

    fn settle(&mut self) -> Option<bool> {
        if !self.sheet.has_start() {
            return Some(false);
        }
        if !self.families.specification.semantics().prune {
            return Some(true);
        }
        self.sheet.settle(&Budget::unlimited()).ok()
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
        let arena = &self.sheet.arena;
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
        let bounds = bounds::per_node(&self.sheet.arena);
        let kept = std::mem::replace(&mut self.sheet.arena.max_bounds, bounds);
        let decided = self.play_bounded(scratch, evidence);
        self.sheet.arena.max_bounds = kept;
        decided.ok()
    }

    fn product(&self) -> Product<'_> {
        let specification = self.families.specification;
        let n_known = specification.automaton().actions().len();
        Product {
            left: &self.sheet.arena,
            right: specification.shifted(),
            actions: ActionMap::extending(n_known, self.sheet.n_actions - n_known),
            unmatched: specification.semantics().unmatched,
        }
    }

    fn stays_in(&self, simulation: &Simulation, scratch: &mut Scratch) -> Result<bool, Halt> {
        let Sheet {
            touched, ever_touched, ..
        } = &self.sheet;
        let open =
            |node: u32| touched.contains(&node) || ever_touched.contains(&node) || simulation.touched.contains(&node);
        let effort = (&Budget::unlimited(), scratch);
        forward::stays_in(&self.product(), &simulation.relation, &open, effort)
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
            Outcome::Holds => {
                if let Some(evidence) = evidence {
                    *evidence = self.simulation(&product, scratch).map(Evidence::Yes);
                }
                Ok((Verdict::Subsumed, How::Product))
            }
            Outcome::Fails => {
                if let Some(evidence) = evidence {
                    let along = Solution::along(&product, &scratch.path());
                    let found = Refutation::extract(&along, n_known);
                    *evidence = found.filter(|found| found.holds(product.left)).map(Evidence::No);
                }
                Ok((Verdict::NonSubsumed, How::Product))
            }
            Outcome::Choice => {
                let solution = Solution::compute(&product, &budget)?;
                scratch.n_states += solution.n_zones();
                if let Some(evidence) = evidence {
                    *evidence = Refutation::extract(&solution, n_known).map(Evidence::No);
                }
                let holds = solution.holds();
                let verdict = if holds { Verdict::Subsumed } else { Verdict::NonSubsumed };
                Ok((verdict, How::Fixpoint))
            }
        }
    }

    fn simulation(&self, product: &Product<'_>, scratch: &Scratch) -> Option<Simulation> {
        let relation = scratch.relation(product)?;
        if relation.bytes() > MOST_BYTES {
            return None;
        }
        let Sheet {
            touched, ever_touched, ..
        } = &self.sheet;
        let mut touched: Vec<u32> = touched.iter().chain(ever_touched).copied().collect();
        touched.sort_unstable();
        Some(Simulation { relation, touched })
    }

    fn check(&self) -> Check<'_> {
        Check {
            baseline: &self.families.baseline,
            mutant: &self.sheet.arena,
            nodes: &self.sheet.nodes,
        }
    }

    /// How the touched node stays within the specification's.
    fn off(&self, check: &Check<'_>, node: u32) -> Option<Off> {
        let zones = self.families.baseline.reached(node);
        if zones.is_empty() || self.sheet.nodes[node as usize].is_none() {
            return None;
        }
        match check.check_node(node, node, zones) {
            None => Some(Off::Out),
            Some(Containment::IgnoredDominated) => Some(Off::Dominated),
            Some(_) => None,
        }
    }

    fn recheck_touched(&mut self) {
        let check = self.check();
        let touched = &self.sheet.touched;
        let found: Vec<_> = touched.iter().map(|node| (*node, self.off(&check, *node))).collect();
        for (node, off) in found {
            self.off[node as usize] = off;
        }
    }

    /// The identity check: only what the change touched is looked at again.
    fn is_contained(&self) -> bool {
        let check = self.check();
        let touched = &self.sheet.touched;
        let untouched = (0..index(self.off.len())).filter(|node| !touched.contains(node));
        let mut out: SmallVec<[u32; 8]> = SmallVec::new();
        let mut dominated = false;
        let known = untouched.map(|node| (node, self.off[node as usize]));
        let again = touched.iter().map(|node| (*node, self.off(&check, *node)));
        for (node, off) in known.chain(again) {
            match off {
                Some(Off::Out) => out.push(node),
                Some(Off::Dominated) => dominated = true,
                None => {}
            }
        }
        if out.contains(&INITIAL) || (dominated && !self.differs_by_ignored_only(&check)) {
            return false;
        }
        out.is_empty() || {
            let is_reached = check.reached_nodes();
            !out.iter().any(|node| is_reached[*node as usize])
        }
    }

    /// Whether the member differs from the specification only in what nobody answers: at other nodes it is the same.
    fn differs_by_ignored_only(&self, check: &Check<'_>) -> bool {
        let Sheet {
            touched, ever_touched, ..
        } = &self.sheet;
        let mut nodes = touched.iter().chain(ever_touched);
        nodes.all(|node| check.differs_by_ignored_at(*node))
    }
}
