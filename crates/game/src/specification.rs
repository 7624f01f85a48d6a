//! The main questions of this package: is a game consistent, and does a mutant refine a specification?

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use super::analysis::{Consistency, lost_in};
use super::answer_heuristic::LocationCorrespondence;
use super::fixpoint::Solution;
use super::forward::{self, ForwardOutcome, Scratch};
use super::product::{ActionMap, ArenaProduct};
use super::responder;
use super::semantics::{Semantics, Unmatched};
use super::witness::{self, Counterexample};
use crate::symbolic::{Arena, GameError, Halt, consistency, lower, lower_with};
use tamper_text::{Budget, StopReason};
use tamper_timed::model::{Automaton, Role};

/// The answer to a refinement question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// The mutant has no consistent initial state.
    Inconsistent,
    /// The mutant refines the specification: no test can tell them apart.
    Subsumed,
    /// It does not; a counterexample exists.
    NonSubsumed,
    /// A limit was hit before the verdict was known.
    Unknown(StopReason),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inconsistent => f.pad("inconsistent"),
            Self::Subsumed => f.pad("subsumed"),
            Self::NonSubsumed => f.pad("non-subsumed"),
            Self::Unknown(reason) => f.pad(&format!("unknown: {reason}")),
        }
    }
}

/// The method by which a verdict was reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// The mutant's own consistency settled it.
    Consistency,
    /// A limit was hit, but the mutant is the specification itself.
    Same,
    /// The specification's own zone graph: the mutant stays in the same state.
    Diagonal,
    /// A run of the mutant to an output that the specification never makes.
    Unanswered,
    /// Reachability in the product: no reached point fails, or one does and the responder had no choice.
    Product,
    /// The game in which the responder has choices: each challenge was answered by its counterpart, as far as there is one.
    Counterpart,
    /// The game in which the responder has choices: it had to answer by other moves.
    Strategy,
}

impl Method {
    /// The method of the game with choices; `is_alike` says whether each challenge was answered by the answer most like it.
    pub(super) fn with_choices(is_alike: bool) -> Self {
        if is_alike { Self::Counterpart } else { Self::Strategy }
    }
}

/// A verdict, and the method by which it was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The verdict on the mutant.
    pub verdict: Verdict,
    /// The procedure that gave the verdict.
    pub method: Method,
}

/// The result of a search for a counterexample to "the mutant refines the specification".
#[derive(Clone, Debug)]
pub enum Disproof {
    /// A counterexample: the mutant does not refine it.
    Counterexample(Box<Counterexample>),
    /// There is none: the mutant refines it.
    Refines,
    /// There is none: the mutant is inconsistent, so that there is nothing to compare.
    Inconsistent,
    /// The limit that was hit before any of these was known.
    Unknown(StopReason),
}

impl Disproof {
    /// The counterexample, if one was found.
    pub fn counterexample(self) -> Option<Counterexample> {
        match self {
            Self::Counterexample(counterexample) => Some(*counterexample),
            Self::Refines | Self::Inconsistent | Self::Unknown(_) => None,
        }
    }
}

/// Whether `game` is consistent (David et al. 2010; independent progress against every environment).
///
/// # Errors
/// Games without a meaning, see [`GameError`].
pub fn check_consistency(game: &Automaton, budget: &Budget) -> Result<Consistency, GameError> {
    Consistency::of(consistent_arena(game, true, budget))
}

/// The lowered game, pruned on demand; `None` when it has no (consistent) initial state.
pub(super) fn consistent_arena(game: &Automaton, prune: bool, budget: &Budget) -> Result<Option<Arena>, Halt> {
    pruned(lower(game, budget)?, prune, budget)
}

fn pruned(arena: Option<Arena>, prune: bool, budget: &Budget) -> Result<Option<Arena>, Halt> {
    let Some(mut arena) = arena else {
        return Ok(None);
    };
    if prune && !consistency::prune(&mut arena, budget)? {
        return Ok(None);
    }
    Ok(Some(arena))
}

/// A specification ready to judge mutants: lowered, pruned and known to be consistent.
#[derive(Clone, Debug)]
pub struct Specification {
    automaton: Automaton,
    semantics: Semantics,
    arena: Arena,
    /// `arena` with its clocks shifted behind equally many clocks: the form that most mutants need.
    shifted: Arena,
    /// Whether it can look like every delay ([`super::hidden`]); computed on first use.
    all_delays: OnceLock<bool>,
}

