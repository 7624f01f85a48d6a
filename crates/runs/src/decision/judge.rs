//! The verdict on one mutant: by a guideline if allowed, else by the game.

use std::borrow::Cow;

use crate::decision::effective::Effective;
use crate::decision::extended::{Extended, NamedSteps, SharedMutationFacts};
use crate::decision::families::{FamilyEngine, change};
use crate::records::verdict::{BY_THE_GAME, NAMED_EARLIER};
use crate::records::witness::short_form;
use crate::{DecidedBy, Engine, GuidelineSet, Judgement, StaticUse, Timer, Verdict};
use tamper_game::{
    self as game, Consistency, Containment, Families, Family, GameError, How, Scratch, Semantics, Specification,
};
use tamper_timed::model::{Automaton, ClockConstraint, Expr, Valuation};
use tamper_timed::mutation::{ConstraintChange, Mutation, Siblings, Site};

/// A mutant to be decided.
pub(crate) struct UndecidedMutant<'s, 'f> {
    pub siblings: &'s Siblings,
    pub last: Mutation,
    /// The mutant, if it was already made.
    pub made: Option<&'s Automaton>,
    /// Its family, if the family engine decides it.
    pub family: Option<(&'s FamilyEngine<'s>, &'s mut Family<'f>)>,
}

/// Whether the mutant that `last` makes has an initial state: its initial invariant holds when all clocks are 0.
pub(crate) fn has_start(siblings: &Siblings, last: &Mutation) -> bool {
    let made;
    let parent = match last {
        Mutation::Alter { .. } | Mutation::Again(_) => {
            made = siblings.mutant(*last);
            &made
        }
        _ => siblings.parent(),
    };
    let changes = |change: &ConstraintChange| change.site == Site::Invariant(parent.initial());
    let changed = last.constraint().filter(changes).and_then(|_| last.new_guard(parent));
    let invariant = changed
        .as_ref()
        .unwrap_or(&parent.locations()[parent.initial()].invariant);
    let ints: Vec<i32> = parent.ints().iter().map(|var| var.initial).collect();
    let start = Valuation {
        ints: &ints,
        selects: &[],
    };
    let holds = |condition: &Expr| condition.eval(start).is_ok_and(|value| value != 0);
    let begins = |atom: &ClockConstraint| atom.bound.bound(start).is_ok_and(|bound| atom.cmp.holds(&0, &bound));
    invariant.data.iter().all(holds) && invariant.clocks.iter().all(begins)
}

impl UndecidedMutant<'_, '_> {
    fn has_start(&self) -> bool {
        has_start(self.siblings, &self.last)
    }
    fn automaton(&self) -> Cow<'_, Automaton> {
        match self.made {
            Some(made) => Cow::Borrowed(made),
            None => Cow::Owned(self.siblings.mutant(self.last)),
        }
    }
}

/// Decides mutants of one specification.
#[derive(Debug)]
pub struct Judge {
    /// `None` if no game is to be played.
    specification: Option<Specification>,
    /// Whether states are pruned, so that a mutant named by a guideline may be inconsistent.
    prune: bool,
    statics: StaticUse,
    witness: bool,
    timer: Timer,
    extended: Option<Extended>,
    engine: Engine,
    /// The lemmata that prove mutants of order 1 non-subsumed when no game is played.
    lemmas: Option<Effective>,
}

impl Judge {
    /// A judge that plays games against `specification`.
    pub fn new(specification: Specification, statics: StaticUse, witness: bool, timer: Timer) -> Self {
        let prune = specification.semantics().prune;
        Self {
            specification: Some(specification),
            statics,
            witness,
            ..Self::by_rules_only(prune, timer)
        }
    }
    /// A judge that knows only the guidelines; `prune` says whether pruning can make mutants inconsistent.
    pub fn by_rules_only(prune: bool, timer: Timer) -> Self {
        Self {
            specification: None,
            prune,
            statics: StaticUse::Only,
            witness: false,
            timer,
            extended: None,
            engine: Engine::Enumerate,
            lemmas: None,
        }
    }
    /// Adds Lemmata 8 to 14 of \[003\] about `original`, for mutants that are decided without a game. They hold for one
    /// reading of refinement, [`Semantics::DEFINITION`]; under other semantics nothing is added.
    #[must_use]
    pub fn with_lemmas(mut self, original: &Automaton, semantics: Semantics) -> Self {
        if semantics == Semantics::DEFINITION {
            // If `original` has no meaning or exceeds the limits, no lemmata are used.
            let known = Effective::of(original, &self.timer.budget()).ok();
            self.lemmas = known.and_then(Result::ok);
        }
        self
    }
    /// Selects the set of guidelines. The extended ones need a judge that knows the specification.
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

