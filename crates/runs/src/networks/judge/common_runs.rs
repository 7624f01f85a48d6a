//! Verdicts on mutants of a network from the runs that they have in common with the original, without a composition
//! (`docs/notes/0024-beside-the-original.md`).

use super::{Attempt, CONGRUENT, FAULT, MOST_STATES, Made, NetworkJudge};
use crate::records::witness::short_form;
use crate::{DecidedBy, Judgement, StaticUse, Verdict};
use tamper_game::{self as game, How};
use tamper_text::Budget;
use tamper_timed::model::Automaton;
use tamper_timed::network::{Along, Asked, ComposeError, Composed, Departure, Original, compose_mutant};

impl NetworkJudge<'_> {
    /// The composition of a mutant, or the judgement on it if its runs beside the original tell it.
    pub(super) fn composed_or_decided(
        &self,
        made: &mut Made,
        attempt: &mut Attempt<'_>,
    ) -> Result<Result<Composed, ComposeError>, Box<Judgement>> {
        let Some(known) = &self.origin else {
            return Ok(compose_mutant(&made.network, self.network, self.view, &attempt.budget));
        };
        let most = self.settings.composed_first;
        let mut fault = None;
        if self.settings.statics != StaticUse::Only && attempt.budget.max_states.is_none_or(|states| states > most) {
            match known
                .original
                .compose_mutant(&made.network, &attempt.budget.at_most(most))
            {
                Err(ComposeError::Stopped { .. }) => {}
                Err(error) if error.is_fault() => fault = Some(error),
                composed => return Ok(composed),
            }
            let replacing = self.replaces_game(made, attempt);
            if let Some(judgement) = self.by_common_runs(&known.original, made, replacing, fault.as_ref(), attempt) {
                return Err(Box::new(judgement));
            }
            made.is_walked = true;
            if let Some(reason) = attempt.budget.exceeded(0, 0) {
                return Err(Box::new(Judgement::failed(Verdict::Unknown, DecidedBy::Game, &reason)));
            }
        }
        Ok(fault.map_or_else(|| known.original.compose_mutant(&made.network, &attempt.budget), Err))
    }

    /// The judgement on a mutant, of which a run ends in this `fault`, if its runs beside the original tell it.
    pub(super) fn by_common_runs(
        &self,
        original: &Original,
        made: &Made,
        replacing: Option<DecidedBy>,
        fault: Option<&ComposeError>,
        attempt: &mut Attempt<'_>,
    ) -> Option<Judgement> {
        if self.has_hidden || made.has_hidden {
            return None;
        }
        let asked = Asked {
            prune: self.settings.semantics.prune,
            refines: replacing.is_some(),
            inputs: true,
        };
        let mut told = None;
        let budget = attempt.budget.clone();
        let along = original.beside(&made.network, asked, &budget, &mut |departure| {
            told = self.tells(departure, attempt);
            told.is_some()
        });
        let (verdict, how) = match along {
            Along::Stays { by_deadlines: true } => (Verdict::Subsumed, How::BesideDeadlines),
            Along::Stuck { by_deadlines: true } => (Verdict::Inconsistent, How::BesideDeadlines),
            Along::Stays { .. } => (Verdict::Subsumed, How::Beside),
            Along::Closed => (Verdict::Subsumed, How::BesideInputs),
            Along::Stuck { .. } => (Verdict::Inconsistent, How::Beside),
            Along::Told => return told,
            Along::Fails => return Some(self.failing(original, made, fault, &budget)),
            Along::Open => return None,
        };
        Some(Judgement {
            named: (verdict == Verdict::Subsumed && replacing == Some(DecidedBy::Congruence)).then_some(CONGRUENT),
            how: Some(how),
            ..Judgement::plain(verdict, replacing.unwrap_or(DecidedBy::Game))
        })
    }

    /// The judgement on a mutant of which some run ends in a fault, and that shows no difference without.
    fn failing(&self, original: &Original, made: &Made, fault: Option<&ComposeError>, budget: &Budget) -> Judgement {
        let composed = || original.compose_mutant(&made.network, budget).err();
        let fault = fault.cloned().or_else(composed).filter(ComposeError::is_fault);
        let reason = fault.map_or_else(|| FAULT.to_owned(), |fault| fault.to_string());
        Judgement {
            how: Some(How::Beside),
            ..Judgement::failed(Verdict::Invalid, DecidedBy::Game, &reason)
        }
    }

    /// The judgement on a mutant with this run, if the specification cannot follow it.
    fn tells(&self, departure: &Departure<'_>, attempt: &mut Attempt<'_>) -> Option<Judgement> {
        let action = departure.action();
        let never = action.is_some_and(|(name, role)| self.specification.never_answers(&name, role));
        let game = (!never || self.settings.witness).then(|| departure.game());
        let Attempt { budget, scratch } = attempt;
        let is_lost = |game: &Automaton| {
            let decided = self.specification.decide(game, &budget.at_most(MOST_STATES), scratch);
            decided.is_ok_and(|decision| decision.verdict == game::Verdict::NonSubsumed)
        };
        let is_told = never || game.as_ref().is_some_and(is_lost);
        is_told.then(|| Judgement {
            how: Some(if never { How::BesideUnanswered } else { How::BesideRun }),
            witness: game
                .filter(|_| self.settings.witness)
                .and_then(|game| self.shown(&game, &attempt.budget)),
            ..Judgement::plain(Verdict::NonSubsumed, DecidedBy::Game)
        })
    }

    /// The counterexample that the game along one run of a mutant has: it is one of the mutant.
    fn shown(&self, game: &Automaton, budget: &Budget) -> Option<String> {
        let found = self.specification.counterexample(game, budget);
        Some(short_form(&found.ok()?.counterexample()?))
    }
}