impl Specification {
    /// Lowers and prunes `automaton`.
    ///
    /// # Errors
    /// [`GameError::SpecInconsistent`], [`GameError::SpecUnknown`] when the budget does not suffice, and games
    /// without a meaning.
    pub fn prepare(automaton: &Automaton, semantics: Semantics, budget: &Budget) -> Result<Self, GameError> {
        let arena = match consistent_arena(automaton, semantics.prune, budget) {
            Ok(Some(arena)) => arena,
            Ok(None) => {
                return Err(GameError::SpecInconsistent {
                    automaton: automaton.name().to_owned(),
                    location: lost_in(automaton, budget),
                });
            }
            Err(Halt::Stopped(reason)) => return Err(GameError::SpecUnknown(reason)),
            Err(Halt::Error(error)) => return Err(error),
        };
        Ok(Self {
            automaton: automaton.clone(),
            semantics,
            shifted: arena.shifted(arena.n_clocks),
            arena,
            all_delays: OnceLock::new(),
        })
    }

    /// The cache of `looks_like_all_delays`.
    pub(super) fn all_delays(&self) -> &OnceLock<bool> {
        &self.all_delays
    }

    /// The automaton of the specification, before pruning.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The game itself, lowered and pruned.
    pub(super) fn arena(&self) -> &Arena {
        &self.arena
    }

    /// The game with its clocks shifted behind equally many clocks.
    pub(super) fn shifted(&self) -> &Arena {
        &self.shifted
    }

