//! The verdict on one mutant of a network.

mod common_runs;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::digest::digest;
use super::mutants::COMPOSED_FIRST;
use super::single_process::Alone;
use super::stage::NetworkStep;
use super::{Component, NetworkMutant};
use crate::error::Result;
use crate::records::witness::short_form;
use crate::{DecidedBy, Engine, Judgement, StaticUse, Timer, Verdict};
use tamper_game::{
    self as game, Baseline, Consistency, GameError, HiddenEffort, Origin, Scratch, Seen, Semantics, Specification,
};
use tamper_text::{Budget, Id as _};
use tamper_timed::guidelines::Rule;
use tamper_timed::model::{Automaton, EdgeId, LocId, Role};
use tamper_timed::network::{
    ComposeError, Composed, Network, Original, State, View, compose, compose_without_faults, with_seen_steps,
};
use tamper_zones::Dbm;

/// Most symbolic states of the game along one run.
pub(super) const MOST_STATES: u64 = 20_000;
/// The words about a fault that was met on the way.
pub(super) const FAULT: &str = "some run of it ends in a fault";
/// The reason why a mutant with the composition of the original is subsumed.
const SAME: &str = "the composition stays the same";
/// The reason why there is no verdict on a mutant with hidden steps.
pub(crate) const HIDDEN: &str =
    "hidden steps: matched one by one they tell the games apart, but no run was found that is seen to be different";
/// The reason why a mutant that refines its process alone is subsumed.
const CONGRUENT: &str = "refines by itself, and broadcasts keep that in the network";

/// Settings of a judge of networks.
#[derive(Clone, Copy, Debug)]
pub struct NetworkSettings {
    /// The semantics of refinement.
    pub semantics: Semantics,
    /// Whether guidelines and congruence replace games.
    pub statics: StaticUse,
    /// Whether counterexamples are recorded.
    pub witness: bool,
    /// The engine: mutants are decided from facts about the composition, or each separately.
    pub engine: Engine,
    /// The symbolic states of a mutant that are composed before the runs that it has in common with the original are tried:
    /// [`NetworkSettings::COMPOSED_FIRST`] if nothing else is wanted.
    pub composed_first: u64,
}

impl NetworkSettings {
    /// Small compositions are made in any case: equal ones are known by them.
    pub const COMPOSED_FIRST: u64 = COMPOSED_FIRST;
}

/// Judges mutants of one network.
#[derive(Debug)]
pub struct NetworkJudge<'n> {
    network: &'n Network,
    view: &'n View,
    settings: NetworkSettings,
    timer: Timer,
    original: Automaton,
    /// Whether the original has hidden steps.
    has_hidden: bool,
    specification: Specification,
    /// The internal steps of the original that are observable.
    seen: Vec<EdgeId>,
    /// The original with these steps as outputs, prepared if hidden steps have to be distinguished from them.
    watched: OnceLock<Result<Specification, GameError>>,
    /// The facts that mutants are decided from; `None` if each is decided separately.
    origin: Option<CompositionFacts>,
    /// By component and by process of it.
    alone: Vec<Vec<Result<Alone, String>>>,
}

/// Facts about the composition of the network.
#[derive(Debug)]
struct CompositionFacts {
    original: Original,
    baseline: Baseline,
    /// The location of each discrete state.
    places: HashMap<Arc<State>, LocId>,
}

impl CompositionFacts {
    /// Collects the facts; `None` if the composition yields no baseline.
    fn of(
        composed: &Composed,
        original: Original,
        specification: &Specification,
        budget: &Budget,
    ) -> Result<Option<Self>, GameError> {
        let baseline = Baseline::of_composition(specification, budget)?;
        let places = composed
            .discrete
            .iter()
            .cloned()
            .zip(composed.automaton.locations().ids());
        Ok(baseline.map(|baseline| Self {
            original,
            baseline,
            places: places.collect(),
        }))
    }

