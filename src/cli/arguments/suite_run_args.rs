//! Arguments of `tamper run`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::{ArgGroup, Args, ValueEnum};
use num_rational::BigRational;

use crate::cli::arguments::adaptive_args::{AdaptiveArgs, RunStrategy};
use crate::cli::arguments::args::{Format, LimitArgs, TotalArgs, all_by_default};
use crate::cli::arguments::network_args::NetworkArgs;
use crate::cli::arguments::parse::{parse_percent, parse_seconds};
use crate::cli::arguments::unspecified::{GraphArgs, MachineArgs};
use crate::cli::terminal::Terminal;
use crate::cli::workflow::add_to_summary;
use tamper::experiment::write_file;
use tamper::formats::{JunitSuite, write_failures, write_junit};
use tamper::programs::{Repeats, parse_time};
use tamper::suite::TestCase;

/// `tamper run`.
///
/// Runs every test of a suite and says how each ended: pass; inconclusive (all that was seen is allowed, but something else came
/// than what leads to where the mutants that the test is for would show); fail (something was done that the specification does
/// not allow).
///
/// With --sut against a program that speaks lines over its standard input and output, or over TCP
/// (docs/book/src/sut-protocol.md). A program that hangs, crashes or babbles is ended and reported; the next test starts a new
/// one. One that does not start ends the run after three tries. With --against against models, in simulated time: over all choices and times of the model, so that a test that
/// can fail fails, and is told from one that always does; or in random plays (--random).
#[derive(Args, Debug)]
#[command(mut_arg("operators", all_by_default))]
#[command(group = ArgGroup::new("subject").required(true), group = ArgGroup::new("drawn").args(["random", "top_up"]).multiple(true), after_help = "\
Examples:
  tamper run suite.json --sut './controller --test-mode' --unit 10ms --tolerance 1/2
  tamper run suite.json --sut tcp://localhost:4000 --accelerated --junit results.xml
  tamper run suite.json --sut ./controller --unit 10ms --tolerance 1/2 --repeat 5 --strict
  tamper run suite.json --sut 'exec ./server --port 700$TAMPER_JOB' --jobs 4 --budget 60s --results run.jsonl
  tamper run suite.json --sut ./controller --accelerated --top-up 2000
  tamper run --random 60s --model model.xml --sut ./controller --unit 10ms --tolerance 1/2
  tamper run --strategy adaptive --model model.xml --sut ./controller --unit 10ms --tolerance 1/2
  tamper run suite.json --against implementation.xml
  tamper run suite.json --against model.xml --random 10000 --seed 1
  tamper run machine.suite --against other.fsm          answers of a state machine: which test, step, expected and got
  tamper export model.xml --keep non-subsumed --out mutants && tamper run suite.json --against mutants --fail-under 80

Exit codes:
  0  no test failed, and everything could be tested; with --fail-under, enough models fail some test
  1  a test failed, if only at times, or the program or model could not be tested in one; with --strict, one was inconclusive;
     with --fail-under, too few fail
  2  wrong usage, a file that is refused, or a program that cannot be reached or started
  3  no test failed, but a limit was hit
  130  ended by Ctrl-C; what was known is printed")]
pub struct RunArgs {
    /// A suite (JSON), or one of a state machine (text, `input/answer …` on each line); with --strategy, and with --sut --random, there is none
    #[arg(required_unless_present_any = ["random", "strategy"], conflicts_with = "strategy")]
    pub suite: Option<PathBuf>,
    /// The program under test: a shell command, or tcp://HOST:PORT
    #[arg(long, value_name = "COMMAND", group = "subject")]
    pub sut: Option<String>,
    /// The models under test: UPPAAL, Ecdar or TChecker, or folders of mutants that `tamper export` wrote; machines for a suite of machines
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
    pub program: ProgramArgs,
    #[command(flatten)]
    pub adaptive: AdaptiveArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub total: TotalArgs,
    #[command(flatten)]
    pub machine: MachineArgs,
    #[command(flatten)]
    pub graph: GraphArgs,
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
    /// With --against and --random: the game, where a file runs several
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    /// With --against: play each test N times, choices and times drawn at random, instead of looking at all of them. With --sut: instead of
    /// a suite random tests by --model, for that long, or that number: inputs that it takes, at random times, each log judged by it. They
    /// are the baseline that suites are compared with
    #[arg(long, alias = "plays", value_name = "TIME|N", value_parser = parse_amount, conflicts_with_all = ["budget", "resume", "strict"])]
    pub random: Option<Amount>,
    /// With --random and --top-up: what plays and random tests are drawn by: the same seed draws the same ones
    #[arg(long, value_name = "S", default_value_t = 0, requires = "drawn")]
    pub seed: u64,
    /// With --against: the least score, in percent of the models, that is good enough: that share must fail some test. Models that
    /// cannot be tested count against the suite
    #[arg(long, value_name = "SCORE", value_parser = parse_percent, conflicts_with = "sut")]
    pub fail_under: Option<BigRational>,
    /// Also write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Also print a line for each test that fails, which a workflow of GitHub shows, and add the results to its summary
    #[arg(long = "as", value_enum, value_name = "FORM")]
    pub form: Option<RunForm>,
}

/// For whom results are printed besides.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum RunForm {
    /// A workflow of GitHub
    Github,
}

/// Options of `tamper run` for programs.
#[derive(Args, Debug)]

