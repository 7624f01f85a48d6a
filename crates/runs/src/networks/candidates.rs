//! Mutants of a network by their numbers, and the games that they are.

use std::sync::Arc;

use super::judge::{FAULT, MOST_STATES};
use super::mutants::{NetworkMutant, NetworkMutants};
use super::unseen::unseen;
use crate::error::{ExperimentError, Result};
use crate::{ComparedGame, MutantSet, NoSuchSample, Numbered, Places, Sample, Selection, TestedGame, Timer};
use tamper_suite::{Pick, Potential, Style, Subject, SuiteFailure, Tester};
use tamper_timed::guidelines::Rule;
use tamper_timed::model::Automaton;
use tamper_timed::network::{
    Along, Asked, ComposeError, Composed, CompositionWords, Network, Original, compose, compose_mutant,
};

/// The reason why a mutant with hidden steps cannot be tested.
const UNTIMELY: &str = "the mutant has hidden steps, and what is seen of it does not say when it makes them";

impl MutantSet for NetworkMutants<'_> {
    fn n_mutants(&self) -> u64 {
        self.len()
    }

    fn selection(&self, sample: Option<Sample>, seed: u64) -> Result<Selection, NoSuchSample> {
        Selection::of_sequences(self.len(), self.order(), || self.pairs(), sample, seed)
    }

    fn mutants(&self, numbers: &[u64]) -> Result<Vec<Numbered>> {
        let one = |number: &u64| {
            let mutant = self.get(*number);
            let mutant = mutant.ok_or_else(|| ExperimentError::no_mutant(number))?;
            let steps = mutant.steps();
            let mut places = Places::default();
            for step in &steps {
                places.add(&step.parent, &step.mutation);
            }
            Ok(Numbered {
                number: *number,
                id: mutant.id(),
                mutations: steps.iter().map(|step| step.mutation).collect(),
                components: steps.iter().map(|step| step.component).collect(),
                places,
                earlier: steps[..steps.len() - 1]
                    .iter()
                    .map(|step| Arc::clone(&step.parent))
                    .collect(),
                parent: Arc::clone(&mutant.last.parent),
            })
        };
        numbers.iter().map(one).collect()
    }

    /// The composition of the mutant.
    fn game(&self, mutant: &Numbered, timer: &Timer) -> Result<Automaton, SuiteFailure> {
        let network = self.numbered(mutant)?.network();
        testable(compose_mutant(&network, self.network, self.view, &timer.budget()))
    }

    fn compared(&self, mutant: &Numbered, timer: &Timer) -> Result<ComparedGame, SuiteFailure> {
        let network = self.numbered(mutant)?.network();
        compared(
            compose_mutant(&network, self.network, self.view, &timer.budget()),
            &network,
        )
    }

    /// The composition of the network.
    fn original(&self, timer: &Timer) -> Result<Automaton, SuiteFailure> {
        testable(compose(self.network, self.view, &timer.budget()))
    }

    fn compared_original(&self, timer: &Timer) -> Result<ComparedGame, SuiteFailure> {
        compared(compose(self.network, self.view, &timer.budget()), self.network)
    }

    fn prepare(&self, timer: &Timer) {
        self.original_steps.get_or_init(|| {
            let composed = Original::compose(self.network, self.view, &timer.budget());
            composed.ok().map(|(_, original)| original)
        });
    }

    /// What the runs tell that the mutant has in common with the original (`docs/notes/0024-beside-the-original.md`), or its
    /// composition: where that is small it tells more.
    fn tested(&self, mutant: &Numbered, tester: &Tester, timer: &Timer) -> Result<TestedGame, SuiteFailure> {
        let Some(original) = self.original_steps.get().and_then(Option::as_ref) else {
            return self.game(mutant, timer).map(TestedGame::Whole);
        };
        let made = self.numbered(mutant)?;
        let (network, budget) = (made.network(), timer.budget());
        // No test gives an input that the original does not have.
        let asked = Asked {
            prune: false,
            refines: made.rules(self.view).is_some(),
            inputs: false,
        };
        let mut shown = None;
        let along = original.beside(&network, asked, &budget, &mut |departure| {
            shown = Some(departure.game()).filter(|game| shows(tester, game, timer));
            shown.is_some()
        });
        // All its runs were followed, but for those by inputs of its own.
        let may_fail = network.channels.len() > self.network.channels.len();
        if matches!(along, Along::Stays { .. }) && !may_fail {
            return Err(SuiteFailure::Allowed);
        }
        let budget = timer.budget();
        let composed = original.compose_mutant(&network, &budget.at_most(self.composed_first));
        let is_stopped = matches!(composed, Err(ComposeError::Stopped { .. }));
        let is_fault = composed.as_ref().is_err_and(ComposeError::is_fault);
        match shown {
            Some(game) if is_stopped || is_fault => Ok(TestedGame::OneRun(game)),
            _ if matches!(along, Along::Stays { .. }) && !is_fault => Err(SuiteFailure::Allowed),
            _ if is_stopped && along == Along::Fails => Err(SuiteFailure::Invalid {
                reason: FAULT.to_owned(),
            }),
            _ if is_stopped => testable(original.compose_mutant(&network, &budget)).map(TestedGame::Whole),
            _ => testable(composed).map(TestedGame::Whole),
        }
    }

    fn rules(&self, mutant: &Numbered) -> Option<Vec<Rule>> {
        self.get(mutant.number)?.rules(self.view)
    }

    /// Behind the first mutation edges may have other positions, so what operators do not see counts of the first only.
    fn content(&self, mutant: &Numbered) -> String {
        let first = mutant.components.first().zip(mutant.mutations.first());
        let unseen = first.and_then(|(at, mutation)| unseen(self.components.get(*at)?, self.network, mutation));
        mutant.parts() + &unseen.unwrap_or_default()
    }

    fn mutates_game(&self) -> bool {
        false
    }

    /// Mutants with the same composition are equal, and many are.
    fn tests_first_only(&self) -> bool {
        true
    }
}

