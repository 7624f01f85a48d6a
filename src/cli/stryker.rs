//! `tamper score --stryker`.

use std::path::Path;

use anyhow::{Result, bail};

use super::mutated::Mutated;
use super::suites::Bench;
use tamper::experiment::killing::{Fate, Score, coverage};
use tamper::formats::{StrykerMutant, StrykerReport, StrykerStatus, read_text, write_stryker};
use tamper::suite::TestCase;

/// Refuses what a report cannot show, before anything is scored.
pub fn check(bench: &Bench) -> Result<()> {
    if !matches!(&bench.mutated, Mutated::Game(of) if of.loaded.is_xml) {
        bail!(
            "--stryker shows mutants at their place in UPPAAL XML, and {} is none",
            bench.specification.file
        );
    }
    if bench.candidates.iter().any(|candidate| candidate.mutations.len() != 1) {
        bail!("--stryker shows each mutant at one place: it is for mutants of order 1");
    }
    Ok(())
}

/// The report of a scored suite, whose file is `path`.
pub fn report(bench: &Bench, path: &Path, tests: &[TestCase], score: &Score) -> Result<String> {
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
            Fate::Killed => (StrykerStatus::Killed, None),
            Fate::Survives(why) if covered.is_empty() => (StrykerStatus::NoCoverage, Some(why)),
            Fate::Survives(why) => (StrykerStatus::Survived, Some(why)),
            Fate::NotKillable(why) => (StrykerStatus::Ignored, Some(why)),
            Fate::Unknown(why) => (StrykerStatus::Pending, Some(why)),
            Fate::Invalid(why) => (StrykerStatus::CompileError, Some(why)),
        };
        mutants.push(StrykerMutant {
            id: candidate.id.clone(),
            mutation: *mutation,
            status,
            reason: reason.cloned(),
            killed_by: ids(&killing),
            covered_by: ids(covered),
        });
    }
    let Mutated::Game(of) = &bench.mutated else {
        bail!("mutants of a network are not at one place of a file");
    };
    let (document, index) = of.loaded.in_file(of.game()?)?;
    let name = path.display().to_string();
    let text = read_text(path, "name the suite that is scored")?;
    let report = StrykerReport {
        document,
        index,
        suite: (&name, &text),
        tests,
        mutants: &mutants,
    };
    Ok(write_stryker(&report)?)
}
