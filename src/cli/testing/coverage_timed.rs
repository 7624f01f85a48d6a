//! `tamper coverage` for timed games.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::Serialize;

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::coverage_args::{CoverageArgs, ShowArg, SuiteArg};
use crate::cli::arguments::parse::name_of;
use crate::cli::door::{open_features, open_timed};
use crate::cli::exit::ExitCode;
use crate::cli::models::families::{diagram_budget, family, read_hashed_model};
use crate::cli::models::load::Loaded;
use crate::cli::terminal::Terminal;
use crate::cli::testing::suites::{KillArg, stale_suite};
use tamper::experiment::killing::stale;
use tamper::experiment::{
    JournalKey, ProductPlan, ProductProgress, ProductRun, ProductSteps, Timer, cover_products, write_file,
};
use tamper::featured::FeaturedAutomaton;
use tamper::formats::suite_json::{Pruning, Suite, SuiteSpecification, read_suite, write_suite};
use tamper::formats::{ReadOptions, read_text};
use tamper::model::Automaton;
use tamper::mutation::{FeaturedMutants, ProductBound};
use tamper::report::{DomainReport, ProductNames, domain_json, domain_text};
use tamper::suite::{DomainAnswer, Kill, Refusals, SuiteFailure, TestCase, Tester};

/// Decides whether a suite kills all products of a family, and completes it on request.
pub fn coverage_timed(args: &CoverageArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    args.check()?;
    check_completion(args)?;
    let options = global.read_options();
    let asked = match (&args.timed.features, &args.timed.against) {
        (Some(features), Some(against)) => CoverageRequest::family(args, features, against, &options, terminal)?,
        _ => CoverageRequest::mutants(args, &options, terminal)?,
    };
    let timer = args.timer();
    let ExistingTests {
        tests: given,
        refusals,
        hash: suite_hash,
    } = suite(args, &asked.specification, terminal)?;
    let asked = asked.meeting(refusals);
    let status = terminal.status();
    let plan = planned(args, &timer, status.is_some())?;
    let key = JournalKey::new(
        asked.hash.clone(),
        suite_hash,
        &TimedIdentity::of(args, global, &asked, plan.kill),
    )?;
    let tester = Tester::new(&asked.game, &plan.budget);
    let tester = tester.and_then(|tester| Ok((stale(&given, &tester, &timer)?, tester)));
    if let (Ok((Some(found), _)), Some(path)) = (&tester, &args.suite) {
        let SuiteSpecification { file, template, .. } = &asked.specification;
        return Err(stale_suite(path, &format!("`{template}` of {file}"), found));
    }
    let mut steps = steps(args, &key, &asked)?;
    let run = match tester {
        Err(SuiteFailure::Stopped(reason)) => ProductRun::stopped(&given, &plan, reason),
        tester => cover_products(&asked.family, &tester?.1, &given, &plan, &mut steps, &mut |progress| {
            if let Some(status) = &status {
                status.set_message(progress_text(progress));
            }
        })?,
    };
    if let Some(status) = status {
        status.finish_and_clear();
    }
    show(args, &asked, plan.kill, run, terminal)
}

fn planned(args: &CoverageArgs, timer: &Timer, watch: bool) -> Result<ProductPlan> {
    Ok(ProductPlan {
        complete: args.completes().is_some(),
        kill: match args.timed.kill {
            None | Some(KillArg::Potential) => Kill::Potential,
            Some(KillArg::Definite) => Kill::Definite,
            Some(KillArg::Blind) => {
                bail!(
                    "--kill blind is not computed for all products at once: of these only definite and potential kills are known"
                )
            }
        },
        count: args.shown.contains(&ShowArg::Count),
        watch,
        budget: timer.budget(),
        diagrams: diagram_budget(timer.budget()),
    })
}

/// The steps that an interrupted run left, and the journal for the next ones.
fn steps(args: &CoverageArgs, key: &JournalKey, asked: &CoverageRequest) -> Result<ProductSteps> {
    Ok(match &args.journal {
        None => ProductSteps::default(),
        Some(path) if args.resume => ProductSteps::resume(path, key, &asked.specification, asked.family.model())?,
        Some(path) => ProductSteps::create(path, key, &asked.specification)?,
    })
}

/// The options that the steps of a journal depend on, besides its files.
#[derive(Serialize)]
struct TimedIdentity<'a> {
    kill: &'a str,
    order: Option<u32>,
    operators: Vec<String>,
    step: i64,
    tad_guard: &'a str,
    cxs_to_zero: bool,
    conjuncts: bool,
    game: &'a str,
    family: &'a str,
    io: Option<String>,
    input_enabling: Option<String>,
}

impl<'a> TimedIdentity<'a> {
    fn of(args: &CoverageArgs, global: &GlobalArgs, asked: &'a CoverageRequest, kill: Kill) -> Self {
        let mutation = args.mutation.resolve();
        Self {
            kill: kill.name(),
            order: args.timed.order.0,
            operators: mutation.operators.iter().map(ToString::to_string).collect(),
            step: mutation.step,
            tad_guard: mutation.tad_guard.name(),
            cxs_to_zero: mutation.cxs_to_zero,
            conjuncts: mutation.conjuncts,
            game: asked.game.name(),
            family: asked.family.automaton().name(),
            io: name_of(global.reading.io),
            input_enabling: name_of(global.reading.input_enabling),
        }
    }
}

/// The products that a suite should kill, and the specification of the suite.
struct CoverageRequest {
    game: Automaton,
    specification: SuiteSpecification,
    family: FeaturedAutomaton,
    names: ProductNames,
    /// The meaning of a refused input.
    refusals: Refusals,
    /// The hash of all files that were read.
    hash: String,
}

