//! `tamper score` and `tamper minimise`.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::args::{Format, GlobalArgs};
use super::exit::ExitCode;
use super::stryker;
use super::suites::{Bench, KillArg, MutantsArgs, judging, load_suite, note_other_model, write_whole};
use super::terminal::Terminal;
use crate::experiment::killing::{Score, Target, score as score_of};
use crate::formats::suite_json::{Suite, write_suite};
use crate::report::{score_json, score_text};
use crate::suite::{TestCase, minimum_cover};

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

/// What a suite is to be small in.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum CriterionArg {
    /// The number of tests
    #[default]
    Tests,
    /// The number of their steps in all
    Steps,
}

/// `tamper minimise`.
///
/// Chooses tests of a suite that kill the same mutants as all of them: the fewest, or those of the fewest steps. Essential
/// and dominated tests are found first; then an exact search, whose bound is told when it is not finished.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper minimise suite.json model.xml --out small.json
  tamper minimise suite.json model.xml --criterion steps --out small.json

Exit codes:
  0  the suite is as small as can be
  2  wrong usage, or a file that is refused
  3  the search was not finished: the suite may not be as small as can be")]
pub struct MinimiseArgs {
    /// A suite of timed tests (JSON)
    pub suite: PathBuf,
    /// The model whose mutants are to be killed
    pub file: PathBuf,
    #[command(flatten)]
    pub mutants: MutantsArgs,
    /// When a test kills a mutant
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub kill: KillArg,
    /// What is to be small
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub criterion: CriterionArg,
    /// Most steps of the search
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub max_nodes: u64,
    /// The file for the smaller suite
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Makes a suite smaller.
pub fn minimise(args: &MinimiseArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let suite = load_suite(&args.suite)?;
    let bench = Bench::new(&args.file, &args.mutants, global, terminal)?;
    note_other_model(&suite, &bench, terminal);
    let wish = judging(args.kill, &bench.mutation);
    let matrix = Target::new(&bench.tester, &bench.candidates, &wish).kills(&suite.tests, &bench.timer)?;
    let cost = |test: &TestCase| match args.criterion {
        CriterionArg::Tests => 1,
        CriterionArg::Steps => test.n_steps() as u64,
    };
    let costs: Vec<u64> = suite.tests.iter().map(cost).collect();
    let cover = minimum_cover(&matrix, &costs, args.max_nodes);
    let tests: Vec<TestCase> = cover.tests.iter().map(|at| suite.tests[*at].clone()).collect();
    let unit = match args.criterion {
        CriterionArg::Tests => "tests",
        CriterionArg::Steps => "steps",
    };
    let answer: Value = json!({
        "tests": tests.len(), "before": suite.tests.len(), "criterion": unit, "cost": cover.cost,
        "lower_bound": cover.lower_bound, "proved": cover.proved, "out": args.out.display().to_string(),
    });
    let kept: Vec<String> = tests.iter().map(|test| test.id.clone()).collect();
    let mut smaller = Suite { tests, ..suite };
    for (at, candidate) in bench.candidates.iter().enumerate() {
        let first = cover.tests.iter().position(|test| matrix[*test].contains(at));
        for mutant in smaller.mutants.iter_mut().filter(|mutant| mutant.id == candidate.id) {
            mutant.test = first.map(|first| kept[first].clone());
        }
    }
    // A mutant outside this run may have lost its test.
    for mutant in &mut smaller.mutants {
        mutant.test = mutant.test.take().filter(|test| kept.contains(test));
    }
    write_whole(&args.out, &write_suite(&smaller))?;
    terminal.result(&match terminal.format {
        Format::Json => serde_json::to_string_pretty(&answer)?,
        Format::Text => {
            let bound = match cover.proved {
                true => "the fewest that kill as many mutants".to_owned(),
                false => format!("not proved to be the fewest: at least {} are needed", cover.lower_bound),
            };
            format!(
                "{} of {} tests ({} {unit}), {bound}, in {}",
                smaller.tests.len(),
                answer["before"],
                cover.cost,
                args.out.display()
            )
        }
    })?;
    Ok(if cover.proved { ExitCode::Yes } else { ExitCode::Unknown })
}
