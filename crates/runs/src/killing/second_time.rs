//! A suite for programs: what they get wrong the second time is looked for by tests of its own.
//!
//! A test that always fails on a mutant with memory may show it by an input at the very moment of the old time-out, which a program
//! answers as it likes. A trace that passes the place and waits shows what programs do: so these mutants get long tests, which go for
//! each of them twice. The others get what they would get without these: a test that kills a mutant by the way may miss a program's fault
//! that the mutant's own test finds.

use std::collections::{BTreeMap, BTreeSet};

use super::candidate::Candidate;
use super::extend::rename;
use super::generate::{Generated, SuiteRequest, outcome};
use super::strategies::generate;
use super::suite_options::{KillGoal, Strategy, SuiteOptions};
use crate::error::Result;
use crate::suite_json::SuiteMutant;
use crate::{Progress, Timer};
use tamper_suite::{Style, Tester};

/// How often the long tests go for each mutant.
const ROUNDS: u32 = 2;

/// A suite for a program. `progress` is told the number of mutants done.
///
/// # Errors
/// If bounds of tests are too fine to be compared exactly, or a limit is hit.
pub fn generate_for_programs(
    tester: &Tester,
    candidates: &[Candidate],
    options: &SuiteOptions,
    timer: &Timer,
    progress: Progress<'_>,
) -> Result<Generated> {
    let has_memory = |candidate: &&Candidate| candidate.operators.iter().any(|applied| applied.again);
    let memory: Vec<Candidate> = candidates.iter().filter(has_memory).cloned().collect();
    let long = SuiteOptions {
        wanted: KillGoal::Potential,
        style: Style::Adaptive,
        strategy: Strategy::Fewest,
        rounds: ROUNDS,
        ..options.clone()
    };
    let mut long = generate(tester, &memory, &long, timer, &|_| ())?;
    let killed = long.mutants.iter().filter(|mutant| mutant.test.is_some());
    let killed: BTreeSet<String> = killed.map(|mutant| mutant.id.clone()).collect();
    let others = candidates.iter().filter(|candidate| !killed.contains(&candidate.id));
    let others: Vec<Candidate> = others.cloned().collect();
    let mut whole = generate(tester, &others, options, timer, progress)?;
    if killed.is_empty() {
        return Ok(whole);
    }
    rename(&mut long, &whole.tests);
    // How surely these can be killed is another question than what the long tests do.
    let asked = SuiteRequest {
        tester,
        candidates,
        options,
        timer,
    };
    let mut entries = BTreeMap::new();
    for (candidate, mutant) in memory.iter().zip(long.mutants) {
        if killed.contains(&candidate.id) {
            let surest = outcome(asked, candidate);
            let entry = SuiteMutant {
                killable: surest.killable.to_owned(),
                reason: surest.reason,
                ..mutant
            };
            entries.insert(&candidate.id, entry);
        }
    }
    let mut rest = std::mem::take(&mut whole.mutants).into_iter();
    let entry = |candidate: &Candidate| entries.remove(&candidate.id).or_else(|| rest.next());
    whole.mutants = candidates.iter().filter_map(entry).collect();
    whole.tests.append(&mut long.tests);
    whole.bound = None;
    whole.subsumed += long.subsumed;
    Ok(whole)
}
