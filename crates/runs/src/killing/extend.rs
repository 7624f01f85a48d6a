//! Tests for the mutants that an existing suite does not kill.

use super::candidate::Candidate;
use super::generate::{Generated, KillOutcome, SuiteRequest, outcome, rename, surest};
use super::strategies::wished;
use super::suite_options::{KillGoal, SuiteOptions};
use super::target::{Target, kills};
use crate::error::Result;
use crate::suite_json::SuiteMutant;
use crate::{Progress, Timer};
use tamper_suite::{Kill, TestCase, Tester};

/// An existing suite.
#[derive(Clone, Copy)]
pub struct Existing<'a> {
    /// The tester of its specification.
    pub tester: &'a Tester,
    /// Its tests.
    pub tests: &'a [TestCase],
}

/// The work that an existing suite leaves for one mutant.
enum Left {
    /// Nothing; this is the entry of the mutant in the suite.
    Nothing(SuiteMutant),
    /// A test is to be found, if there is one.
    Test,
}

/// The existing suite, followed by tests for the `candidates` that none of its tests kills as `options` demands.
/// `progress` is told the number of these candidates that are done.
///
/// # Errors
/// If bounds of tests are too fine to be compared exactly, or a limit is hit.
pub fn extended(
    Existing {
        tester,
        tests: existing,
    }: Existing<'_>,
    candidates: &[Candidate],
    options: &SuiteOptions,
    timer: &Timer,
    progress: Progress<'_>,
) -> Result<Generated> {
    let left = left(
        SuiteRequest {
            tester,
            candidates,
            options,
            timer,
        },
        existing,
    )?;
    let open = candidates
        .iter()
        .zip(&left)
        .filter(|(_, left)| matches!(left, Left::Test));
    let open: Vec<Candidate> = open.map(|(candidate, _)| candidate.clone()).collect();
    let asked = SuiteRequest {
        tester,
        candidates: &open,
        options,
        timer,
    };
    let mut more = wished(asked, progress)?;
    rename(&mut more, existing);
    let mut made = more.mutants.into_iter();
    let mutants = left.into_iter().filter_map(|left| match left {
        Left::Nothing(mutant) => Some(mutant),
        Left::Test => made.next(),
    });
    let mut whole = Generated {
        mutants: mutants.collect(),
        tests: existing.iter().cloned().chain(more.tests).collect(),
        // A bound would hold for the new tests only.
        bound: None,
        only_weakly: more.only_weakly,
        subsumed: 0,
    };
    whole.note_subsumed(tester, candidates, timer);
    Ok(whole)
}

/// The work that the tests `existing` leave for each mutant.
fn left(asked: SuiteRequest<'_>, existing: &[TestCase]) -> Result<Vec<Left>> {
    let SuiteRequest {
        candidates,
        options,
        timer,
        ..
    } = asked;
    let matrix = Target::new(asked.tester, candidates, options).executed(existing, timer)?;
    let rows = kills(&matrix, existing, options.wanted);
    let sure = matrix.killed(Kill::Definite);
    let one = |(at, candidate): (usize, &Candidate)| {
        let Some(first) = rows.iter().position(|row| row.contains(at)) else {
            return Left::Test;
        };
        let settled = |killable: &str, reason| {
            Left::Nothing(SuiteMutant {
                id: candidate.id.clone(),
                killable: killable.to_owned(),
                test: Some(existing[first].id.clone()),
                reason,
            })
        };
        match options.wanted {
            KillGoal::Potential => settled(Kill::Potential.name(), None),
            wanted if sure.contains(at) => settled(surest(wanted), None),
            // A test can fail on it; the question is whether another one always does.
            _ => match outcome(asked, candidate) {
                KillOutcome { killable, .. } if killable == Kill::Definite.name() => Left::Test,
                KillOutcome { reason, .. } => settled(Kill::Potential.name(), reason),
            },
        }
    };
    Ok(candidates.iter().enumerate().map(one).collect())
}
