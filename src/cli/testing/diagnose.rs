//! `tamper diagnose`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use num_traits::ToPrimitive as _;

use crate::cli::arguments::args::{GlobalArgs, LimitArgs, MutationArgs, SpaceGameArgs, TotalArgs, all_by_default};
use crate::cli::arguments::network_args::{MutateArgs, NetworkArgs};
use crate::cli::exit::{ExitCode, LimitHit};
use crate::cli::interrupt;
use crate::cli::models::mutated::{BoxedModel, MutatedModel};
use crate::cli::models::read_mutated::{MutatedRequest, read_mutated};
use crate::cli::terminal::Terminal;
use tamper::experiment::{Evidence, Seen, Suspects, Timer, explanations, largest_reset};
use tamper::formats::suite_json::SuiteSpecification;
use tamper::model::Automaton;
use tamper::mutation::{MutationOptions, Operator, Order};
use tamper::programs::{Outcome, ReadResults, TestRun, parse_time, read_results};
use tamper::report::{Diagnosis, diagnosis_json, diagnosis_text};
use tamper::suite::SuiteFailure;

/// `tamper diagnose`.
///
/// What is wrong with a program, from a run of its tests: the mutants of the model, and the constants, that explain every log of
/// the run, of failed and of passed tests; those that allow least first. Where nothing explains every log, what explains most, and
/// which tests it contradicts. A program may ignore an input that a mutant does not take.
#[derive(Args, Debug)]
#[command(mut_arg("operators", all_by_default))]
#[command(after_help = "\
Examples:
  tamper run suite.json --sut ./controller --unit 10ms --tolerance 1 --results run.jsonl
  tamper diagnose run.jsonl
  tamper diagnose run.jsonl model.xml --operators paper --last 60

Exit codes:
  0  some mutant or constant explains everything, or the model itself does
  1  none does
  2  wrong usage, or a file that is refused
  3  none is known to, but a limit was hit")]
pub struct DiagnoseArgs {
    /// What `tamper run --results` wrote
    #[arg(value_name = "RESULTS")]
    pub seen: PathBuf,
    /// The model [default: the file that the results name]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub of: SpaceGameArgs,
    #[command(flatten)]
    pub mutation: MutationArgs,
    /// The largest constant that is tried in place of each [default: the first that no log tells from larger ones, at most 1000]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(i64).range(1..))]
    pub last: Option<i64>,
    #[command(flatten)]
    pub mutated: MutateArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub total: TotalArgs,
}

/// The largest number of constants that are tried unless the user gives another.
const MOST_CONSTANTS: i64 = 1000;

/// The model file: from the arguments, else from the results. A name in the results is resolved in the current folder, then beside the
/// results.
pub fn model_file(args: &DiagnoseArgs) -> Result<PathBuf> {
    if let Some(file) = &args.file {
        return Ok(file.clone());
    }
    let setting = read_results(&args.seen)?.setting;
    let beside = args.seen.parent().map(|folder| folder.join(&setting.model));
    Ok(match beside {
        Some(beside) if !Path::new(&setting.model).is_file() && beside.is_file() => beside,
        _ => setting.model.into(),
    })
}

/// Prints the mutants and constants that explain a run.
pub fn diagnose(args: &DiagnoseArgs, file: &Path, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let read = read_results(&args.seen)?;
    let evidence = evidence(&read).with_context(|| args.seen.display().to_string())?;
    let mutated = model(args, file, &read, global, terminal)?;
    if evidence.runs.is_empty() {
        let results = args.seen.display();
        bail!("{results}: no test of the run has a verdict: there is nothing to explain");
    }
    interrupt::advise("look at fewer --operators");
    let timer = args.total.timer(args.limits.resolve());
    let game = mutated.automaton(&timer)?;
    let n_runs = evidence.runs.len();
    let contradicting = match evidence.contradicting(&game, n_runs, &timer.budget()) {
        Err(SuiteFailure::Stopped(reason)) => {
            return Err(LimitHit::too_small(format_args!("`{}`", game.name()), reason).into());
        }
        contradicting => contradicting?.map_or(n_runs, |runs| runs.len()),
    };
    let mut diagnosis = Diagnosis {
        runs: evidence.runs.len(),
        fails: read.runs.iter().filter(|run| fails(run)).count(),
        left_out: read.runs.len() - evidence.runs.len(),
        explained: contradicting == 0,
        ..Diagnosis::default()
    };
    if contradicting > 0 {
        let question = DiagnosisRequest {
            args,
            mutated: &*mutated,
            evidence: &evidence,
            timer: &timer,
            terminal,
        };
        question.answer(&game, contradicting - 1, &mut diagnosis)?;
    }
    terminal.answer(|| diagnosis_json(&diagnosis), || diagnosis_text(&diagnosis))?;
    let is_known = diagnosis.explained || diagnosis.full().is_some();
    Ok(match (is_known, diagnosis.n_unknown) {
        (true, _) => ExitCode::Yes,
        (false, 0) => ExitCode::No,
        (false, _) => ExitCode::Unknown,
    })
}

