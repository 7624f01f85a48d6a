//! `tamper score`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use num_rational::BigRational;

use crate::cli::accepting::args::{AcceptedArgs, ChangedArgs, FailOnArgs};
use crate::cli::arguments::args::{Format, GlobalArgs};
use crate::cli::arguments::parse::parse_percent;
use crate::cli::exit::ExitCode;
use crate::cli::terminal::Terminal;
use crate::cli::testing::scored_report::{PlacedMutants, ScoredSuite, report};
use crate::cli::testing::suites::JudgedArgs;
use crate::cli::workflow::add_to_summary;
use tamper::experiment::killing::{Judged, KillGoal, Score, ScoreManifest, judge, write_share};
use tamper::experiment::{OutputDir, Shard, write_file};
use tamper::formats::{ScoredReport, write_annotations, write_code_quality, write_sarif, write_stryker};
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
  tamper score suite.json model.xml --as github                   survivors as warnings in a workflow of GitHub
  tamper score suite.json model.xml --as sarif > survivors.sarif  for code scanning, and the warnings of Jenkins
  tamper score suite.json model.xml --as gitlab > quality.json    a code quality report of GitLab
  tamper score suite.json model.xml --fail-under 80               fails in a pipeline where less than 80 % are killed
  tamper score suite.json model.xml --changed-since main          only mutants at places that differ from the branch `main`

Exit codes:
  0  every killable mutant is killed, or accepted (`tamper accept`); with --fail-under, that share of those not accepted is killed
  1  some survive that are not accepted; with --fail-under, too many
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
    #[command(flatten)]
    pub accepted: AcceptedArgs,
    #[command(flatten)]
    pub fail_on: FailOnArgs,
    #[command(flatten)]
    pub changed: ChangedArgs,
}

/// Options of `tamper score` for timed games.
#[derive(Args, Debug)]
pub struct ScoreTimedArgs {
    /// Also write a mutation testing report for Stryker's viewers (mutation-testing-report-schema): every mutant of order 1 at its
    /// place in the model's file
    #[arg(long, value_name = "FILE")]
    pub stryker: Option<PathBuf>,
    /// Also mark the mutants that survive in the model's file: for a workflow of GitHub (the table goes to its summary, too); or
    /// print nothing but SARIF 2.1.0, for code scanning, or a code quality report of GitLab
    #[arg(long = "as", value_enum, value_name = "FORM")]
    pub form: Option<Form>,
    /// Score only share K of N of the mutants, each with an --out of its own; `tamper merge` prints the score of all
    #[arg(long, value_name = "K/N", requires = "out", conflicts_with_all = ["stryker", "form", "fail_under", "changed_since"])]
    pub shard: Option<Shard>,
    /// The folder for what `tamper merge` reads; a previous one is kept as DIR.old
    #[arg(long, value_name = "DIR", requires = "shard")]
    pub out: Option<PathBuf>,
}

/// How survivors are marked in the model's file.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Form {
    /// Annotations of GitHub's workflows, a line each, before the table
    Github,
    /// SARIF 2.1.0, in the place of the table
    Sarif,
    /// A code quality report of GitLab, in the place of the table
    Gitlab,
}

impl Form {
    const fn option(self) -> &'static str {
        match self {
            Self::Github => "--as github",
            Self::Sarif => "--as sarif",
            Self::Gitlab => "--as gitlab",
        }
    }

    fn writer(self) -> fn(&ScoredReport<'_>) -> String {
        match self {
            Self::Github => write_annotations,
            Self::Sarif => write_sarif,
            Self::Gitlab => write_code_quality,
        }
    }
}

/// Whether the score is good enough; unknown if that depends on the `unknown` mutants.
pub fn good_enough(killed: u64, killable: u64, unknown: u64, least: &BigRational) -> ExitCode {
    let reaches = |killable: u64| reaches(killed, killable, least);
    match (reaches(killable + unknown), reaches(killable)) {
        (true, _) => ExitCode::Yes,
        (false, true) => ExitCode::Unknown,
        (false, false) => ExitCode::No,
    }
}

