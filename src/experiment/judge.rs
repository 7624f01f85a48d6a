//! The verdict on one mutant: by a guideline where that is allowed, else by the game.

use super::witness::short_form;
use super::{DecidedBy, StaticUse, Timer, Verdict};
use crate::game::{self, Consistency, GameError, Scratch, Specification};
use crate::model::Automaton;

/// A verdict and what gave it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// What gave it.
    pub decided_by: DecidedBy,
    /// The limit that was hit, or what is wrong with the mutant.
    pub reason: Option<String>,
    /// A run that the specification cannot match, in one line.
    pub witness: Option<String>,
}

impl Judgement {
    fn plain(verdict: Verdict, decided_by: DecidedBy) -> Self {
        Self {
            verdict,
            decided_by,
            reason: None,
            witness: None,
        }
    }
    fn failed(verdict: Verdict, decided_by: DecidedBy, reason: &impl ToString) -> Self {
        Self {
            reason: Some(reason.to_string()),
            ..Self::plain(verdict, decided_by)
        }
    }
}

/// Decides mutants of one specification.
#[derive(Debug)]
pub struct Judge {
    /// None when no game is to be played.
    specification: Option<Specification>,
    /// Whether a guideline leaves the question whether the mutant is consistent.
    prune: bool,
    statics: StaticUse,
    witness: bool,
    timer: Timer,
}

impl Judge {
    /// A judge that plays games against `specification`.
    pub fn new(specification: Specification, statics: StaticUse, witness: bool, timer: Timer) -> Self {
        Self {
            prune: specification.semantics().prune,
            specification: Some(specification),
            statics,
            witness,
            timer,
        }
    }
    /// A judge that knows only the guidelines; `prune` says whether there are inconsistent mutants at all.
    pub fn by_rules_only(prune: bool, timer: Timer) -> Self {
        Self {
            specification: None,
            prune,
            statics: StaticUse::Only,
            witness: false,
            timer,
        }
    }

    /// The verdict on `mutant`; `violates` says whether the guidelines name each of its mutations.
    pub fn decide(&self, mutant: &Automaton, violates: bool, scratch: &mut Scratch) -> Judgement {
        let Some(specification) = &self.specification else {
            return self.by_rule_only(violates);
        };
        if violates && self.statics != StaticUse::Off {
            return self.by_rule(specification, mutant);
        }
        self.by_game(specification, mutant, scratch)
    }

    /// Whether mutants are needed to decide about them.
    pub fn plays_games(&self) -> bool {
        self.specification.is_some()
    }

    /// The verdict by the guidelines alone.
    pub(super) fn by_rule_only(&self, violates: bool) -> Judgement {
        match (violates, self.prune) {
            (true, true) => Judgement::plain(Verdict::SubsumedOrInconsistent, DecidedBy::Rule),
            (true, false) => Judgement::plain(Verdict::Subsumed, DecidedBy::Rule),
            (false, _) => Judgement::failed(
                Verdict::Unknown,
                DecidedBy::Nothing,
                &"no game is played (--static-only)",
            ),
        }
    }

    fn by_rule(&self, specification: &Specification, mutant: &Automaton) -> Judgement {
        let by = DecidedBy::Rule;
        match specification.check_consistency(mutant, &self.timer.budget()) {
            Ok(Consistency::Consistent) => Judgement::plain(Verdict::Subsumed, by),
            Ok(Consistency::Inconsistent) => Judgement::plain(Verdict::Inconsistent, by),
            Ok(Consistency::Unknown(reason)) => Judgement::failed(Verdict::Unknown, by, &reason),
            Err(error) => Judgement::failed(Verdict::Error, by, &error),
        }
    }

    fn by_game(&self, specification: &Specification, mutant: &Automaton, scratch: &mut Scratch) -> Judgement {
        let by = DecidedBy::Game;
        let decision = match specification.decide(mutant, &self.timer.budget(), scratch) {
            Ok(decision) => decision,
            Err(error) => return Judgement::failed(Verdict::Error, by, &error),
        };
        match decision.verdict {
            game::Verdict::Inconsistent => Judgement::plain(Verdict::Inconsistent, by),
            game::Verdict::Subsumed => Judgement::plain(Verdict::Subsumed, by),
            game::Verdict::Unknown(reason) => Judgement::failed(Verdict::Unknown, by, &reason),
            game::Verdict::NonSubsumed => Judgement {
                witness: self.witness(specification, mutant),
                ..Judgement::plain(Verdict::NonSubsumed, by)
            },
        }
    }

    /// The counterexample, if it is wanted and found within the limits.
    fn witness(&self, specification: &Specification, mutant: &Automaton) -> Option<String> {
        let found: Result<_, GameError> = match self.witness {
            true => specification.counterexample(mutant, &self.timer.budget()),
            false => return None,
        };
        let counterexample = found.ok().flatten()?;
        Some(short_form(&counterexample))
    }
}