/// Reads the model in `file`; prints a note if it is not the one that the tests were made for.
fn model(
    args: &DiagnoseArgs,
    file: &Path,
    read: &ReadResults,
    global: &GlobalArgs,
    terminal: &Terminal,
) -> Result<BoxedModel> {
    let specification = SuiteSpecification {
        file: read.setting.model.clone(),
        template: read.setting.template.clone(),
        hash: read.model.clone(),
        network: read.setting.network.clone(),
        unit: None,
    };
    let asked = MutatedRequest {
        file,
        template: args.of.template.as_deref(),
        mutate: &args.mutated,
        network: &args.network,
        limits: &args.limits,
    };
    let mutated = read_mutated(asked, Some(&specification), global, terminal)?;
    if mutated.model().hash != read.model {
        let (model, hash, file) = (&read.setting.model, &read.model, file.display());
        terminal.note(&format!(
            "note: the tests were made for {model} as it was then (hash {hash:.12}); {file} is not that file"
        ));
    }
    Ok(mutated)
}

fn fails(run: &TestRun) -> bool {
    matches!(run.outcome, Outcome::Fail(_) | Outcome::Unsteady(_))
}

/// The logs of the tests with a verdict, failed tests first: most mutants fail to explain a failure.
fn evidence(read: &ReadResults) -> Result<Evidence> {
    let has_verdict = |run: &&TestRun| !matches!(run.outcome, Outcome::Late(_) | Outcome::Broken(_));
    let mut runs: Vec<&TestRun> = read.runs.iter().filter(has_verdict).collect();
    runs.sort_by_key(|run| !fails(run));
    let seen = |run: &TestRun| Seen {
        test: run.test.clone(),
        events: run.log.clone(),
        until: run.until.clone(),
    };
    let tolerance = parse_time(&read.setting.tolerance);
    Ok(Evidence {
        runs: runs.into_iter().map(seen).collect(),
        tolerance: tolerance.with_context(|| format!("`{}` is no tolerance", read.setting.tolerance))?,
    })
}

struct DiagnosisRequest<'a> {
    args: &'a DiagnoseArgs,
    mutated: &'a dyn MutatedModel,
    evidence: &'a Evidence,
    timer: &'a Timer,
    terminal: &'a Terminal,
}

impl DiagnosisRequest<'_> {
    /// What explains all logs, or, if nothing does, all but at most `most` of them.
    fn answer(&self, game: &Automaton, most: usize, diagnosis: &mut Diagnosis) -> Result<()> {
        let (last, is_open) = self.last(game);
        let mut all = self.suspects(last, 0)?;
        if all.found.is_empty() && most > 0 {
            all = self.suspects(last, most)?;
        }
        diagnosis.n_tried = all.n_tried;
        diagnosis.n_unknown = all.n_unknown;
        diagnosis.last = last;
        diagnosis.is_open = is_open;
        diagnosis.explanations = explanations(all.found, self.evidence, last, self.timer);
        Ok(())
    }

    /// The mutants that explain most logs, all but at most `most`, with constants up to `last`.
    fn suspects(&self, last: i64, most: usize) -> Result<Suspects> {
        let mut options = self.mutated.options_or_all(&self.args.mutation);
        let bar = self.terminal.progress(0);
        let done = AtomicU64::new(0);
        let progress = || bar.set_position(done.fetch_add(1, Ordering::Relaxed) + 1);
        let mut all = Suspects::within(most);
        let mut look = |options: &MutationOptions| -> Result<()> {
            let set = self.mutated.set(options, self.args.of.order)?;
            Ok(all.look(&*set, self.evidence, self.timer, &progress)?)
        };
        let exchanges = [Operator::Cxl, Operator::Cxs];
        // With several mutations, constants change by the typed step.
        let is_first = self.args.of.order == Order::FIRST;
        let others = |operator: &Operator| !(is_first && exchanges.contains(operator));
        if options.operators.iter().any(|operator| !others(operator)) {
            for step in 1..=last {
                look(&MutationOptions {
                    operators: exchanges.to_vec(),
                    again: Vec::new(),
                    step,
                    cxs_to_zero: true,
                    conjuncts: true,
                    ..options.clone()
                })?;
            }
        }
        options.operators.retain(others);
        if !options.applied().is_empty() {
            look(&options)?;
        }
        bar.finish_and_clear();
        Ok(all)
    }

    /// The largest constant to try, and whether larger ones would explain the same: no clock ever exceeds the end of a log, unless it was
    /// set to a larger value.
    fn last(&self, game: &Automaton) -> (i64, bool) {
        let end = self.evidence.end().map(|end| end + &self.evidence.tolerance);
        let end = end.and_then(|end| end.ceil().to_integer().to_i64());
        let settles = end
            .zip(largest_reset(game))
            .map(|(end, reset)| end.saturating_add(reset).saturating_add(1));
        let last = self.args.last.or(settles.map(|settles| settles.min(MOST_CONSTANTS)));
        let last = last.unwrap_or(MOST_CONSTANTS);
        (last, settles.is_some_and(|settles| last >= settles))
    }
}
