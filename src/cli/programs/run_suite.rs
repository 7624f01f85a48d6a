//! `tamper run`.

use anyhow::{Context as _, Result, bail};
use num_rational::BigRational;

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::suite_run_args::{Amount, RunArgs, chosen};
use crate::cli::exit::ExitCode;
use crate::cli::programs::run_program::against_program;
use crate::cli::terminal::Terminal;
use crate::cli::testing::against::{Models, ReadingOptions};
use crate::cli::testing::score::reaches;
use crate::cli::testing::suites::{load_suite, stale_suite};
use tamper::experiment::killing::stale;
use tamper::experiment::{Implementation, Manner, ModelRun, ModelRuns, Timer, check_alphabet, run_against};
use tamper::formats::suite_json::Suite;
use tamper::report::{ModelCounts, junit_of_models, model_runs_json, model_runs_text};
use tamper::suite::{TestCase, Tester};

/// Runs a suite.
pub fn run_suite(args: &RunArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let path = args.suite()?;
    let suite = load_suite(path)?;
    let tests = chosen(&suite.tests, &args.only).with_context(|| path.display().to_string())?;
    match &args.sut {
        Some(sut) => {
            if args.timed.template.is_some() {
                bail!("--template is for --against and --random: the suite names its game");
            }
            let limits = &args.limits;
            if limits.timeout.is_some() || limits.max_states.is_some() || limits.max_memory.is_some() {
                bail!("--timeout, --max-states and --max-memory are limits of --against; a program has --patience");
            }
            if args.network.is_asked() && args.program.oracle.is_none() {
                bail!(
                    "--network and what goes with it say how a model of --against or --model is composed; a program is what it is"
                );
            }
            against_program(args, sut, &suite, &tests, global, terminal)
        }
        None => against_models(args, &suite, &tests, global, terminal),
    }
}

fn against_models(
    args: &RunArgs,
    suite: &Suite,
    tests: &[&TestCase],
    global: &GlobalArgs,
    terminal: &Terminal,
) -> Result<ExitCode> {
    let how = ReadingOptions {
        template: args.timed.template.as_deref(),
        network: &args.network,
        suite: &suite.specification,
        limits: &args.limits,
        global,
        terminal,
    };
    let found = args.against.iter().map(|path| Models::at(path, how));
    let found: Vec<Models<'_>> = found.collect::<Result<_>>()?;
    let timer = args.total.timer(args.limits.resolve());
    found
        .iter()
        .try_for_each(|models| refuse_stale(args, suite, models, &timer))?;
    let manner = match args.timed.random {
        Some(Amount::Time(_) | Amount::Events(_)) => bail!("--random: with --against a number of plays"),
        Some(Amount::Tests(n)) => Manner::Plays {
            n,
            seed: args.timed.seed,
        },
        None => Manner::Exhaustive,
    };
    let n_models: usize = found.iter().map(Models::len).sum();
    let bar = terminal.progress((tests.len() * n_models) as u64);
    let mut runs: Vec<ModelRuns> = Vec::new();
    for models in &found {
        models.each(|models| {
            let fits = models.iter().try_for_each(|model| check_alphabet(tests, model));
            fits.with_context(|| args.suite().map_or(String::new(), |path| path.display().to_string()))?;
            let done = (tests.len() * runs.len()) as u64;
            let progress = |more| bar.set_position(done + more);
            let met: Vec<Implementation> = models.iter().map(|model| model.met(suite.refusals)).collect();
            runs.extend(run_against(tests, &met, manner, &timer, &progress));
            Ok(())
        })?;
    }
    bar.finish_and_clear();
    let junit = junit_of_models(&runs, &suite.specification.template);
    args.write_for_others(&junit, || model_runs_text(&runs), terminal)?;
    terminal.answer(|| model_runs_json(&runs), || model_runs_text(&runs))?;
    if let Some(least) = &args.timed.fail_under {
        return Ok(judged(&runs, least, terminal));
    }
    let all: Vec<&ModelRun> = runs.iter().flat_map(|model| &model.runs).collect();
    let counts = ModelCounts::of(all);
    Ok(match (counts.fail + counts.broken, counts.unknown) {
        (0, 0) => ExitCode::Yes,
        (0, _) => ExitCode::Unknown,
        _ => ExitCode::No,
    })
}

/// Refuses a suite with a test that the original of these mutants fails.
fn refuse_stale(args: &RunArgs, suite: &Suite, models: &Models<'_>, timer: &Timer) -> Result<()> {
    let Some((path, original)) = models.original()? else {
        return Ok(());
    };
    let specification = format!("`{}` of {}", original.name(), path.display());
    // If a limit leaves that open, it ends the tests of the mutants, too.
    let found = Tester::new(&original, &timer.budget()).and_then(|tester| stale(&suite.tests, &tester, timer));
    match found {
        Ok(Some(found)) => Err(stale_suite(args.suite()?, &specification, &found)),
        _ => Ok(()),
    }
}

/// Whether enough of the models fail some test; unknown if that depends on the models that a limit hides.
fn judged(runs: &[ModelRuns], least: &BigRational, terminal: &Terminal) -> ExitCode {
    let counts = runs.iter().map(|model| ModelCounts::of(&model.runs));
    let (mut killed, mut unknown) = (0, 0);
    for counts in counts {
        killed += u64::from(counts.fail > 0);
        unknown += u64::from(counts.fail == 0 && counts.unknown > 0);
    }
    let all = runs.len() as u64;
    terminal.note(&format!(
        "{killed} of {all} models fail some test; asked for are {least} %"
    ));
    match (reaches(killed, all, least), reaches(killed + unknown, all, least)) {
        (true, _) => ExitCode::Yes,
        (false, true) => ExitCode::Unknown,
        (false, false) => ExitCode::No,
    }
}
