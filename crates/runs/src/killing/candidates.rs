//! Mutants for which tests are generated.

use std::sync::Arc;

use rayon::prelude::*;

use super::candidate::Candidate;
use crate::error::Result;
use crate::mutant_set::CHUNK;
use crate::plans::turns::in_turns;
use crate::{MutantSet, Numbered, Selection, Timer};
use tamper_suite::{Criterion, Item, Refusals, Subject, Tester, items};
use tamper_timed::model::Automaton;

/// The selected mutants of a set at the positions that `keeps` accepts, in order, to be tested by `tester`. Half of the time of all
/// questions is left for the tests.
///
/// # Errors
/// If the selection does not fit the set.
pub fn candidates(
    set: &dyn MutantSet,
    selection: &Selection,
    keeps: &dyn Fn(u64) -> bool,
    tester: &Tester,
    timer: &Timer,
) -> Result<Vec<Candidate>> {
    let numbers = (0..).zip(selection.slice(0..selection.len()));
    let numbers = numbers.filter(|(position, _)| keeps(*position));
    let numbers: Vec<u64> = numbers.map(|(_, number)| number).collect();
    let mut mutants = Vec::with_capacity(numbers.len());
    for chunk in numbers.chunks(CHUNK as usize) {
        mutants.extend(set.mutants(chunk)?);
    }
    Ok(made(set, &mutants, tester, timer))
}

/// Prepares these mutants of `set` for testing.
pub(super) fn made(set: &dyn MutantSet, mutants: &[Numbered], tester: &Tester, timer: &Timer) -> Vec<Candidate> {
    let timer = timer.part(5);
    set.prepare(&timer);
    in_turns(mutants.len(), &timer, |at, timer| {
        set.candidate(mutants[at].clone(), tester, timer)
    })
}

/// The items of a coverage criterion in `game` as mutants: a test covers the items on which it can fail.
pub fn items_to_cover(game: &Automaton, criterion: Criterion, timer: &Timer) -> Vec<Candidate> {
    let candidate = |item: Item| Candidate {
        id: item.name,
        operators: Vec::new(),
        mutations: Vec::new(),
        subject: Subject::new(&item.shown, &timer.budget()).map(Arc::new),
        automaton: Some(item.shown),
        is_one_run: false,
    };
    items(game, criterion).into_par_iter().map(candidate).collect()
}

/// Adapts mutants to the meaning of refused inputs: if refusals are no error, the mutants ignore the inputs that they
/// do not accept.
pub fn ignoring(candidates: Vec<Candidate>, refusals: Refusals, timer: &Timer) -> Vec<Candidate> {
    if refusals == Refusals::Error {
        return candidates;
    }
    let ignoring = |candidate: Candidate| match candidate.automaton {
        None => candidate,
        Some(automaton) => {
            let automaton = refusals.met(automaton);
            Candidate {
                subject: Subject::new(&automaton, &timer.budget()).map(Arc::new),
                automaton: Some(automaton),
                ..candidate
            }
        }
    };
    candidates.into_par_iter().map(ignoring).collect()
}
