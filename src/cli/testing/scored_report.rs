//! `tamper score --stryker`, `--as github` and `--as sarif`: every mutant at its place in the model's XML.

use std::path::Path;

use anyhow::{Result, bail};

use crate::cli::testing::suites::Bench;
use tamper::experiment::killing::{Fate, Score, coverage};
use tamper::formats::{MutantStatus, ScoredMutant, ScoredReport, WriteError, read_text};
use tamper::suite::TestCase;

/// Refuses before scoring what a report cannot show. `option` is the option that asked for the report.
pub fn check(bench: &Bench, option: &str) -> Result<()> {
    if !bench.mutated.lone_game().is_some_and(|of| of.loaded.is_xml) {
        bail!(
            "{option} shows mutants at their place in UPPAAL XML, and {} is none",
            bench.specification.file
        );
    }
    if bench.candidates.iter().any(|candidate| candidate.mutations.len() != 1) {
        bail!("{option} shows each mutant at one place: it is for mutants of order 1");
    }
    Ok(())
}

/// A suite that was scored.
#[derive(Clone, Copy, Debug)]
pub struct ScoredSuite<'a> {
    /// The suite's file.
    pub path: &'a Path,
    /// Its tests.
    pub tests: &'a [TestCase],
    /// The kills of the tests.
    pub score: &'a Score,
    /// For each mutant why it may survive, if it does and is accepted.
    pub accepted: &'a [Option<String>],
}

/// A report of a scored suite, in the form of `write`.
pub fn report(
    bench: &Bench,
    suite: ScoredSuite<'_>,
    write: fn(&ScoredReport<'_>) -> Result<String, WriteError>,
) -> Result<String> {
    let mutants = mutants(bench, suite)?;
    let Some(of) = bench.mutated.lone_game() else {
        bail!("mutants of a network are not at one place of a file");
    };
    let (document, index) = of.loaded.in_file(of.game)?;
    let name = suite.path.display().to_string();
    let text = read_text(suite.path, "name the suite that is scored")?;
    let report = ScoredReport {
        document,
        index,
        suite: (&name, &text),
        tests: suite.tests,
        mutants: &mutants,
    };
    Ok(write(&report)?)
}

/// The mutants with their statuses.
fn mutants(bench: &Bench, suite: ScoredSuite<'_>) -> Result<Vec<ScoredMutant>> {
    let ScoredSuite { tests, score, .. } = suite;
    let covered = coverage(&bench.tester, &bench.candidates, tests, &bench.timer)?;
    let ids = |positions: &[usize]| positions.iter().map(|at| tests[*at].id.clone()).collect::<Vec<_>>();
    let mut mutants = Vec::new();
    for (at, (candidate, fate)) in bench.candidates.iter().zip(&score.fates).enumerate() {
        let (Some(mutation), Some(covered)) = (candidate.mutations.first(), &covered[at]) else {
            bail!("{} is not of order 1", candidate.id);
        };
        let killing: Vec<usize> = (0..tests.len())
            .filter(|test| score.matrix[*test].contains(at))
            .collect();
        let (status, reason) = match fate {
            Fate::Killed => (MutantStatus::Killed, None),
            Fate::Survives(why) if covered.is_empty() => (MutantStatus::NoCoverage, Some(why)),
            Fate::Survives(why) => (MutantStatus::Survived, Some(why)),
            Fate::NotKillable(why) => (MutantStatus::Ignored, Some(why)),
            Fate::Unknown(why) => (MutantStatus::Pending, Some(why)),
            Fate::Invalid(why) => (MutantStatus::CompileError, Some(why)),
        };
        mutants.push(ScoredMutant {
            id: candidate.id.clone(),
            mutation: *mutation,
            status,
            reason: reason.cloned(),
            accepted: suite.accepted[at].clone(),
            killed_by: ids(&killing),
            covered_by: ids(covered),
        });
    }
    Ok(mutants)
}
