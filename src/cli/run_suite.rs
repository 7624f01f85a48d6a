//! `tamper run`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use num_rational::BigRational;

use super::args::Format;
use super::exit::ExitCode;
use super::settings::parse_seconds;
use super::terminal::Terminal;
use crate::experiment::sut::{RemoteSut, Target, TimeMode, Timing, parse_time, run_tests};
use crate::formats::suite_json::read_suite;
use crate::report::{RunCounts, test_runs_json, test_runs_text};
use crate::suite::TestCase;

/// `tamper run`.
///
/// Runs every test of a suite against a program that speaks lines over its standard input and output, or over TCP
/// (docs/sut-protocol.md), and says how each ended: pass, fail (the program did what the specification does not
/// allow), or inconclusive (it did something else that is allowed). A program that hangs, crashes or babbles is ended
/// and reported; the next test starts a new one.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper run suite.json --sut './controller --test-mode' --unit 10ms --tolerance 1/2
  tamper run suite.json --sut tcp://localhost:4000 --accelerated

Exit codes:
  0  no test failed, and the program could be tested
  1  a test failed, or the program hung, crashed or babbled in one
  2  wrong usage, a suite that is refused, or a program that cannot be reached")]
pub struct RunArgs {
    /// A suite of timed tests (JSON)
    pub suite: PathBuf,
    /// The program under test: a shell command, or tcp://HOST:PORT
    #[arg(long, value_name = "COMMAND")]
    pub sut: String,
    /// Let the program's time pass as fast as it can: it is told how much
    #[arg(long, conflicts_with = "unit")]
    pub accelerated: bool,
    /// How long a time unit of the model lasts on the wall clock: a number and us, ms or s
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_duration)]
    pub unit: Duration,
    /// By how many time units an output may be off before it counts against the program: 2, 1/2 or 0.5
    #[arg(long, value_name = "UNITS", default_value = "0", value_parser = parse_tolerance)]
    pub tolerance: BigRational,
    /// Seconds of wall time after which a missing answer of the protocol counts as hanging
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = parse_seconds)]
    pub patience: u64,
    /// Only these tests, by id
    #[arg(long, value_name = "TEST", value_delimiter = ',')]
    pub only: Vec<String>,
}

/// Runs a suite against a program.
pub fn run_suite(args: &RunArgs, terminal: &Terminal) -> Result<ExitCode> {
    let name = args.suite.display();
    let text = std::fs::read_to_string(&args.suite).with_context(|| format!("{name}: cannot be read"))?;
    let suite = read_suite(&text).with_context(|| name.to_string())?;
    let tests = chosen(&suite.tests, &args.only)?;
    let timing = Timing {
        mode: match args.accelerated {
            true => TimeMode::Accelerated,
            false => TimeMode::Real(args.unit),
        },
        patience: Duration::from_millis(args.patience),
    };
    let mut sut = RemoteSut::new(Target::parse(&args.sut), timing);
    let bar = terminal.progress(tests.len() as u64);
    let runs = run_tests(&tests, &mut sut, &args.tolerance, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
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

/// The tests of these ids, in the suite's order; all if none is named.
fn chosen<'s>(tests: &'s [TestCase], ids: &[String]) -> Result<Vec<&'s TestCase>> {
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