pub struct ProgramArgs {
    /// Seconds of wall time after which a program that was started and is not ready is started again, three times in all
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds, conflicts_with = "against")]
    pub start_patience: u64,
    /// An inconclusive test fails the run, too: all was allowed, but the test did not come to its purpose
    #[arg(long, conflicts_with = "against")]
    pub strict: bool,
    /// Run each test N times; one that fails at times is unsteady, which fails the run. With --strategy: go for all mutants N times
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["against", "retry"])]
    pub repeat: Option<u32>,
    /// Run a test that fails again, up to N times: one that passes then is unsteady, which fails the run all the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "against")]
    pub retry: Option<u32>,
    /// Begin no test after the first that fails or has no verdict
    #[arg(long, conflicts_with = "against")]
    pub fail_fast: bool,
    /// Run N instances of the program side by side, each a command of its own that finds its number, 0 to N-1, in TAMPER_JOB (so that
    /// it can choose a port); of tcp:// name N addresses, separated by commas. With --strategy each goes for mutants of its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), conflicts_with = "against")]
    pub jobs: Option<u16>,
    /// Run only the tests that kill most mutants in this time, by what the suite says of them: a number and us, ms or s
    #[arg(long, value_name = "TIME", value_parser = parse_duration, conflicts_with_all = ["against", "accelerated"])]
    pub budget: Option<Duration>,
    /// Write each test that is done as a line of JSON, at once; results that are there are kept as FILE.old
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    pub results: Option<PathBuf>,
    /// Instead of a suite tests that are made while they run, for the mutants of --model
    #[arg(long, value_enum, value_name = "STRATEGY", requires_all = ["sut", "oracle"],
        conflicts_with_all = ["against", "budget", "only", "strict", "random", "retry"])]
    pub strategy: Option<RunStrategy>,
    /// The model by which every log is judged, beside the test [default: the model that the suite was made for, if its file is there
    /// as it was]
    #[arg(
        long = "model",
        visible_alias = "oracle",
        value_name = "MODEL",
        conflicts_with = "against"
    )]
    pub oracle: Option<PathBuf>,
    /// After the suite, random tests by --model until the program was given and made N inputs and outputs in all: what the rest of a budget is
    /// best spent on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..),
        conflicts_with_all = ["against", "random", "resume", "repeat", "retry"])]
    pub top_up: Option<u32>,
    /// Go on with the run whose --results these are: its tests are not run again, and with --strategy the mutants that they came to are not
    /// gone for
    #[arg(long, requires = "results")]
    pub resume: bool,
}

impl ProgramArgs {
    /// The name of tests that are made while they run.
    pub fn made(&self) -> &'static str {
        match self.strategy {
            Some(RunStrategy::Adaptive) => "adaptive tests",
            None => "random tests",
        }
    }

    /// The repetitions of each test.
    pub fn repeats(&self) -> Repeats {
        match self.repeat {
            _ if self.strategy.is_some() => Repeats::Times(1),
            Some(times) => Repeats::Times(times),
            None => Repeats::AfterFailure(self.retry.unwrap_or(0)),
        }
    }
}

/// The amount of random tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// The number of tests that this time allows.
    Time(Duration),
    /// This number of tests.
    Tests(u64),
    /// As many tests as see this number of inputs and outputs.
    Events(usize),
}

/// The path of this program, even if its file was replaced since it was started.
pub fn tamper() -> Result<PathBuf> {
    match cfg!(target_os = "linux") {
        true => Ok("/proc/self/exe".into()),
        false => std::env::current_exe().context("where tamper itself is cannot be found out"),
    }
}

impl RunArgs {
    /// The suite's file.
    pub fn suite(&self) -> Result<&Path> {
        self.suite.as_deref().context("name a suite")
    }

    /// The name of the run in reports.
    fn name(&self) -> String {
        self.suite
            .as_ref()
            .map_or_else(|| self.program.made().to_owned(), |suite| suite.display().to_string())
    }

    /// Writes the results of `suites` for other programs, if that is asked for; `text` is the form for people.
    pub fn write_for_others(
        &self,
        suites: &[JunitSuite],
        text: impl FnOnce() -> String,
        terminal: &Terminal,
    ) -> Result<()> {
        if let Some(path) = &self.timed.junit {
            write_file(path, write_junit(&self.name(), suites))?;
        }
        if let Some(RunForm::Github) = self.timed.form {
            terminal.part(&write_failures(&self.name(), suites))?;
            add_to_summary("tamper run", &format!("```text\n{}```", text()))?;
        }
        Ok(())
    }

    /// Refuses what does not go together: random tests and a suite, annotations and JSON.
    pub fn check(&self, terminal: &Terminal) -> Result<()> {
        if self.timed.random.is_some() && self.sut.is_some() {
            if self.suite.is_some() || !self.only.is_empty() {
                bail!("--random makes the tests of a program: leave out SUITE and --only");
            }
            if self.program.oracle.is_none() {
                bail!("--random makes tests by --model: name it");
            }
        }
        match (self.timed.form, terminal.format) {
            (Some(_), Format::Json) => bail!("--as github is a form of its own: leave out `--format json`"),
            _ => Ok(()),
        }
    }
}

/// The tests with these ids, in the suite's order; all tests if `ids` is empty.
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

/// A time, or a number of tests.
fn parse_amount(text: &str) -> Result<Amount, String> {
    match text.parse() {
        Ok(0) => Err("at least one test".to_owned()),
        Ok(tests) => Ok(Amount::Tests(tests)),
        Err(_) => parse_duration(text)
            .map(Amount::Time)
            .map_err(|_| "a time with us, ms or s, such as 60s, or a number of tests".to_owned()),
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