    /// The game with its clocks shifted behind `n_clocks` clocks.
    pub(super) fn behind(&self, n_clocks: usize) -> Cow<'_, Arena> {
        if n_clocks == self.arena.n_clocks {
            Cow::Borrowed(&self.shifted)
        } else {
            Cow::Owned(self.arena.shifted(n_clocks))
        }
    }

    /// Whether no state answers an output or internal step of this name: none makes it, or ignores it.
    pub fn never_answers(&self, name: &str, role: Role) -> bool {
        let mut actions = self.automaton.actions().iter_enumerated();
        match actions.find(|(_, action)| &*action.name == name && action.role == role) {
            Some((known, _)) => {
                let mut moves = self.arena.moves.iter();
                !moves.any(|step| step.action == known && step.enabled.start < step.enabled.end)
            }
            None => self.semantics.unmatched == Unmatched::Reject,
        }
    }

    /// The semantics of its verdicts.
    pub fn semantics(&self) -> Semantics {
        self.semantics
    }

    /// Whether `mutant` has a consistent initial state under this semantics (without pruning: an initial state). For a
    /// mutant that a guideline names nothing else is left to decide.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn check_consistency(&self, mutant: &Automaton, budget: &Budget) -> Result<Consistency, GameError> {
        Consistency::of(consistent_arena(mutant, self.semantics.prune, budget))
    }

    /// The verdict on `mutant`. `scratch` holds memory that one thread's decisions share.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn decide(&self, mutant: &Automaton, budget: &Budget, scratch: &mut Scratch) -> Result<Decision, GameError> {
        let (lowered, fault) = self.lowered(mutant, budget);
        let decision = self.decide_lowered(mutant, lowered, |left| {
            let heuristic = LocationCorrespondence::Names(mutant, &self.automaton);
            self.with_product(mutant, &left, |product| play(product, heuristic, budget, scratch))
        })?;
        match (fault, &decision.verdict) {
            (Some(fault), Verdict::Subsumed | Verdict::Inconsistent) => Err(fault),
            _ => Ok(decision),
        }
    }

    /// The lowered mutant, if it has a (consistent) initial state. If a run of it ends in a fault and neither game has inputs, whose
    /// answer may be one, it is what is left without, and the fault: a play without a fault that tells the games apart outranks it.
    fn lowered(&self, mutant: &Automaton, budget: &Budget) -> (Result<Option<Arena>, Halt>, Option<GameError>) {
        let lowered = consistent_arena(mutant, self.semantics.prune, budget);
        let mut actions = mutant.actions().iter().chain(self.automaton.actions());
        match lowered {
            Err(Halt::Error(fault)) if fault.is_fault() && !actions.any(|action| action.role == Role::Input) => {
                let rest = lower_with(mutant, true, budget);
                let rest = rest.and_then(|rest| pruned(rest, self.semantics.prune, budget));
                (rest, Some(fault))
            }
            lowered => (lowered, None),
        }
    }

    /// The verdict on `mutant`: `judge` decides about the lowered game, if it has a consistent initial state.
    pub(super) fn decide_lowered<L>(
        &self,
        mutant: &Automaton,
        lowered: Result<Option<L>, Halt>,
        judge: impl FnOnce(L) -> Result<Decision, Halt>,
    ) -> Result<Decision, GameError> {
        let decided = |verdict, method| Ok(Decision { verdict, method });
        let unknown = |reason, method| match *mutant == self.automaton {
            // The mutant is consistent, and identity is the required relation.
            true => decided(Verdict::Subsumed, Method::Same),
            false => decided(Verdict::Unknown(reason), method),
        };
        let left = match lowered {
            Ok(Some(left)) => left,
            Ok(None) => return decided(Verdict::Inconsistent, Method::Consistency),
            Err(Halt::Stopped(reason)) => return unknown(reason, Method::Consistency),
            Err(Halt::Error(error)) => return Err(error),
        };
        match judge(left) {
            Ok(decision) => Ok(decision),
            Err(Halt::Stopped(reason)) => unknown(reason, Method::Product),
            Err(Halt::Error(error)) => Err(error),
        }
    }

    /// The verdict by the fixpoint alone, whether or not a choice occurs: slower, and a check on [`Self::decide`].
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn decide_by_fixpoint(&self, mutant: &Automaton, budget: &Budget) -> Result<Verdict, GameError> {
        let decided = consistent_arena(mutant, self.semantics.prune, budget).and_then(|left| match left {
            None => Ok(Verdict::Inconsistent),
            Some(left) => self.with_product(mutant, &left, |product| {
                let holds = Solution::compute(product, budget)?.holds();
                Ok(if holds { Verdict::Subsumed } else { Verdict::NonSubsumed })
            }),
        });
        Ok(Halt::sorted(decided)?.unwrap_or_else(Verdict::Unknown))
    }

    /// Looks for a counterexample to "`mutant` refines the specification".
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn counterexample(&self, mutant: &Automaton, budget: &Budget) -> Result<Disproof, GameError> {
        let found = self.lowered(mutant, budget).0.and_then(|left| match left {
            None => Ok(Disproof::Inconsistent),
            Some(left) => self.with_product(mutant, &left, |product| {
                let answered =
                    responder::answer(product, LocationCorrespondence::Names(mutant, &self.automaton), budget)?;
                let solution = &answered.solution;
                Ok(match solution.holds() {
                    true => Disproof::Refines,
                    false => Disproof::Counterexample(Box::new(witness::extract(solution, mutant, &self.automaton))),
                })
            }),
        });
        Ok(Halt::sorted(found)?.unwrap_or_else(Disproof::Unknown))
    }

    fn with_product<T>(&self, mutant: &Automaton, left: &Arena, judge: impl FnOnce(&ArenaProduct<'_>) -> T) -> T {
        judge(&ArenaProduct {
            left,
            right: &self.behind(left.n_clocks),
            actions: ActionMap::new(mutant, &self.automaton),
            unmatched: self.semantics.unmatched,
        })
    }
}

pub(super) fn play(
    product: &ArenaProduct<'_>,
    heuristic: LocationCorrespondence<'_>,
    budget: &Budget,
    scratch: &mut Scratch,
) -> Result<Decision, Halt> {
    let outcome = forward::explore(product, budget, scratch)?;
    let (holds, method) = match outcome {
        ForwardOutcome::Holds => (true, Method::Product),
        ForwardOutcome::Fails => (false, Method::Product),
        ForwardOutcome::Choice => {
            let answered = responder::answer(product, heuristic, budget)?;
            scratch.n_states += answered.n_states;
            (answered.holds(), Method::with_choices(answered.is_alike))
        }
    };
    let verdict = if holds { Verdict::Subsumed } else { Verdict::NonSubsumed };
    Ok(Decision { verdict, method })
}
