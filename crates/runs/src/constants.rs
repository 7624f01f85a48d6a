//! Tolerance of constants: for every constraint that CXL and CXS change, the maximal intervals of constants that share
//! one verdict.
//!
//! Every constant up to a bound is decided. Verdicts are not monotone in the constant (pruning may take back what a
//! larger one gains) and need not settle (a guard `x==c` may agree with a cycle of the specification again and again),
//! so neither bisection nor a last interval without end would be exact. Two things keep it cheap: the family engine,
//! and trying the counterexample of one constant first on the next.

use rayon::prelude::*;
use serde::Serialize;

use super::Verdict;
use crate::decision::families::{FamilyEngine, change};
use crate::plans::timer::Timer;
use tamper_game::{Change, Evidence, Family, GameError, How, Scratch, Specification};
use tamper_text::Budget;
use tamper_timed::model::{Automaton, SimpleConstraint};
use tamper_timed::mutation::{ConstraintChange, Mutation, MutationOptions, Mutations, Operator};

/// A constraint whose constant CXL and CXS change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ConstantSite {
    /// Place of the constraint: `guard:source->target#k` or `invariant:location`, with the position in a conjunction.
    pub site: String,
    /// The constraint, e.g. `x<=5`.
    pub constraint: String,
    /// The constant in the game.
    pub constant: i64,
    /// Adjacent intervals from 0 on; no two neighbours have the same verdict.
    pub intervals: Vec<ConstantInterval>,
}

/// Constants that share one verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ConstantInterval {
    /// The least constant.
    pub from: i64,
    /// The greatest constant.
    pub to: i64,
    /// The verdict on the game with any of these constants substituted.
    pub verdict: Verdict,
}

/// The intervals of constants from 0 to `last` for every constraint that CXL or CXS change under `options`, in the
/// order of the mutations. `progress` is called after each decided constant. The time limit of `timer` covers all
/// decisions together: constants not decided by then are unknown. Its other limits hold for each decision.
///
/// # Errors
/// If a mutant has no meaning.
pub fn constant_intervals(
    specification: &Specification,
    options: &MutationOptions,
    last: i64,
    timer: &Timer,
    progress: impl Fn() + Sync,
) -> Result<Vec<ConstantSite>, GameError> {
    let budget = timer.budget();
    let families = match timer.is_unlimited() {
        true => FamilyEngine::families_of(specification),
        false => None,
    };
    let places = places(specification.automaton(), options);
    let sites = places.into_par_iter().map(|place| {
        let mut judge = SiteJudge {
            specification,
            budget: &budget,
            family: families.as_ref().map(tamper_game::Families::original),
            scratch: Scratch::default(),
            evidence: None,
        };
        judge.site(place, last, &progress)
    });
    sites.collect()
}

/// The constraints that CXL and CXS change. Every constant can be increased, so CXL alone reaches all of them.
pub(super) fn places(game: &Automaton, options: &MutationOptions) -> Vec<ConstraintChange> {
    let larger = MutationOptions {
        operators: vec![Operator::Cxl],
        step: 1,
        ..options.clone()
    };
    let mutations = Mutations::of(game, &larger);
    mutations.iter().filter_map(|mutation| mutation.constraint()).collect()
}

/// The mutation that replaces the constant at `place` by `constant`; `None` if they are equal.
pub(super) fn changed_to(place: &ConstraintChange, constant: i64) -> Option<Mutation> {
    let new = SimpleConstraint { constant, ..place.old };
    let &ConstraintChange { site, atom, old, .. } = place;
    match constant.cmp(&old.constant) {
        std::cmp::Ordering::Less => Some(Mutation::SmallerConstant { site, atom, old, new }),
        std::cmp::Ordering::Greater => Some(Mutation::LargerConstant { site, atom, old, new }),
        std::cmp::Ordering::Equal => None,
    }
}

/// The largest numeric constant in a clock constraint of `game`, or 0.
pub fn largest_constant(game: &Automaton) -> i64 {
    let edges = game.edges().iter().map(|edge| &edge.guard);
    let guards = edges.chain(game.locations().iter().map(|location| &location.invariant));
    let constants = guards.flat_map(|guard| guard.clocks.iter().filter_map(|atom| atom.bound.as_const()));
    constants.max().unwrap_or(0)
}

/// Appends the interval `more`, which follows the last one of `intervals`; equal verdicts are joined.
fn extend(intervals: &mut Vec<ConstantInterval>, more: ConstantInterval) {
    match intervals.last_mut() {
        Some(interval) if interval.verdict == more.verdict => interval.to = more.to,
        _ => intervals.push(more),
    }
}

struct SiteJudge<'s> {
    specification: &'s Specification,
    /// Time limit of all decisions together; limits of states and memory for each.
    budget: &'s Budget,
    family: Option<Family<'s>>,
    scratch: Scratch,
    /// Evidence from the constant last decided by the game, tried first on the next one.
    evidence: Option<Evidence>,
}

impl SiteJudge<'_> {
    fn site(&mut self, place: ConstraintChange, last: i64, progress: &dyn Fn()) -> Result<ConstantSite, GameError> {
        let game = self.specification.automaton();
        let mut intervals: Vec<ConstantInterval> = Vec::new();
        for from in 0..=last {
            if self.budget.exceeded(0, 0).is_some() {
                let (to, verdict) = (last, Verdict::Unknown);
                extend(&mut intervals, ConstantInterval { from, to, verdict });
                break;
            }
            let (to, verdict) = (from, self.verdict(&place, from)?);
            progress();
            extend(&mut intervals, ConstantInterval { from, to, verdict });
        }
        let (site, constraint) = place.names(game);
        Ok(ConstantSite {
            site,
            constraint,
            constant: place.old.constant,
            intervals,
        })
    }

    fn verdict(&mut self, place: &ConstraintChange, constant: i64) -> Result<Verdict, GameError> {
        let Some(mutation) = changed_to(place, constant) else {
            // The game itself: consistent, and every game refines itself.
            return Ok(Verdict::Subsumed);
        };
        let game = self.specification.automaton();
        if let Some(change) = change(&mutation, game)
            && let Some(verdict) = self.verdict_in_family(&change)
        {
            return Ok(verdict);
        }
        let mutant = mutation.apply(game);
        let decision = self.specification.decide(&mutant, self.budget, &mut self.scratch)?;
        Ok(decision.verdict.into())
    }

    fn verdict_in_family(&mut self, change: &Change) -> Option<Verdict> {
        let family = self.family.as_mut()?;
        let (verdict, how) = family.decide(change, self.evidence.as_ref().as_slice(), &mut self.scratch)?;
        if matches!(how, How::Product | How::Counterpart | How::Strategy) {
            let found = family.investigate(change, &mut self.scratch);
            self.evidence = found.and_then(|(_, _, evidence)| evidence).or(self.evidence.take());
        }
        Some(verdict.into())
    }
}
