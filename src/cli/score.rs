//! `tamper score`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use num_rational::BigRational;

use super::args::{Format, GlobalArgs};
use super::exit::ExitCode;
use super::parse::parse_percent;
use super::stryker;
use super::suites::JudgedArgs;
use super::terminal::Terminal;
use tamper::experiment::killing::{Score, ScoreManifest, Wanted, judge, write_share};
use tamper::experiment::{OutputDir, Shard, write_file};
use tamper::report::{score_json, score_text};

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
  tamper score suite.json model.xml --fail-under 80               fails in a pipeline where less than 80 % are killed

Exit codes:
  0  every killable mutant is killed; with --fail-under, so many of them are
  1  some survive; with --fail-under, too many
  2  wrong usage, or a file that is refused
  3  a limit was hit, so that it is not known of some mutants whether they can be killed")]
pub struct ScoreArgs {
    #[command(flatten)]
    pub judged: JudgedArgs,
    #[command(flatten)]
    pub timed: ScoreTimedArgs,
    /// The least score, in percent of the killable mutants, that is good enough: 80 or 99.5. Mutants of which it is not known
    /// whether they can be killed count against the suite
    #[arg(long, value_name = "SCORE", value_parser = parse_percent)]
    pub fail_under: Option<BigRational>,
}

/// Options of `tamper score` for timed games.
#[derive(Args, Debug)]
pub struct ScoreTimedArgs {
    /// Also write a mutation testing report for Stryker's viewers (mutation-testing-report-schema): every mutant of order 1 at its
    /// place in the model's XML
    #[arg(long, value_name = "FILE")]
    pub stryker: Option<PathBuf>,
    /// Score only share K of N of the mutants, each with an --out of its own; `tamper merge` prints the score of all
    #[arg(long, value_name = "K/N", requires = "out", conflicts_with_all = ["stryker", "fail_under"])]
    pub shard: Option<Shard>,
    /// The folder for what `tamper merge` reads; a previous one is kept as DIR.old
    #[arg(long, value_name = "DIR", requires = "shard")]
    pub out: Option<PathBuf>,
}

/// Whether the score is good enough, whatever becomes of the `unknown` mutants.
pub fn good_enough(killed: u64, killable: u64, unknown: u64, least: &BigRational) -> ExitCode {
    let reaches = |killable: u64| reaches(killed, killable, least);
    match (reaches(killable + unknown), reaches(killable)) {
        (true, _) => ExitCode::Yes,
        (false, true) => ExitCode::Unknown,
        (false, false) => ExitCode::No,
    }
}

/// Whether `killed` of `all` are at least that many percent.
pub(super) fn reaches(killed: u64, all: u64, least: &BigRational) -> bool {
    BigRational::from_integer((killed * 100).into()) >= least * BigRational::from_integer(all.into())
}

/// Scores a suite, or a share of it.
pub fn score(args: &ScoreArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let (suite, bench, wish) = args
        .judged
        .read_share(Wanted::Potential, args.timed.shard, global, terminal)?;
    if args.timed.stryker.is_some() {
        stryker::check(&bench)?;
    }
    let ids: Vec<String> = suite.tests.iter().map(|test| test.id.clone()).collect();
    let share = args.timed.shard.zip(args.timed.out.as_deref());
    let output = share.map(|(shard, out)| -> Result<OutputDir> {
        let manifest = ScoreManifest::new(shard, &bench.scored(&suite, wish.wanted, &args.judged.suite)?);
        Ok(OutputDir::create(out, &manifest)?)
    });
    let output = output.transpose()?;
    let judged = judge(&bench.tester, &bench.candidates, &suite.tests, &wish, &bench.timer)?;
    if let Some(output) = &output {
        write_share(output, &judged)?;
    }
    let score = Score::of(ids.len(), judged);
    if let Some(path) = &args.timed.stryker {
        let report = stryker::report(&bench, &args.judged.suite, &suite.tests, &score)?;
        write_file(path, report)?;
    }
    conclude(&score, &ids, bench.undecided, args.fail_under.as_ref(), terminal)
}

/// Shows a score of tests with those ids, beside so many mutants without a verdict; whether it is good enough.
pub(super) fn conclude(
    score: &Score,
    ids: &[String],
    undecided: u64,
    fail_under: Option<&BigRational>,
    terminal: &Terminal,
) -> Result<ExitCode> {
    terminal.result(&match terminal.format {
        Format::Json => serde_json::to_string_pretty(&score_json(score, ids))?,
        Format::Text => score_text(score),
    })?;
    let unknown = score.unknown.len() as u64 + undecided;
    if let Some(least) = fail_under {
        let (killed, killable) = (score.total.killed as u64, score.total.killable as u64);
        return Ok(good_enough(killed, killable, unknown, least));
    }
    Ok(match (score.survivors.len(), unknown) {
        (0, 0) => ExitCode::Yes,
        (0, _) => ExitCode::Unknown,
        _ => ExitCode::No,
    })
}
