//! The verdict on one mutant: by a guideline where that is allowed, else by the game.

use super::extended::{Extended, Shared, Steps};
use super::witness::short_form;
use super::{DecidedBy, GuidelineSet, StaticUse, Timer, Verdict};
use crate::game::{self, Consistency, Containment, GameError, Scratch, Specification};
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
    /// Why the extended guidelines name it, in words.
    pub named: Option<&'static str>,
}

impl Judgement {
    fn plain(verdict: Verdict, decided_by: DecidedBy) -> Self {
        Self {
            verdict,
            decided_by,
            reason: None,
            witness: None,
            named: None,
        }
    }
    fn failed(verdict: Verdict, decided_by: DecidedBy, reason: &impl ToString) -> Self {
        Self {
            reason: Some(reason.to_string()),
            ..Self::plain(verdict, decided_by)
        }
    }
}

/// Why a mutant is subsumed that neither guideline set names.
pub(super) const BY_THE_GAME: &str = "refines by the game";

/// Why a mutant is useless that is the same automaton as one that a published guideline names.
pub(super) const NAMED_EARLIER: &str = "the same as a mutant that a guideline names";

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
    extended: Option<Extended>,
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
            extended: None,
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
            extended: None,
        }
    }
    /// The same judge with that set of guidelines. The extended ones need a judge that knows the specification.
    #[must_use]
    pub fn with_guidelines(mut self, set: GuidelineSet) -> Self {
        self.extended = match (set, &self.specification) {
            (GuidelineSet::Extended, Some(specification)) => {
                let semantics = specification.semantics();
                Some(Extended::of(specification.automaton(), semantics, &self.timer.budget()))
            }
            _ => None,
        };
        self
    }

    /// What the extended guidelines need to know about the automaton of a shared mutation, if they are in use.
    pub(super) fn shared(&self, parent: &Automaton) -> Option<Shared> {
        let extended = self.extended.as_ref()?;
        Some(extended.shared(parent, &self.timer.budget()))
    }

    /// The verdict on `mutant`, whose mutations the published guidelines name as `steps` says.
    pub(super) fn decide(
        &self,
        mutant: &Automaton,
        steps: Steps,
        shared: Option<&Shared>,
        scratch: &mut Scratch,
    ) -> Judgement {
        let violates = steps.first && steps.last;
        let Some(specification) = &self.specification else {
            return self.by_rule_only(violates);
        };
        let replaces_games = self.statics != StaticUse::Off;
        if violates && replaces_games {
            return self.by_rule(specification, mutant);
        }
        let extended = self.extended.as_ref().filter(|_| !violates);
        let contained = extended.and_then(|extended| extended.name(mutant, shared, steps, &self.timer.budget()));
        let named = contained.map(Containment::describe);
        let judgement = match named {
            Some(_) if replaces_games => Judgement {
                decided_by: DecidedBy::Identity,
                ..self.by_rule(specification, mutant)
            },
            _ => self.by_game(specification, mutant, scratch),
        };
        Judgement { named, ..judgement }
    }

    /// Why a mutant that no published guideline names is subsumed or inconsistent, when the extended ones are in use.
    pub(super) fn why(&self, judgement: &Judgement, violates: bool) -> Option<&'static str> {
        let is_bad = matches!(judgement.verdict, Verdict::Subsumed | Verdict::Inconsistent);
        if self.extended.is_none() || violates || !(is_bad || judgement.named.is_some()) {
            return None;
        }
        Some(judgement.named.unwrap_or(BY_THE_GAME))
    }

    /// The reason that a record's text gives, if it is one of those that name a mutant.
    pub(super) fn reason_of(why: &str) -> Option<&'static str> {
        let reasons = Containment::ALL
            .into_iter()
            .map(Containment::describe)
            .chain([NAMED_EARLIER]);
        reasons.into_iter().find(|reason| *reason == why)
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
