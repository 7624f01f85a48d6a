//! Mutants of a network by their numbers, and as what tests are made for.

use std::sync::Arc;

use super::mutants::NetworkMutants;
use crate::experiment::error::{ExperimentError, Result};
use crate::experiment::killing::Candidate;
use crate::experiment::{MutantSet, NoSuchSample, Numbered, Places, Sample, Selection, Timer};
use crate::mutation::Mutation;
use crate::network::{ComposeError, compose_mutant};
use crate::suite::{Subject, SuiteFailure};

/// Why a mutant cannot be tested.
const HIDDEN: &str = "the mutant has hidden steps, and what is seen of it does not say when it makes them";

impl MutantSet for NetworkMutants<'_> {
    fn n_mutants(&self) -> u64 {
        self.len()
    }

    fn selection(&self, sample: Option<Sample>, seed: u64) -> Result<Selection, NoSuchSample> {
        Ok(Selection::of_each(self.len(), sample, seed))
    }

    fn mutants(&self, numbers: &[u64]) -> Result<Vec<Numbered>> {
        let one = |number: &u64| {
            let mutant = self.get(*number);
            let mutant = mutant.ok_or_else(|| ExperimentError::no_mutant(number))?;
            let parent = &self.skeletons[mutant.at];
            let mut places = Places::default();
            places.add(parent, &mutant.mutation);
            Ok(Numbered {
                number: *number,
                id: mutant.id(),
                component: mutant.at,
                mutations: vec![mutant.mutation],
                places,
                parent: Arc::clone(parent),
            })
        };
        numbers.iter().map(one).collect()
    }

    fn candidate(&self, mutant: Numbered, timer: &Timer) -> Candidate {
        candidate(self, mutant, timer)
    }

    /// A composition says all of a mutant, and many have the same.
    fn tests_first_only(&self) -> bool {
        true
    }
}

/// A mutant of `set`, composed.
fn candidate(set: &NetworkMutants<'_>, mutant: Numbered, timer: &Timer) -> Candidate {
    let component = &set.components[mutant.component];
    let network = mutant.mutations.iter().fold(set.network.clone(), |network, mutation| {
        component.mutant(&network, mutation)
    });
    let composed = compose_mutant(&network, set.network, set.view, &timer.budget());
    let automaton = match composed {
        Ok(composed) if !composed.has_hidden => Ok(composed.automaton),
        Ok(_) => Err(SuiteFailure::Unsupported {
            reason: HIDDEN.to_owned(),
        }),
        Err(ComposeError::Stopped(reason)) => Err(SuiteFailure::Stopped(reason)),
        Err(error) => {
            let reason = error.to_string();
            Err(match error.is_invalid() {
                true => SuiteFailure::Invalid { reason },
                false => SuiteFailure::Unsupported { reason },
            })
        }
    };
    let subject = match &automaton {
        Ok(automaton) => Subject::new(automaton, &timer.budget()).map(Arc::new),
        Err(failure) => Err(failure.clone()),
    };
    Candidate {
        id: mutant.id,
        operators: mutant.mutations.iter().map(Mutation::operator).collect(),
        mutations: Vec::new(),
        automaton: automaton.ok(),
        subject,
    }
}
