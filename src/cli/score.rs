//! `tamper score`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::args::{Format, GlobalArgs};
use super::exit::ExitCode;
use super::stryker;
use super::suites::JudgedArgs;
use super::terminal::Terminal;
use crate::experiment::killing::{Score, score as score_of};
use crate::experiment::write_file;
use crate::report::{score_json, score_text};

/// `tamper score`.
///
/// Executes every test of a suite, in simulated time and exactly, against the mutants of a model: against all mutants
/// of order 1 together, as a family; against those of order 2 one by one. The score is killed / killable.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper score suite.json model.xml
  tamper score suite.json model.xml --operators CXL,CXS --format json
  tamper score suite.json model.xml --mutants tamper.out          against the non-subsumed mutants of a run
  tamper score suite.json model.xml --stryker report.json         to be seen in Stryker's viewers

Exit codes:
  0  every killable mutant is killed
  1  some survive
  2  wrong usage, or a file that is refused
  3  a limit was hit, so that it is not known of some mutants whether they can be killed")]
pub struct ScoreArgs {
    #[command(flatten)]
    pub judged: JudgedArgs,
    /// Also write a mutation testing report for Stryker's viewers (mutation-testing-report-schema): every mutant of order 1 at its
    /// place in the model's XML
    #[arg(long, value_name = "FILE")]
    pub stryker: Option<PathBuf>,
}

/// Scores a suite.
pub fn score(args: &ScoreArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let (suite, bench, wish) = args.judged.read(global, terminal)?;
    if args.stryker.is_some() {
        stryker::check(&bench)?;
    }
    let score: Score = score_of(&bench.tester, &bench.candidates, &suite.tests, &wish, &bench.timer)?;
    if let Some(path) = &args.stryker {
        let report = stryker::report(&bench, &args.judged.suite, &suite.tests, &score)?;
        write_file(path, report)?;
    }
    terminal.result(&match terminal.format {
        Format::Json => serde_json::to_string_pretty(&score_json(&score, &suite.tests))?,
        Format::Text => score_text(&score),
    })?;
    let unknown = score.unknown.len() as u64 + bench.undecided;
    Ok(match (score.survivors.len(), unknown) {
        (0, 0) => ExitCode::Yes,
        (0, _) => ExitCode::Unknown,
        _ => ExitCode::No,
    })
}
