//! The certificate of a verdict.

use std::fmt::{self, Write as _};

use rustc_hash::FxHashMap;

use super::loss::write_inconsistent;
use super::normal_form::{ClockNames, write_game, write_stateless};
use super::progress::write_consistent;
use super::refutation::write_refutation;
use super::relation::Relation;
use crate::answer_heuristic::LocationCorrespondence;
use crate::product::{ActionMap, ArenaProduct};
use crate::semantics::Unmatched;
use crate::symbolic::{Arena, GameError, Halt, consistency, lower};
use crate::{Specification, Verdict, responder};
use tamper_text::{Budget, StopReason};
use tamper_timed::model::Automaton;
use tamper_zones::Federation;

/// A verdict with its certificate, or the reason why there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certification {
    /// The verdict, and the text that `tamper-check` takes.
    Certificate(Verdict, String),
    /// A limit was hit before the verdict was known.
    Unknown(StopReason),
    /// The verdict is known, but could not be written down.
    Uncertified(Verdict, Uncertified),
}

/// The part of a certificate that could not be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uncertified {
    /// The ways in which consistent states go on.
    Progress,
    /// The order of inconsistent states.
    Loss,
    /// The relation.
    Relation,
    /// The refutation.
    Refutation,
}

impl fmt::Display for Uncertified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Progress => "some consistent states have no way to go on",
            Self::Loss => "some inconsistent states follow from no others",
            Self::Relation => "the relation does not close",
            Self::Refutation => "the refutation does not reach the initial states",
        })
    }
}

/// What ends the writing of a certificate early.
enum Ending {
    Halt(Halt),
    Uncertified(Uncertified),
}

impl From<Halt> for Ending {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

impl From<fmt::Error> for Ending {
    fn from(_: fmt::Error) -> Self {
        unreachable!("a string takes all text")
    }
}

impl Specification {
    /// The verdict on `mutant`, decided anew by the game in which the responder has choices, and its certificate.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn certify(&self, mutant: &Automaton, budget: &Budget) -> Result<Certification, GameError> {
        let mut verdict = Verdict::Unknown(StopReason::States);
        match self.written(mutant, budget, &mut verdict) {
            Ok(text) => Ok(Certification::Certificate(verdict, text)),
            Err(Ending::Uncertified(part)) => Ok(Certification::Uncertified(verdict, part)),
            Err(Ending::Halt(Halt::Stopped(reason))) => Ok(Certification::Unknown(reason)),
            Err(Ending::Halt(Halt::Error(error))) => Err(error),
        }
    }

    fn written(&self, mutant: &Automaton, budget: &Budget, verdict: &mut Verdict) -> Result<String, Ending> {
        let is_pruned = self.semantics().prune;
        let mut arena = lower(mutant, budget)?;
        let is_consistent = match &mut arena {
            Some(arena) => !is_pruned || consistency::prune(arena, budget)?,
            None => false,
        };
        let Some(left) = arena.filter(|_| is_consistent) else {
            *verdict = Verdict::Inconsistent;
            return self.inconsistent(mutant, budget);
        };
        let product = ArenaProduct {
            left: &left,
            right: &self.behind(left.n_clocks),
            actions: ActionMap::new(mutant, self.automaton()),
            unmatched: self.semantics().unmatched,
        };
        let heuristic = LocationCorrespondence::Names(mutant, self.automaton());
        let answered = responder::answer(&product, heuristic, budget)?;
        *verdict = if answered.holds() {
            Verdict::Subsumed
        } else {
            Verdict::NonSubsumed
        };
        let mut out = self.head(*verdict);
        write_games(&mut out, (mutant, &left), (self.automaton(), self.arena()))?;
        if is_pruned {
            write_states(&mut out, "mutant", mutant, &left, budget)?;
            write_states(&mut out, "specification", self.automaton(), self.arena(), budget)?;
        }
        let names = ClockNames::of(mutant).beside(&ClockNames::of(self.automaton()));
        if answered.holds() {
            let lost: FxHashMap<_, Federation> = answered.solution.losing_states().collect();
            let related = (answered.states_left(), lost);
            let relation = Relation::closed(&product, heuristic, related, budget)?;
            let relation = relation.ok_or(Ending::Uncertified(Uncertified::Relation))?;
            writeln!(out, "relation")?;
            relation.write(&mut out, &names)?;
        } else {
            writeln!(out, "refutation")?;
            if !write_refutation(&mut out, &answered.solution, &names) {
                return Err(Ending::Uncertified(Uncertified::Refutation));
            }
        }
        Ok(out)
    }

    fn head(&self, verdict: Verdict) -> String {
        let semantics = self.semantics();
        let unmatched = match semantics.unmatched {
            Unmatched::Reject => "reject",
            Unmatched::Ignore => "ignore",
        };
        let pruned = if semantics.prune { "yes" } else { "no" };
        format!("tamper certificate 1\nclaim {verdict}\nunmatched {unmatched}\npruned {pruned}\n")
    }

    /// The certificate of a mutant without a (consistent) initial state.
    fn inconsistent(&self, mutant: &Automaton, budget: &Budget) -> Result<String, Ending> {
        let mut out = self.head(Verdict::Inconsistent);
        let Some(mut arena) = lower(mutant, budget)? else {
            writeln!(out, "game mutant")?;
            write_stateless(&mut out, mutant)?;
            writeln!(out, "game specification")?;
            write_game(&mut out, self.automaton(), self.arena())?;
            return Ok(out);
        };
        consistency::prune(&mut arena, budget)?;
        write_games(&mut out, (mutant, &arena), (self.automaton(), self.arena()))?;
        writeln!(out, "inconsistent mutant")?;
        let names = ClockNames::of(mutant);
        match write_inconsistent(&mut out, &arena, &names, budget)? {
            true => Ok(out),
            false => Err(Ending::Uncertified(Uncertified::Loss)),
        }
    }
}

fn write_games(out: &mut String, mutant: (&Automaton, &Arena), specification: (&Automaton, &Arena)) -> fmt::Result {
    writeln!(out, "game mutant")?;
    write_game(out, mutant.0, mutant.1)?;
    writeln!(out, "game specification")?;
    write_game(out, specification.0, specification.1)
}

/// Writes the states of a game that are consistent, and those that are not.
fn write_states(out: &mut String, name: &str, game: &Automaton, arena: &Arena, budget: &Budget) -> Result<(), Ending> {
    let names = ClockNames::of(game);
    writeln!(out, "consistent {name}")?;
    if !write_consistent(out, arena, &names)? {
        return Err(Ending::Uncertified(Uncertified::Progress));
    }
    writeln!(out, "inconsistent {name}")?;
    match write_inconsistent(out, arena, &names, budget)? {
        true => Ok(()),
        false => Err(Ending::Uncertified(Uncertified::Loss)),
    }
}
