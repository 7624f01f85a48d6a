//! A suite for programs: what they get wrong the second time is looked for by tests of its own.
//!
//! A test that always fails on a mutant with memory may show it by an input at the very moment of the old time-out, which a program
//! answers as it likes. A trace that passes the place and waits shows what programs do: so these mutants get long tests, which go for
//! each of them twice. The others get what they would get without these: a test that kills a mutant by the way may miss a program's fault
//! that the mutant's own test finds.

use std::collections::{BTreeMap, BTreeSet};

use super::candidate::Candidate;
use super::generate::{Generated, SuiteMaker, SuiteRequest, outcome, rename};
use super::suite_options::{KillGoal, Strategy, SuiteOptions};
use crate::Progress;
use crate::error::Result;
use crate::suite_json::SuiteMutant;
use tamper_suite::Style;

/// How often the long tests go for each mutant.
const ROUNDS: u32 = 2;

/// A suite for a program, of suites that `make` makes. `progress` is told the number of mutants done.
///
/// # Errors
/// If bounds of tests are too fine to be compared exactly, or a limit is hit.
pub(super) fn for_programs(asked: SuiteRequest<'_>, make: &SuiteMaker, progress: Progress<'_>) -> Result<Generated> {
    let SuiteRequest {
        candidates, options, ..
    } = asked;
    let has_memory = |candidate: &&Candidate| candidate.operators.iter().any(|applied| applied.again);
    let memory: Vec<Candidate> = candidates.iter().filter(has_memory).cloned().collect();
    let long = SuiteOptions {
        wanted: KillGoal::Potential,
        style: Style::Adaptive,
        strategy: Strategy::Fewest,
        rounds: ROUNDS,
        ..options.clone()
    };
    let mut long = make(
        SuiteRequest {
            candidates: &memory,
            options: &long,
            ..asked
        },
        &|_| (),
    )?;
    let killed = long.mutants.iter().filter(|mutant| mutant.test.is_some());
    let killed: BTreeSet<String> = killed.map(|mutant| mutant.id.clone()).collect();
    let others = candidates.iter().filter(|candidate| !killed.contains(&candidate.id));
    let others: Vec<Candidate> = others.cloned().collect();
    let minimal = SuiteOptions {
        strategy: Strategy::Minimal,
        ..options.clone()
    };
    let mut whole = make(
        SuiteRequest {
            candidates: &others,
            options: &minimal,
            ..asked
        },
        progress,
    )?;
    if killed.is_empty() {
        return Ok(whole);
    }
    rename(&mut long, &whole.tests);
    let named = memory.iter().zip(long.mutants);
    let named = named.filter(|(candidate, _)| killed.contains(&candidate.id));
    let mut entries: BTreeMap<&String, SuiteMutant> = named
        .map(|(candidate, mutant)| (&candidate.id, surest(asked, candidate, mutant)))
        .collect();
    let mut rest = std::mem::take(&mut whole.mutants).into_iter();
    let entry = |candidate: &Candidate| entries.remove(&candidate.id).or_else(|| rest.next());
    whole.mutants = candidates.iter().filter_map(entry).collect();
    whole.tests.append(&mut long.tests);
    whole.bound = None;
    Ok(whole)
}

/// The entry of a mutant that a long test kills: how surely it can be killed is another question than what the long tests do.
fn surest(asked: SuiteRequest<'_>, candidate: &Candidate, mutant: SuiteMutant) -> SuiteMutant {
    let surest = outcome(asked, candidate);
    SuiteMutant {
        killable: surest.killable.to_owned(),
        reason: surest.reason,
        ..mutant
    }
}