impl CoverageRequest {
    /// All combinations of mutations of a game.
    fn mutants(args: &CoverageArgs, options: &ReadOptions, terminal: &Terminal) -> Result<Self> {
        let loaded = Loaded::read_composed(&args.machine, options, terminal)?;
        let game = loaded.game(args.games.product().as_deref())?;
        let mutants = FeaturedMutants::of(game, &args.mutation.resolve(), ProductBound::Sets(args.timed.order.0))?;
        Ok(Self {
            game: game.clone(),
            specification: loaded.specification(game),
            names: ProductNames::of_mutants(&mutants),
            family: mutants.automaton().clone(),
            refusals: Refusals::Error,
            hash: loaded.hash,
        })
    }

    /// All products of a written family.
    fn family(
        args: &CoverageArgs,
        features: &Path,
        against: &Path,
        options: &ReadOptions,
        terminal: &Terminal,
    ) -> Result<Self> {
        if args.timed.order.0.is_some() || !args.mutation.is_default() {
            bail!(
                "--order and the options of the mutation operators are for a game that is mutated: {} has its products already",
                args.machine.display()
            );
        }
        let loaded = Loaded::read_family(&args.machine, options, terminal)?;
        let (model, model_hash) = read_hashed_model(&open_features(features)?, terminal)?;
        let (_, family) = family(&loaded, args.games.product().as_deref(), &model)?;
        let right = Loaded::read(&open_timed(against)?, options, terminal)?;
        let game = right.game(args.games.specification().as_deref())?;
        Ok(Self {
            game: game.clone(),
            specification: right.specification(game),
            names: ProductNames::of_family(&family)?,
            family,
            refusals: Refusals::Error,
            hash: [loaded.hash, right.hash, model_hash].join(" "),
        })
    }
}

impl CoverageRequest {
    /// The same products, with refused inputs treated as `refusals` says.
    fn meeting(self, refusals: Refusals) -> Self {
        let family = match refusals {
            Refusals::Error => self.family,
            Refusals::Never => self.family.with_input_enabling(true),
        };
        Self {
            family,
            refusals,
            ..self
        }
    }
}

fn show(
    args: &CoverageArgs,
    asked: &CoverageRequest,
    kill: Kill,
    run: ProductRun,
    terminal: &Terminal,
) -> Result<ExitCode> {
    let whole = |tests: Vec<TestCase>| Suite {
        specification: asked.specification.clone(),
        refusals: asked.refusals,
        pruning: Pruning::default(),
        tests,
        mutants: Vec::new(),
    };
    let mut report = DomainReport::new(kill, &run, &asked.names);
    if let DomainAnswer::Escape(_, test) = &run.answer {
        let test = TestCase {
            id: "c1".to_owned(),
            ..test.clone()
        };
        let written: serde_json::Value = serde_json::from_str(&write_suite(&whole(vec![test])))?;
        report.killed_by = Some(written["tests"][0].clone());
    }
    if let Some(path) = &args.out {
        write_file(path, write_suite(&whole(run.tests)))?;
    }
    terminal.answer(|| domain_json(&report), || domain_text(&report))?;
    Ok(match run.answer {
        DomainAnswer::Unknown(_) | DomainAnswer::Undecided(_) => ExitCode::Unknown,
        _ if matches!(run.counts, Some(Err(_))) => ExitCode::Unknown,
        DomainAnswer::Complete => ExitCode::Yes,
        DomainAnswer::Escape(..) => ExitCode::No,
    })
}

/// Refuses options that only suites of state machines have.
fn check_completion(args: &CoverageArgs) -> Result<()> {
    if let Some(other) = args.suites.iter().find(|suite| **suite != SuiteArg::Complete) {
        bail!(
            "--suite {} has no meaning for timed games",
            name_of(*other).unwrap_or_default()
        );
    }
    if args.shown.iter().any(|shown| *shown != ShowArg::Count) {
        bail!("--show of a timed game takes `count` only");
    }
    if args.completes().is_some() && args.out.is_none() {
        bail!("--suite complete of a timed game needs --out FILE for the suite");
    }
    Ok(())
}

/// The given tests.
#[derive(Default)]
struct ExistingTests {
    tests: Vec<TestCase>,
    refusals: Refusals,
    /// The hash of their file, if there is one.
    hash: Option<String>,
}

/// Reads the given suite; without `--suite` there are no tests.
fn suite(args: &CoverageArgs, specification: &SuiteSpecification, terminal: &Terminal) -> Result<ExistingTests> {
    let Some(path) = &args.suite else {
        return Ok(ExistingTests::default());
    };
    let text = read_text(
        path,
        "name a suite of timed tests (JSON), such as `tamper testgen` writes",
    )?;
    let suite = read_suite(&text).with_context(|| path.display().to_string())?;
    if suite.specification.hash != specification.hash {
        terminal.note(&format!(
            "note: {} was made for another version of {}",
            path.display(),
            suite.specification.file
        ));
    }
    let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
    Ok(ExistingTests {
        tests: suite.tests,
        refusals: suite.refusals,
        hash: Some(hash),
    })
}

fn progress_text(progress: &ProductProgress) -> String {
    let excluded = match &progress.excluded {
        Some((excluded, all)) => format!(", at least {excluded} of {all} products done with"),
        None => String::new(),
    };
    format!(
        "{} tests executed, {} classes of products that none kills{excluded}",
        progress.n_tests, progress.n_classes
    )
}
