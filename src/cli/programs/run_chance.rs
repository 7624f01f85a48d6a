//! What random tests that see as much as a suite would have shown: the chance beside the suite's results.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use rayon::prelude::*;

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::suite_run_args::RunArgs;
use crate::cli::models::read_mutated::{MutatedRequest, read_mutated};
use crate::cli::programs::run_oracle::Oracle;
use crate::cli::programs::run_plan::kills;
use crate::cli::terminal::Terminal;
use tamper::experiment::killing::{Chance, ChanceRequest, chance};
use tamper::experiment::{Numbered, Timer, largest_constant};
use tamper::formats::suite_json::Suite;
use tamper::mutation::Order;
use tamper::programs::TestRun;
use tamper::suite::{Subject, TestCase, n_events};

/// The largest number of mutants that are looked through for those of the suite.
const MOST_MUTANTS: u64 = 200_000;

/// The suite whose chance is asked for.
#[derive(Clone, Copy)]
pub struct SuiteRun<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// Its tests that were to be run.
    pub tests: &'a [&'a TestCase],
    /// Their runs.
    pub runs: &'a [TestRun],
}

/// The chance of random tests on the mutants of order 1 that the tests of a suite are for; `None` if there are none, or too many to be made,
/// or the time is over.
pub fn chance_beside(
    args: &RunArgs,
    of: SuiteRun<'_>,
    oracle: &Oracle,
    timer: &Timer,
    global: &GlobalArgs,
    terminal: &Terminal,
) -> Result<Option<Chance>> {
    let wanted: BTreeSet<&str> = of.tests.iter().flat_map(|test| kills(of.suite, test)).collect();
    let events = of.runs.iter().map(|run| n_events(&run.log)).sum();
    if wanted.is_empty() || events == 0 {
        return Ok(None);
    }
    let asked = MutatedRequest {
        file: oracle.file(),
        template: args.timed.template.as_deref(),
        mutate: &args.adaptive.mutated,
        network: &args.network,
        limits: &args.limits,
    };
    let model = read_mutated(asked, Some(&of.suite.specification), global, &terminal.silent())?;
    let set = model.set(&model.every_mutant(&args.adaptive.mutation), Order::FIRST)?;
    if set.n_mutants() > MOST_MUTANTS {
        return Ok(None);
    }
    let numbers: Vec<u64> = (0..set.n_mutants()).collect();
    let mutants = set.mutants(&numbers)?.into_par_iter();
    let subject = |mutant: Numbered| {
        let game = of.suite.refusals.met(set.game(&mutant, timer).ok()?);
        Subject::new(&game, &timer.budget()).ok()
    };
    let mutants = mutants.filter(|mutant| wanted.contains(mutant.id.as_str()));
    let mutants: Vec<Subject> = mutants.filter_map(subject).collect();
    let longest = largest_constant(oracle.game()).saturating_add(1);
    let request = ChanceRequest {
        specification: oracle.game(),
        mutants: &mutants,
        events,
        longest: u32::try_from(longest).context("the model's constants are too large for random tests")?,
    };
    Ok(chance(request, timer)?)
}
