//! `tamper score`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::args::{Format, GlobalArgs};
use super::exit::ExitCode;
use super::stryker;
use super::suites::{Bench, KillArg, MutantsArgs, judging, load_suite, note_other_model, write_whole};
use super::terminal::Terminal;
use crate::experiment::killing::{Score, score as score_of};
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
    /// A suite of timed tests (JSON)
    pub suite: PathBuf,
    /// The model whose mutants are to be killed
    pub file: PathBuf,
    #[command(flatten)]
    pub mutants: MutantsArgs,
    /// When a test kills a mutant
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub kill: KillArg,
    /// Also write a mutation testing report for Stryker's viewers (mutation-testing-report-schema): every mutant of order 1 at its
    /// place in the model's XML
    #[arg(long, value_name = "FILE")]
    pub stryker: Option<PathBuf>,
}

/// Scores a suite.
pub fn score(args: &ScoreArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let suite = load_suite(&args.suite)?;
    let bench = Bench::new(&args.file, &args.mutants, global, terminal)?;
    note_other_model(&suite, &bench, terminal);
    if args.stryker.is_some() {
        stryker::check(&bench)?;
    }
    let wish = judging(args.kill, &bench.mutation);
    let score: Score = score_of(&bench.tester, &bench.candidates, &suite.tests, &wish, &bench.timer)?;
    if let Some(path) = &args.stryker {
        write_whole(path, &stryker::report(&bench, &args.suite, &suite.tests, &score)?)?;
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
