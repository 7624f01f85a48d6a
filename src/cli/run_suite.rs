//! `tamper run`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::{ArgGroup, Args};
use num_rational::BigRational;

use super::against::{Models, Reading};
use super::args::{Format, GlobalArgs, LimitArgs, TotalArgs};
use super::exit::ExitCode;
use super::network_args::NetworkArgs;
use super::parse::{parse_percent, parse_seconds};
use super::score::reaches;
use super::suites::{load_suite, stale_suite};
use super::terminal::Terminal;
use tamper::experiment::killing::stale;
use tamper::experiment::sut::{RemoteSut, Target, TimeMode, Timing, parse_time, run_tests};
use tamper::experiment::{Manner, ModelRun, ModelRuns, Timer, check_alphabet, run_against, write_file};
use tamper::formats::suite_json::Suite;
use tamper::formats::{JunitSuite, write_junit};
use tamper::report::{
    ModelCounts, RunCounts, junit_of_models, junit_of_program, model_runs_json, model_runs_text, test_runs_json,
    test_runs_text,
};
use tamper::suite::{TestCase, Tester};

/// `tamper run`.
///
/// Runs every test of a suite and says how each ended: pass, fail (something was done that the specification does not
/// allow). A test that passes may not have reached its purpose, the mutants that it is to show, as something else that is
/// allowed came first; that is noted.
///
/// With --sut against a program that speaks lines over its standard input and output, or over TCP
/// (docs/sut-protocol.md). A program that hangs, crashes or babbles is ended and reported; the next test starts a new
/// one. With --against against models, in simulated time: over all choices and times of the model, so that a test that
/// can fail fails, and is told from one that always does; or in random plays (--plays).
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("subject").required(true), after_help = "\
Examples:
  tamper run suite.json --sut './controller --test-mode' --unit 10ms --tolerance 1/2
  tamper run suite.json --sut tcp://localhost:4000 --accelerated --junit results.xml
  tamper run suite.json --against implementation.xml
  tamper run suite.json --against model.xml --plays 10000 --seed 1
  tamper export model.xml --keep non-subsumed --out mutants && tamper run suite.json --against mutants --fail-under 80

Exit codes:
  0  no test failed, and everything could be tested; with --fail-under, enough models fail some test
  1  a test failed, or the program or model could not be tested in one; with --fail-under, too few fail
  2  wrong usage, a file that is refused, or a program that cannot be reached
  3  no test failed, but a limit was hit (--against)")]
pub struct RunArgs {
    /// A suite of timed tests (JSON)
    pub suite: PathBuf,
    /// The program under test: a shell command, or tcp://HOST:PORT
    #[arg(long, value_name = "COMMAND", group = "subject")]
    pub sut: Option<String>,
    /// The models under test: UPPAAL, Ecdar or TChecker, or folders of mutants that `tamper export` wrote
    #[arg(long, value_name = "MODEL|MUTANTS", num_args = 1.., group = "subject")]
    pub against: Vec<PathBuf>,
    /// With --sut: seconds of wall time after which a missing answer of the protocol counts as hanging
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = parse_seconds, conflicts_with = "against")]
    pub patience: u64,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Only these tests, by id
    #[arg(long, value_name = "TEST", value_delimiter = ',')]
    pub only: Vec<String>,
    #[command(flatten)]
    pub timed: RunTimedArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub total: TotalArgs,
}

/// Options of `tamper run` for suites of timed tests.
#[derive(Args, Debug)]
pub struct RunTimedArgs {
    /// With --sut: let the program's time pass as fast as it can: it is told how much
    #[arg(long, conflicts_with_all = ["unit", "against"])]
    pub accelerated: bool,
    /// With --sut: how long a time unit of the model lasts on the wall clock: a number and us, ms or s
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_duration, conflicts_with = "against")]
    pub unit: Duration,
    /// With --sut: by how many time units an output may be off before it counts against the program: 2, 1/2 or 0.5
    #[arg(long, value_name = "UNITS", default_value = "0", value_parser = parse_tolerance, conflicts_with = "against")]
    pub tolerance: BigRational,
    /// With --against: the game, where a file runs several
    #[arg(long, value_name = "NAME", conflicts_with = "sut")]
    pub template: Option<String>,
    /// With --against: play each test N times, choices and times drawn at random, instead of looking at all of them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "sut")]
    pub plays: Option<u64>,
    /// What the plays are drawn by: the same seed draws the same plays
    #[arg(long, value_name = "S", default_value_t = 0, requires = "plays")]
    pub seed: u64,
    /// With --against: the least score, in percent of the models, that is good enough: so many must fail some test. Models that
    /// cannot be tested count against the suite
    #[arg(long, value_name = "SCORE", value_parser = parse_percent, conflicts_with = "sut")]
    pub fail_under: Option<BigRational>,
    /// Also write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

/// Runs a suite.
pub fn run_suite(args: &RunArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let suite = load_suite(&args.suite)?;
    let tests = chosen(&suite.tests, &args.only).with_context(|| args.suite.display().to_string())?;
    match &args.sut {
        Some(sut) => {
            let limits = &args.limits;
            if limits.timeout.is_some()
                || limits.max_states.is_some()
                || limits.max_memory.is_some()
                || args.total.total_timeout.is_some()
            {
                bail!(
                    "--timeout, --total-timeout, --max-states and --max-memory are limits of --against; a program has --patience"
                );
            }
            if args.network.is_asked() {
                bail!(
                    "--network and what goes with it say how a model of --against is composed; a program is what it is"
                );
            }
            against_program(args, sut, &suite, &tests, terminal)
        }
        None => against_models(args, &suite, &tests, global, terminal),
    }
}