    /// For each location, the location of the same discrete state in a mutant with these states; `None` if it lacks the
    /// state.
    fn same(&self, states: &[Arc<State>]) -> Vec<Option<LocId>> {
        let mut same = vec![None; self.places.len()];
        for (at, state) in states.iter().enumerate() {
            if let Some(known) = self.places.get(state) {
                same[known.index()] = Some(LocId::from_index(at));
            }
        }
        same
    }
}

/// A decision on one mutant: all its parts share one limit.
pub(super) struct Attempt<'s> {
    pub budget: Budget,
    pub scratch: &'s mut Scratch,
}

/// A mutant as a game, or what is known without it.
enum Outcome {
    Composed(Automaton),
    /// The error, and, if a run ends in a fault, the game that is left without.
    Refused(ComposeError, Option<Automaton>),
    Decided(Judgement),
}

/// A mutant of a network, composed unless it is decided without.
pub(crate) struct Made {
    pub id: String,
    /// Its mutations, in order.
    pub steps: Vec<NetworkStep>,
    /// The guidelines that name them, if all are named.
    pub rules: Option<Vec<Rule>>,
    network: Network,
    composed: Outcome,
    has_hidden: bool,
    /// Whether its runs beside the original were followed, and told nothing.
    is_walked: bool,
    /// The internal steps that are observable.
    seen: Vec<EdgeId>,
    /// For each location of the original's composition, the location of the same state in the mutant's.
    same: Vec<Option<LocId>>,
    /// For each location of the mutant's composition, a zone that contains all reachable valuations; empty if unknown.
    reach: Vec<Dbm>,
    /// Digest of the composition; `None` if it equals the original's, or the mutant has no composition.
    pub digest: Option<blake3::Hash>,
}

impl Made {
    /// The component of its last mutation.
    pub fn component(&self) -> usize {
        self.steps.last().map_or(0, |step| step.component)
    }

    /// The component of all its mutations, if they share one.
    fn only_component(&self) -> Option<usize> {
        let component = self.component();
        let is_only = self.steps.iter().all(|step| step.component == component);
        is_only.then_some(component)
    }
}

impl<'n> NetworkJudge<'n> {
    /// Composes and prepares the network, and each process of `components` alone.
    ///
    /// # Errors
    /// If the network has no composition, or no meaning as a specification.
    pub fn new(
        network: &'n Network,
        view: &'n View,
        components: &[Component],
        settings: NetworkSettings,
        timer: Timer,
    ) -> Result<Self> {
        let (composed, original) = match settings.engine {
            Engine::Family => {
                let (composed, original) = Original::compose(network, view, &timer.budget())?;
                (composed, Some(original))
            }
            Engine::Enumerate => (compose(network, view, &timer.budget())?, None),
        };
        let prepared = Specification::prepare(&composed.automaton, settings.semantics, &timer.budget());
        let specification = prepared.map_err(|error| error.in_words(|at| composed.place_in_words(network, at)))?;
        let origin = match original {
            Some(original) => CompositionFacts::of(&composed, original, &specification, &timer.budget())?,
            None => None,
        };
        let alone = |process: &usize| Alone::of(network, *process, settings.semantics, &timer.budget());
        let alone = components
            .iter()
            .map(|component| component.processes.iter().map(alone).collect());
        Ok(Self {
            alone: alone.collect(),
            network,
            view,
            settings,
            original: composed.automaton,
            has_hidden: composed.has_hidden,
            seen: composed.seen,
            watched: OnceLock::new(),
            specification,
            origin,
            timer,
        })
    }

    /// The reason why mutants of a component are not judged alone; `None` if they are.
    pub fn why_not_alone(&self, component: usize) -> Option<&str> {
        let reasons = self.alone[component].iter();
        reasons
            .filter_map(|alone| alone.as_ref().err())
            .map(String::as_str)
            .next()
    }

    /// The composition of the network.
    pub fn original(&self) -> &Automaton {
        &self.original
    }

    /// The timer of all decisions.
    pub(super) fn timer(&self) -> &Timer {
        &self.timer
    }