impl NetworkMutants<'_> {
    fn numbered(&self, mutant: &Numbered) -> Result<NetworkMutant, SuiteFailure> {
        self.get(mutant.number).ok_or_else(|| SuiteFailure::Unsupported {
            reason: format!("there is no mutant {}", mutant.number),
        })
    }
}

/// The composition of a mutant, if tests can be made for it.
fn testable(composed: Result<Composed, ComposeError>) -> Result<Automaton, SuiteFailure> {
    let made = self::composed(composed)?;
    match made.has_hidden {
        false => Ok(made.automaton),
        true => Err(SuiteFailure::Unsupported {
            reason: UNTIMELY.to_owned(),
        }),
    }
}

fn compared(made: Result<Composed, ComposeError>, network: &Network) -> Result<ComparedGame, SuiteFailure> {
    let made = composed(made)?;
    Ok(ComparedGame {
        words: CompositionWords::of(network, &made.discrete, &made.parts),
        has_hidden: made.has_hidden,
        game: made.automaton,
    })
}

fn composed(composed: Result<Composed, ComposeError>) -> Result<Composed, SuiteFailure> {
    match composed {
        Ok(composed) => Ok(composed),
        Err(ComposeError::Stopped { reason, .. }) => Err(SuiteFailure::Stopped(reason)),
        Err(error) => {
            let reason = error.to_string();
            Err(match error.is_invalid() {
                true => SuiteFailure::Invalid { reason },
                false => SuiteFailure::Unsupported { reason },
            })
        }
    }
}

/// Whether a test of `tester` can fail on the game along a run of a mutant.
fn shows(tester: &Tester, game: &Automaton, timer: &Timer) -> bool {
    let budget = timer.budget().at_most(MOST_STATES);
    let subject = Subject::new(game, &budget);
    let found = subject.and_then(|subject| tester.potential(&subject, Style::Adaptive, Pick::Earliest, &budget));
    matches!(found, Ok(Potential::Killed(_)))
}