/// This program, also if its file was replaced since it was started.
pub fn tamper() -> Result<PathBuf> {
    match cfg!(target_os = "linux") {
        true => Ok("/proc/self/exe".into()),
        false => std::env::current_exe().context("where tamper itself is cannot be found out"),
    }
}

fn against_program(
    args: &RunArgs,
    sut: &str,
    suite: &Suite,
    tests: &[&TestCase],
    terminal: &Terminal,
) -> Result<ExitCode> {
    let timing = Timing {
        mode: match args.timed.accelerated {
            true => TimeMode::Accelerated,
            false => TimeMode::Real(args.timed.unit),
        },
        patience: Duration::from_millis(args.patience),
    };
    let mut program = RemoteSut::new(Target::parse(sut), timing).supervised_by(tamper()?);
    let bar = terminal.progress(tests.len() as u64);
    let runs = run_tests(tests, &mut program, &args.timed.tolerance, &mut |done| {
        bar.set_position(done)
    })?;
    bar.finish_and_clear();
    args.write_junit(&junit_of_program(&runs, sut, &suite.specification.template))?;
    terminal.result(&match terminal.format {
        Format::Json => serde_json::to_string_pretty(&test_runs_json(&runs))?,
        Format::Text => test_runs_text(&runs),
    })?;
    let counts = RunCounts::of(&runs);
    Ok(match counts.fail + counts.broken {
        0 => ExitCode::Yes,
        _ => ExitCode::No,
    })
}

fn against_models(
    args: &RunArgs,
    suite: &Suite,
    tests: &[&TestCase],
    global: &GlobalArgs,
    terminal: &Terminal,
) -> Result<ExitCode> {
    let how = Reading {
        template: args.timed.template.as_deref(),
        network: &args.network,
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
    let manner = match args.timed.plays {
        Some(n) => Manner::Plays {
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
            fits.with_context(|| args.suite.display().to_string())?;
            let done = (tests.len() * runs.len()) as u64;
            let progress = |more| bar.set_position(done + more);
            runs.extend(run_against(tests, models, manner, &timer, &progress));
            Ok(())
        })?;
    }
    bar.finish_and_clear();
    args.write_junit(&junit_of_models(&runs, &suite.specification.template))?;
    terminal.result(&match terminal.format {
        Format::Json => serde_json::to_string_pretty(&model_runs_json(&runs))?,
        Format::Text => model_runs_text(&runs),
    })?;
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
    // Where a limit leaves that open, it ends the tests of the mutants, too.
    let found = Tester::new(&original, &timer.budget()).and_then(|tester| stale(&suite.tests, &tester, timer));
    match found {
        Ok(Some(found)) => Err(stale_suite(&args.suite, &specification, &found)),
        _ => Ok(()),
    }
}

/// Whether enough of the models fail some test, whatever becomes of those that a limit hides.
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

impl RunArgs {
    fn write_junit(&self, suites: &[JunitSuite]) -> Result<()> {
        match &self.timed.junit {
            Some(path) => Ok(write_file(
                path,
                write_junit(&self.suite.display().to_string(), suites),
            )?),
            None => Ok(()),
        }
    }
}

/// The tests of these ids, in the suite's order; all if none is named.
pub fn chosen<'s>(tests: &'s [TestCase], ids: &[String]) -> Result<Vec<&'s TestCase>> {
    if let Some(unknown) = ids.iter().find(|id| tests.iter().all(|test| test.id != **id)) {
        bail!("the suite has no test `{unknown}`");
    }
    let is_chosen = |test: &&TestCase| ids.is_empty() || ids.contains(&test.id);
    Ok(tests.iter().filter(is_chosen).collect())
}

/// A positive wall time with its unit.
fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || "a whole number and us, ms or s, such as 10ms".to_owned();
    let digits = text.find(|character: char| !character.is_ascii_digit());
    let (number, unit) = text.split_at(digits.ok_or_else(wrong)?);
    let micros: u64 = match unit {
        "us" => 1,
        "ms" => 1_000,
        "s" => 1_000_000,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    match number.checked_mul(micros) {
        Some(0) => Err("longer than nothing".to_owned()),
        Some(micros @ ..=3_600_000_000) => Ok(Duration::from_micros(micros)),
        _ => Err("at most an hour".to_owned()),
    }
}

fn parse_tolerance(text: &str) -> Result<BigRational, String> {
    parse_time(text).ok_or_else(|| "a number of time units such as 2, 1/2 or 0.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_times_have_a_number_and_a_unit() {
        assert_eq!(parse_duration("10ms"), Ok(Duration::from_millis(10)));
        assert_eq!(parse_duration("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(parse_duration("250us"), Ok(Duration::from_micros(250)));
        for wrong in [
            "",
            "10",
            "ms",
            "0s",
            "1.5s",
            "-1s",
            "3601s",
            "1h",
            "99999999999999999999s",
        ] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }
}
