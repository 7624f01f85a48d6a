//! Mutants of a network as what tests are made for.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::mutants::{NetworkMutant, NetworkMutants, NetworkRecords};
use crate::experiment::error::{ExperimentError, Result};
use crate::experiment::killing::{Candidate, RunCandidates};
use crate::experiment::{Selection, Shard, Timer, Verdict};
use crate::network::{ComposeError, Network, View, compose_mutant};
use crate::suite::{Subject, SuiteFailure};

/// Why a mutant cannot be tested.
const HIDDEN: &str = "the mutant has hidden steps, and what is seen of it does not say when it makes them";

impl NetworkMutant<'_> {
    /// The mutant, composed.
    fn candidate(&self, (network, view): (&Network, &View), timer: &Timer) -> Candidate {
        let mutant = self.component.mutant(network, &self.mutation);
        let composed = compose_mutant(&mutant, network, view, &timer.budget());
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
            id: self.id(),
            operators: vec![self.mutation.operator()],
            mutations: Vec::new(),
            automaton: automaton.ok(),
            subject,
        }
    }
}

impl NetworkMutants<'_> {
    /// The selected ones, or the share of them that `shard` has, in order, each composed as a mutant of `network`; none if the
    /// time is over before they are made.
    pub fn candidates(
        &self,
        (network, view): (&Network, &View),
        selection: &Selection,
        shard: Option<Shard>,
        timer: &Timer,
    ) -> Option<Vec<Candidate>> {
        let numbers = (0..).zip(selection.slice(0..selection.len()));
        let own = numbers.filter(|(position, _)| shard.is_none_or(|shard| shard.has(*position)));
        let mutants: Vec<NetworkMutant<'_>> = own.filter_map(|(_, number)| self.get(number)).collect();
        made(&mutants, (network, view), timer)
    }

    /// The non-subsumed ones of the finished run in `folder`, which looked at `selection`: of several with the same
    /// composition the first. None if the time is over before they are made.
    ///
    /// # Errors
    /// When the records cannot be read, or are not those of these mutants.
    pub fn candidates_of_run(
        &self,
        (network, view): (&Network, &View),
        selection: &Selection,
        (folder, shard): (&Path, Option<Shard>),
        timer: &Timer,
    ) -> Result<Option<RunCandidates>> {
        let mut records = NetworkRecords::open(folder)?;
        let (mut total, mut represented, mut undecided) = (0, 0, 0);
        let mut hash = blake3::Hasher::new();
        let mut worth = Vec::new();
        for number in selection.slice(0..selection.len()) {
            let mutant = self.get(number);
            let mutant = mutant.ok_or_else(|| ExperimentError::no_mutant(number))?;
            let record = records.next_of(&mutant.id())?;
            match (record.verdict, record.duplicate_of.is_some()) {
                (Verdict::Unknown, _) => undecided += 1,
                (Verdict::NonSubsumed, true) => represented += 1,
                (Verdict::NonSubsumed, false) => {
                    hash.update(record.id.as_bytes()).update(b"\n");
                    if shard.is_none_or(|shard| shard.has(total)) {
                        worth.push(mutant);
                    }
                    total += 1;
                }
                _ => {}
            }
        }
        let found = |candidates| RunCandidates {
            candidates,
            represented,
            undecided,
            total,
            hash: hash.finalize().to_hex().to_string(),
        };
        Ok(made(&worth, (network, view), timer).map(found))
    }
}

fn made(mutants: &[NetworkMutant<'_>], (network, view): (&Network, &View), timer: &Timer) -> Option<Vec<Candidate>> {
    let candidate = |mutant: &NetworkMutant<'_>| match timer.is_over() {
        true => None,
        false => Some(mutant.candidate((network, view), timer)),
    };
    mutants.par_iter().map(candidate).collect()
}
