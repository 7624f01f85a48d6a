//! `tamper score --stryker`, `--as github` and `--as sarif`: every mutant at its place in the model's file.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::cli::testing::suites::Bench;
use tamper::experiment::Numbered;
use tamper::experiment::killing::{Fate, Score, coverage};
use tamper::formats::{MutantStatus, Replacement, ScoredMutant, ScoredReport, read_text};
use tamper::mutation::{Mutation, Order};
use tamper::suite::TestCase;
use tamper::text::SourceFile;

/// The file of a model, and the change that each mutant of a bench makes there.
pub struct PlacedMutants<'b> {
    source: &'b SourceFile,
    changes: Vec<(Mutation, Replacement)>,
}

impl<'b> PlacedMutants<'b> {
    /// The places of the mutants of `bench`. `option` is the option that asked for a report.
    ///
    /// # Errors
    /// What a report cannot show.
    pub fn of(bench: &'b Bench, option: &str) -> Result<Self> {
        if bench.plan.order != Order::FIRST {
            bail!("{option} shows each mutant at one place: it is for mutants of order 1");
        }
        let set = bench.mutated.set(&bench.plan.mutation, bench.plan.order)?;
        let mutants = set.mutants(&(0..set.n_mutants()).collect::<Vec<_>>())?;
        let found: BTreeMap<&str, &Numbered> = mutants.iter().map(|mutant| (&*mutant.id, mutant)).collect();
        let asked = bench
            .candidates
            .iter()
            .map(|candidate| found.get(&*candidate.id).copied());
        let asked: Option<Vec<Numbered>> = asked.map(|mutant| mutant.cloned()).collect();
        let asked = asked.context("a mutant of the bench is one of its model")?;
        let (source, replacements) = bench
            .mutated
            .replacements(&asked)
            .with_context(|| format!("{option} shows mutants at their places in the file of the model"))?;
        let mutations = asked.iter().flat_map(|mutant| mutant.mutations.iter().copied());
        Ok(Self {
            source,
            changes: mutations.zip(replacements).collect(),
        })
    }
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
    placed: &PlacedMutants<'_>,
    suite: ScoredSuite<'_>,
    write: fn(&ScoredReport<'_>) -> String,
) -> Result<String> {
    let mutants = mutants(bench, placed, suite)?;
    let name = suite.path.display().to_string();
    let text = read_text(suite.path, "name the suite that is scored")?;
    Ok(write(&ScoredReport {
        source: placed.source,
        suite: (&name, &text),
        tests: suite.tests,
        mutants: &mutants,
    }))
}

/// The mutants with their statuses.
fn mutants(bench: &Bench, placed: &PlacedMutants<'_>, suite: ScoredSuite<'_>) -> Result<Vec<ScoredMutant>> {
    let ScoredSuite { tests, score, .. } = suite;
    let covered = coverage(&bench.tester, &bench.candidates, tests, &bench.timer)?;
    let ids = |positions: &[usize]| positions.iter().map(|at| tests[*at].id.clone()).collect::<Vec<_>>();
    let mut mutants = Vec::new();
    let changes = placed.changes.iter().cloned();
    for (at, ((candidate, fate), (mutation, replacement))) in
        bench.candidates.iter().zip(&score.fates).zip(changes).enumerate()
    {
        let killing: Vec<usize> = (0..tests.len())
            .filter(|test| score.matrix[*test].contains(at))
            .collect();
        let (status, reason) = match fate {
            Fate::Killed => (MutantStatus::Killed, None),
            Fate::Survives(why) if covered[at].as_deref() == Some(&[]) => (MutantStatus::NoCoverage, Some(why)),
            Fate::Survives(why) => (MutantStatus::Survived, Some(why)),
            Fate::NotKillable(why) => (MutantStatus::Ignored, Some(why)),
            Fate::Unknown(why) => (MutantStatus::Pending, Some(why)),
            Fate::Invalid(why) => (MutantStatus::CompileError, Some(why)),
        };
        mutants.push(ScoredMutant {
            id: candidate.id.clone(),
            mutation,
            replacement,
            status,
            reason: reason.cloned(),
            accepted: suite.accepted[at].clone(),
            killed_by: ids(&killing),
            covered_by: covered[at].as_deref().map(ids),
        });
    }
    Ok(mutants)
}
