//! Mutants of a network as what tests are made for.

use std::sync::Arc;

use super::mutants::NetworkMutants;
use crate::experiment::killing::Candidate;
use crate::experiment::{Numbered, Timer};
use crate::mutation::Mutation;
use crate::network::{ComposeError, compose_mutant};
use crate::suite::{Subject, SuiteFailure};

/// Why a mutant cannot be tested.
const HIDDEN: &str = "the mutant has hidden steps, and what is seen of it does not say when it makes them";

/// A mutant of `set`, composed.
pub(super) fn candidate(set: &NetworkMutants<'_>, mutant: Numbered, timer: &Timer) -> Candidate {
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