    /// Selects the engine. Limits apply to each decision, so with limits each mutant is decided separately whatever the
    /// engine.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = if self.timer.is_unlimited() {
            engine
        } else {
            Engine::Enumerate
        };
        self
    }

    /// Whether the time of the run is up.
    pub fn is_over(&self) -> bool {
        self.timer.is_over()
    }

    /// The engine in use.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// The families of the specification, if the family engine is in use and the game allows it.
    pub(crate) fn families(&self) -> Option<Families<'_>> {
        let specification = self.specification.as_ref().filter(|_| self.engine == Engine::Family)?;
        FamilyEngine::families_of(specification)
    }

    /// The facts about the automaton of shared mutations that the extended guidelines need, if these are in use.
    pub(crate) fn shared(&self, parent: &Automaton) -> Option<SharedMutationFacts> {
        let extended = self.extended.as_ref()?;
        Some(extended.shared(parent, &self.timer.budget()))
    }

    /// The verdict on a mutant; `steps` says which of its mutations the published guidelines name.
    pub(crate) fn decide(
        &self,
        subject: &mut UndecidedMutant<'_, '_>,
        steps: NamedSteps,
        shared: Option<&SharedMutationFacts>,
        scratch: &mut Scratch,
    ) -> Judgement {
        let violates = steps.shared && steps.last;
        let Some(specification) = &self.specification else {
            return self.by_rule_only(violates, || subject.has_start());
        };
        let replaces_games = self.statics != StaticUse::Off;
        if violates && replaces_games {
            return self.by_rule(specification, subject);
        }
        let extended = self.extended.as_ref().filter(|_| !violates);
        let name = |extended: &Extended| extended.name(&subject.automaton(), shared, steps, &self.timer.budget());
        let named = extended.and_then(name).map(Containment::name);
        let judgement = match named {
            None if self.statics == StaticUse::Only => self.by_rule_only(false, || true),
            Some(_) if replaces_games => Judgement {
                decided_by: DecidedBy::Identity,
                ..self.by_rule(specification, subject)
            },
            _ => self.by_game(specification, subject, scratch),
        };
        Judgement { named, ..judgement }
    }

    /// The reason why a mutant that no published guideline names is subsumed or inconsistent; `None` unless the
    /// extended guidelines are in use.
    pub(crate) fn why(&self, judgement: &Judgement, violates: bool) -> Option<&'static str> {
        let is_bad = matches!(judgement.verdict, Verdict::Subsumed | Verdict::Inconsistent);
        if self.extended.is_none() || violates || !(is_bad || judgement.named.is_some()) {
            return None;
        }
        Some(judgement.named.unwrap_or(BY_THE_GAME))
    }

    /// The reason for naming a mutant that the text of a record gives, if it is a known one.
    pub(crate) fn reason_of(why: &str) -> Option<&'static str> {
        let reasons = Containment::ALL
            .into_iter()
            .map(Containment::name)
            .chain([NAMED_EARLIER]);
        reasons.into_iter().find(|reason| *reason == why)
    }

    /// Whether games are played, which needs the mutants as automata.
    pub fn plays_games(&self) -> bool {
        self.specification.is_some()
    }

    /// The verdict on a mutant without a game: by the guidelines, or else by the lemmata. `first` is its mutation if it
    /// has only one.
    pub(crate) fn by_syntax(
        &self,
        violates: bool,
        first: Option<&Mutation>,
        has_start: impl FnOnce() -> bool,
    ) -> Judgement {
        let proof = |(lemmas, mutation): (&Effective, _)| lemmas.proof(mutation, &self.timer.budget());
        match self.lemmas.as_ref().zip(first).filter(|_| !violates).and_then(proof) {
            Some(lemma) => Judgement::failed(Verdict::NonSubsumed, DecidedBy::Lemma, &lemma),
            None => self.by_rule_only(violates, has_start),
        }
    }

    /// The verdict by the guidelines alone. Without pruning only a mutant without an initial state is inconsistent.
    fn by_rule_only(&self, violates: bool, has_start: impl FnOnce() -> bool) -> Judgement {
        match (violates, self.prune) {
            (true, true) => Judgement::plain(Verdict::SubsumedOrInconsistent, DecidedBy::Rule),
            (true, false) if has_start() => Judgement::plain(Verdict::Subsumed, DecidedBy::Rule),
            (true, false) => Judgement::plain(Verdict::Inconsistent, DecidedBy::Rule),
            (false, _) => Judgement::failed(
                Verdict::Unknown,
                DecidedBy::Nothing,
                &"no game is played (--static-only)",
            ),
        }
    }

    fn by_rule(&self, specification: &Specification, subject: &mut UndecidedMutant<'_, '_>) -> Judgement {
        let by = DecidedBy::Rule;
        let in_family = subject.family.as_mut().and_then(|(_, family)| {
            let change = change(&subject.last, subject.siblings.parent())?;
            family.is_consistent(&change)
        });
        let found = match in_family {
            Some(true) => Ok(Consistency::Consistent),
            Some(false) => Ok(Consistency::Inconsistent),
            None => specification.check_consistency(&subject.automaton(), &self.timer.budget()),
        };
        match found {
            Ok(Consistency::Consistent) => Judgement::plain(Verdict::Subsumed, by),
            Ok(Consistency::Inconsistent) => Judgement::plain(Verdict::Inconsistent, by),
            Ok(Consistency::Unknown(reason)) => Judgement::failed(Verdict::Unknown, by, &reason),
            Err(error) => Judgement::of_error(by, error.is_invalid(), &error),
        }
    }

    fn by_game(
        &self,
        specification: &Specification,
        subject: &mut UndecidedMutant<'_, '_>,
        scratch: &mut Scratch,
    ) -> Judgement {
        let by = DecidedBy::Game;
        let (verdict, how) = match self.verdict(specification, subject, scratch) {
            Ok(decided) => decided,
            Err(error) => return Judgement::of_error(by, error.is_invalid(), &error),
        };
        let judgement = match verdict {
            game::Verdict::Inconsistent => Judgement::plain(Verdict::Inconsistent, by),
            game::Verdict::Subsumed => Judgement::plain(Verdict::Subsumed, by),
            game::Verdict::Unknown(reason) => Judgement::failed(Verdict::Unknown, by, &reason),
            game::Verdict::NonSubsumed => Judgement {
                witness: self.witness(specification, subject),
                ..Judgement::plain(Verdict::NonSubsumed, by)
            },
        };
        Judgement {
            how: Some(how),
            ..judgement
        }
    }

    /// The verdict of the game on `mutant` alone, without guidelines or families; `None` if no games are played.
    pub(crate) fn plain(&self, mutant: &Automaton) -> Option<Verdict> {
        let specification = self.specification.as_ref()?;
        let decided = specification.decide(mutant, &self.timer.budget(), &mut Scratch::default());
        Some(match decided {
            Ok(decision) => decision.verdict.into(),
            Err(error) => Judgement::of_error(DecidedBy::Game, error.is_invalid(), &error).verdict,
        })
    }

    fn verdict(
        &self,
        specification: &Specification,
        subject: &mut UndecidedMutant<'_, '_>,
        scratch: &mut Scratch,
    ) -> Result<(game::Verdict, How), GameError> {
        if let Some((engine, family)) = &mut subject.family
            && let Some(decided) = engine.decide(family, subject.siblings, &subject.last, scratch)
        {
            return Ok(decided);
        }
        let decision = specification.decide(&subject.automaton(), &self.timer.budget(), scratch)?;
        Ok((decision.verdict, How::of_game(decision.method)))
    }

    /// The counterexample, if it is requested and found within the limits.
    fn witness(&self, specification: &Specification, subject: &UndecidedMutant<'_, '_>) -> Option<String> {
        if !self.witness {
            return None;
        }
        let found = specification.counterexample(&subject.automaton(), &self.timer.budget());
        Some(short_form(&found.ok()?.counterexample()?))
    }
}