/// Whether `killed` of `all` are at least `least` per cent.
pub fn reaches(killed: u64, all: u64, least: &BigRational) -> bool {
    BigRational::from_integer((killed * 100).into()) >= least * BigRational::from_integer(all.into())
}

/// Scores a suite, or a share of it.
pub fn score(args: &ScoreArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let looks_at_accepted = args.fail_on.looks_at(&args.accepted)?;
    let (suite, bench, options) = args.judged.read_share(
        KillGoal::Potential,
        args.timed.shard,
        Some(&args.changed),
        global,
        terminal,
    )?;
    if let (Some(form), Format::Json) = (args.timed.form, terminal.format) {
        bail!("{} is a form of its own: leave out `--format json`", form.option());
    }
    let stryker = args.timed.stryker.as_ref().map(|_| "--stryker");
    let asked = stryker.or(args.timed.form.map(Form::option));
    let placed = asked.map(|option| PlacedMutants::of(&bench, option)).transpose()?;
    let ids: Vec<String> = suite.tests.iter().map(|test| test.id.clone()).collect();
    let share = args.timed.shard.zip(args.timed.out.as_deref());
    let output = share.map(|(shard, out)| -> Result<OutputDir> {
        let manifest = ScoreManifest::new(shard, &bench.scored(&suite, options.wanted, &args.judged.suite)?);
        Ok(OutputDir::create(out, &manifest)?)
    });
    let output = output.transpose()?;
    let mut judged = judge(&bench.tester, &bench.candidates, &suite.tests, &options, &bench.timer)?;
    if looks_at_accepted {
        let found = bench
            .by_content()
            .accepted(&args.accepted, &args.judged.file, terminal)?;
        found.accept(&mut judged, |judged| &judged.id, Judged::accept);
    }
    let killabilities = judged.iter().map(|judged| (judged.id.clone(), judged.killability()));
    let account = bench.account(killabilities, (suite.refusals, options.wanted), terminal);
    if let Some(output) = &output {
        write_share(output, &judged, account.as_ref())?;
    }
    let reasons = judged.iter().map(|judged| judged.accepted.clone()).collect::<Vec<_>>();
    let mut score = Score::of(ids.len(), judged);
    score.not_asked = bench.not_asked;
    score.account = account;
    let scored = ScoredSuite {
        path: &args.judged.suite,
        tests: &suite.tests,
        score: &score,
        accepted: &reasons,
    };
    if let Some(placed) = &placed {
        let written = |write| report(&bench, placed, scored, write);
        if let Some(path) = &args.timed.stryker {
            write_file(path, written(write_stryker)?)?;
        }
        if let Some(form) = args.timed.form {
            terminal.part(&written(form.writer())?)?;
            if form != Form::Github {
                return Ok(outcome(&score, bench.undecided, args.fail_under.as_ref()));
            }
            add_to_summary("tamper score", &score_text(&score))?;
        }
    }
    conclude(&score, &ids, bench.undecided, args.fail_under.as_ref(), terminal)
}

/// Shows a score of the tests with these ids, and the number of mutants without a verdict. Returns whether the score is good enough.
pub fn conclude(
    score: &Score,
    ids: &[String],
    undecided: u64,
    fail_under: Option<&BigRational>,
    terminal: &Terminal,
) -> Result<ExitCode> {
    terminal.answer(|| score_json(score, ids), || score_text(score))?;
    Ok(outcome(score, undecided, fail_under))
}

/// Whether a score is good enough, with `undecided` mutants that have no verdict.
fn outcome(score: &Score, undecided: u64, fail_under: Option<&BigRational>) -> ExitCode {
    let unknown = score.unknown.len() as u64 + undecided;
    if let Some(least) = fail_under {
        let (killed, killable) = (score.total.killed as u64, score.total.killable as u64);
        return good_enough(killed, killable, unknown, least);
    }
    match (score.survivors.len(), unknown) {
        (0, 0) => ExitCode::Yes,
        (0, _) => ExitCode::Unknown,
        _ => ExitCode::No,
    }
}