    /// The verdict on a mutant, and the verdict on the changed process alone, if that has a meaning.
    pub fn decide(&self, mutant: &NetworkMutant, scratch: &mut Scratch) -> (Judgement, Option<Verdict>) {
        let attempt = &mut self.attempt(scratch);
        let made = self.make(mutant, attempt);
        (self.judge(&made, attempt), self.alone(&made, attempt))
    }

    /// A decision that begins now.
    pub(super) fn attempt<'s>(&self, scratch: &'s mut Scratch) -> Attempt<'s> {
        let budget = self.timer.budget();
        Attempt { budget, scratch }
    }

    /// Makes a mutant, and composes it unless it is decided without.
    pub(super) fn make(&self, mutant: &NetworkMutant, attempt: &mut Attempt<'_>) -> Made {
        let mut made = Made {
            same: Vec::new(),
            reach: Vec::new(),
            seen: Vec::new(),
            has_hidden: false,
            is_walked: false,
            id: mutant.id(),
            rules: mutant.rules(self.view),
            steps: mutant.steps(),
            network: mutant.network(),
            digest: None,
            composed: Outcome::Decided(Judgement::plain(Verdict::Unknown, DecidedBy::Nothing)),
        };
        match self.composed_or_decided(&mut made, attempt) {
            Ok(Ok(composed)) => self.add_composition(&mut made, composed),
            Ok(Err(error)) => made.composed = self.refused(&made.network, error, &attempt.budget),
            Err(judgement) => made.composed = Outcome::Decided(*judgement),
        }
        made
    }

    /// A mutant without a composition.
    fn refused(&self, mutant: &Network, error: ComposeError, budget: &Budget) -> Outcome {
        if !error.is_fault() || self.settings.statics == StaticUse::Only {
            return Outcome::Refused(error, None);
        }
        match compose_without_faults(mutant, self.network, self.view, budget) {
            Some(Ok(rest)) if !self.has_hidden && !rest.has_hidden => Outcome::Refused(error, Some(rest.automaton)),
            Some(Err(other)) => Outcome::Refused(other, None),
            _ => Outcome::Refused(error, None),
        }
    }

    fn add_composition(&self, made: &mut Made, composed: Composed) {
        made.has_hidden = composed.has_hidden;
        let origin = self.origin.as_ref();
        made.same = origin.map_or_else(Vec::new, |origin| origin.same(&composed.discrete));
        let is_other = !self.is_original(&composed.automaton, &composed.seen);
        made.digest = is_other.then(|| digest(&composed.automaton, &composed.seen));
        (made.reach, made.seen) = (composed.reach, composed.seen);
        made.composed = Outcome::Composed(composed.automaton);
    }

    /// Whether a mutant with these observable steps is composed to the same game as the original.
    fn is_original(&self, mutant: &Automaton, seen: &[EdgeId]) -> bool {
        *mutant == self.original && seen == self.seen
    }

    /// The verdict on a mutant.
    pub(super) fn judge(&self, made: &Made, attempt: &mut Attempt<'_>) -> Judgement {
        let by = DecidedBy::Game;
        let mutant = match &made.composed {
            Outcome::Composed(mutant) => mutant,
            Outcome::Refused(error, rest) => {
                let invalid = || Judgement::of_error(by, error.is_invalid(), error);
                return rest
                    .as_ref()
                    .map_or_else(invalid, |rest| self.without_faults(rest, invalid(), attempt));
            }
            Outcome::Decided(judgement) => return judgement.clone(),
        };
        let is_named = made.rules.is_some();
        if self.settings.statics == StaticUse::Only {
            let verdict = match (is_named, self.settings.semantics.prune) {
                (true, true) => Verdict::SubsumedOrInconsistent,
                (true, false) => Verdict::Subsumed,
                (false, _) => return Judgement::plain(Verdict::Unknown, DecidedBy::Nothing),
            };
            return Judgement::plain(verdict, DecidedBy::Rule);
        }
        if self.is_original(mutant, &made.seen) {
            return Judgement {
                named: (!is_named).then_some(SAME),
                ..Judgement::plain(Verdict::Subsumed, DecidedBy::Identity)
            };
        }
        let replacing = self.replaces_game(made, attempt);
        let origin = self.origin.as_ref().filter(|_| !made.is_walked);
        if let Some(judgement) =
            origin.and_then(|origin| self.by_common_runs(&origin.original, made, replacing, None, attempt))
        {
            return judgement;
        }
        match replacing {
            Some(by) => Judgement {
                named: (by == DecidedBy::Congruence).then_some(CONGRUENT),
                ..self.by_rule(mutant, &made.reach, by, &attempt.budget)
            },
            None if self.has_hidden || made.has_hidden => self.by_observation(mutant, &made.seen, attempt),
            None => self.by_game(mutant, made, attempt),
        }
    }

    /// What proves the mutant subsumed unless it is inconsistent, so that no game is played.
    fn replaces_game(&self, made: &Made, attempt: &mut Attempt<'_>) -> Option<DecidedBy> {
        let replaces_games = self.settings.statics == StaticUse::Use;
        match made.rules.is_some() {
            _ if !replaces_games => None,
            true => Some(DecidedBy::Rule),
            false => self.is_congruent(made, attempt).then_some(DecidedBy::Congruence),
        }
    }

    /// Whether congruence proves the mutant subsumed. The congruence is proved for single mutations of the six
    /// operators.
    fn is_congruent(&self, made: &Made, attempt: &mut Attempt<'_>) -> bool {
        let [only] = made.steps.as_slice() else { return false };
        let mut all = self.alone[only.component].iter();
        !only.mutation.applied().again
            && only.mutation.operator().is_paper()
            && all.all(|alone| {
                let alone = alone.as_ref();
                alone.is_ok_and(|alone| alone.keeps_in_any_network(&made.network, &attempt.budget, attempt.scratch))
            })
    }

    /// The verdict on the mutated component alone: non-subsumed if the verdict on some instance is, otherwise the
    /// verdict on the last instance. `None` if an instance has no meaning alone, or several components are changed.
    pub(super) fn alone(&self, made: &Made, attempt: &mut Attempt<'_>) -> Option<Verdict> {
        let mut last = None;
        for alone in &self.alone[made.only_component()?] {
            let verdict = alone
                .as_ref()
                .ok()?
                .verdict(&made.network, &attempt.budget, attempt.scratch)?;
            if verdict == game::Verdict::NonSubsumed {
                return Some(verdict.into());
            }
            last = Some(verdict.into());
        }
        last
    }

    /// The verdict on a mutant known to be subsumed unless it is inconsistent.
    fn by_rule(&self, mutant: &Automaton, reach: &[Dbm], by: DecidedBy, budget: &Budget) -> Judgement {
        match self.specification.check_consistency_within(mutant, reach, budget) {
            Ok(Consistency::Consistent) => Judgement::plain(Verdict::Subsumed, by),
            Ok(Consistency::Inconsistent) => Judgement::plain(Verdict::Inconsistent, by),
            Ok(Consistency::Unknown(reason)) => Judgement::failed(Verdict::Unknown, by, &reason),
            Err(error) => Judgement::of_error(by, error.is_invalid(), &error),
        }
    }

    fn by_game(&self, mutant: &Automaton, made: &Made, attempt: &mut Attempt<'_>) -> Judgement {
        let by = DecidedBy::Game;
        let (specification, Attempt { budget, scratch }) = (&self.specification, &mut *attempt);
        let decided = match &self.origin {
            Some(known) => {
                let origin = Origin {
                    baseline: &known.baseline,
                    same: &made.same,
                    reach: &made.reach,
                };
                specification.decide_from(mutant, origin, budget, scratch)
            }
            None => specification.decide(mutant, budget, scratch),
        };
        let decision = match decided {
            Ok(decision) => decision,
            Err(error) => return Judgement::of_error(by, error.is_invalid(), &error),
        };
        let judgement = match decision.verdict {
            game::Verdict::Unknown(reason) => Judgement::failed(Verdict::Unknown, by, &reason),
            verdict => Judgement::plain(verdict.into(), by),
        };
        Judgement {
            how: Some(game::How::of_game(decision.method)),
            witness: self.witness(mutant, decision.verdict, budget),
            ..judgement
        }
    }

    /// The verdict on a mutant of which some run ends in a fault: `rest` is left of it without. Only that this does not refine the
    /// original outranks `invalid`.
    fn without_faults(&self, rest: &Automaton, invalid: Judgement, attempt: &mut Attempt<'_>) -> Judgement {
        let Attempt { budget, scratch } = attempt;
        let decided = self.specification.decide(rest, budget, scratch);
        match decided.map(|decision| (decision.verdict, decision.method)) {
            Ok((game::Verdict::NonSubsumed, method)) => Judgement {
                how: Some(game::How::of_game(method)),
                witness: self.witness(rest, game::Verdict::NonSubsumed, budget),
                ..Judgement::plain(Verdict::NonSubsumed, invalid.decided_by)
            },
            Ok((game::Verdict::Unknown(reason), _)) => Judgement::failed(Verdict::Unknown, invalid.decided_by, &reason),
            _ => invalid,
        }
    }

    /// The verdict if one of the games has hidden steps.
    fn by_observation(&self, mutant: &Automaton, silent: &[EdgeId], attempt: &mut Attempt<'_>) -> Judgement {
        let by = DecidedBy::Game;
        let Attempt { budget, scratch } = attempt;
        let effort = HiddenEffort::default();
        let decided = match self.seen.is_empty() && silent.is_empty() {
            true => self.specification.decide_hidden(mutant, budget, effort, scratch),
            false => self.watched().and_then(|specification| {
                let mutant = with_seen_steps(mutant, silent, &self.silent_name());
                specification.decide_hidden(&mutant, budget, effort, scratch)
            }),
        };
        let (seen, decision) = match decided {
            Ok(decided) => decided,
            Err(error) => return Judgement::of_error(by, error.is_invalid(), &error),
        };
        let judgement = match &seen {
            Seen::Inconsistent => Judgement::plain(Verdict::Inconsistent, by),
            Seen::Subsumed => Judgement::plain(Verdict::Subsumed, by),
            Seen::NonSubsumed(_) => Judgement::plain(Verdict::NonSubsumed, by),
            Seen::Stopped(reason) => return Judgement::failed(Verdict::Unknown, by, reason),
            Seen::NotFound { .. } => return Judgement::failed(Verdict::Unknown, by, &HIDDEN),
        };
        let witness = match &seen {
            Seen::NonSubsumed(observation) if self.settings.witness => Some(observation.to_string()),
            _ => None,
        };
        // If matching steps one by one distinguishes the games although no observation does, that game was not
        // decisive.
        let is_by_it = seen != Seen::Subsumed || decision.verdict == game::Verdict::Subsumed;
        Judgement {
            how: is_by_it.then(|| game::How::of_game(decision.method)),
            witness,
            ..judgement
        }
    }

    /// The original with all observable steps as outputs, so that only hidden steps are internal.
    fn watched(&self) -> Result<&Specification, GameError> {
        let watched = self.watched.get_or_init(|| {
            let shown = with_seen_steps(&self.original, &self.seen, &self.silent_name());
            Specification::prepare(&shown, self.settings.semantics, &self.timer.budget())
        });
        watched.as_ref().map_err(Clone::clone)
    }

    /// The name of an observable step without a label, next to hidden ones: `tau`, followed by underscores if an action
    /// has that name.
    fn silent_name(&self) -> String {
        let mut name = "tau".to_owned();
        let actions = self.original.actions();
        while actions
            .iter()
            .any(|action| action.role != Role::Internal && *action.name == *name)
        {
            name.push('_');
        }
        name
    }

    fn witness(&self, mutant: &Automaton, verdict: game::Verdict, budget: &Budget) -> Option<String> {
        if !self.settings.witness || verdict != game::Verdict::NonSubsumed {
            return None;
        }
        let found = self.specification.counterexample(mutant, budget);
        Some(short_form(&found.ok()?.counterexample()?))
    }
}
