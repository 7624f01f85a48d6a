//! The choice of tests that are run against a program, and an estimate of their time.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::cli::arguments::suite_run_args::RunArgs;
use tamper::formats::suite_json::Suite;
use tamper::programs::{PlannedTest, n_kills, together, wall_time, within};
use tamper::report::RunPlan;
use tamper::suite::TestCase;

/// The tests to run out of `tests` (the requested ones), in their order, and the plan to print.
pub fn planned<'s>(
    args: &RunArgs,
    suite: &'s Suite,
    tests: &[&'s TestCase],
    jobs: usize,
) -> Result<(Vec<&'s TestCase>, RunPlan)> {
    let program = &args.program;
    let times = program.repeat.unwrap_or(1);
    let plan = |test: &&'s TestCase| PlannedTest {
        wall: wall_time(test, args.timed.unit).saturating_mul(times),
        kills: kills(suite, test),
    };
    let planned: Vec<PlannedTest<'_>> = tests.iter().map(plan).collect();
    let chosen: Vec<usize> = match program.budget {
        Some(budget) => affordable(&planned, budget, jobs)?,
        None => (0..tests.len()).collect(),
    };
    let walls = || chosen.iter().map(|at| planned[*at].wall);
    let is_real = !args.timed.accelerated;
    let said = RunPlan {
        tests: chosen.len(),
        of: tests.len(),
        jobs,
        alone: is_real.then(|| together(walls(), 1)),
        together: is_real.then(|| together(walls(), jobs)),
        kills: program
            .budget
            .map(|_| (n_kills(chosen.iter().map(|at| &planned[*at])), n_kills(&planned))),
    };
    Ok((chosen.iter().map(|at| tests[*at]).collect(), said))
}

/// The mutants that a test kills, as far as the suite says so: the targets of the test, and the mutants that name the test.
pub fn kills<'s>(suite: &'s Suite, test: &'s TestCase) -> BTreeSet<&'s str> {
    let named = suite
        .mutants
        .iter()
        .filter(|mutant| mutant.test.as_ref() == Some(&test.id));
    let named = named.map(|mutant| mutant.id.as_str());
    test.targets.iter().map(String::as_str).chain(named).collect()
}

fn affordable(planned: &[PlannedTest<'_>], budget: Duration, jobs: usize) -> Result<Vec<usize>> {
    if n_kills(planned) == 0 {
        bail!("the suite does not say which mutants its tests kill: --budget has nothing to choose by");
    }
    let chosen = within(planned, budget, jobs);
    if chosen.is_empty() {
        let shortest = planned.iter().map(|test| test.wall).min().unwrap_or_default();
        bail!(
            "--budget {} s is less than any test takes: the shortest takes about {} s",
            budget.as_secs_f64(),
            shortest.as_secs_f64()
        );
    }
    Ok(chosen)
}
