//! Mutants of a network by their numbers, and the games that they are.

use std::sync::Arc;

use super::mutants::NetworkMutants;
use super::unseen::unseen;
use crate::error::{ExperimentError, Result};
use crate::{MutantSet, NoSuchSample, Numbered, Places, Sample, Selection, Timer};
use tamper_suite::SuiteFailure;
use tamper_timed::guidelines::Rule;
use tamper_timed::model::Automaton;
use tamper_timed::network::{ComposeError, compose_mutant};

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
        let made = self.get(mutant.number);
        let made = made.ok_or_else(|| SuiteFailure::Unsupported {
            reason: format!("there is no mutant {}", mutant.number),
        })?;
        match compose_mutant(&made.network(), self.network, self.view, &timer.budget()) {
            Ok(composed) if !composed.has_hidden => Ok(composed.automaton),
            Ok(_) => Err(SuiteFailure::Unsupported {
                reason: UNTIMELY.to_owned(),
            }),
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
