//! `tamper testgen`, `score` and `run` for untimed systems.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use fixedbitset::FixedBitSet;
use rayon::prelude::*;
use serde_json::json;

use super::bench::{BenchOptions, SystemBench, covers, play, subject};
use super::load::MutatedFile;
use crate::cli::accepting::not_targets::NotTargets;
use crate::cli::accepting::system_mutants::SystemMutants;
use crate::cli::arguments::args::Format;
use crate::cli::arguments::strategy::StrategyArg;
use crate::cli::arguments::suite_args::WantedArg;
use crate::cli::arguments::suite_run_args::{RunArgs, tamper};
use crate::cli::door::{UntimedFile, open, open_as};
use crate::cli::exit::ExitCode;
use crate::cli::terminal::{Terminal, counted};
use crate::cli::testing::minimise::MOST_NODES;
use crate::cli::testing::score::{ScoreArgs, good_enough};
use crate::cli::testing::suites::{JudgedArgs, KillArg};
use crate::cli::testing::testgen::TestgenArgs;
use tamper::experiment::write_file;
use tamper::formats::smv::SmvNames;
use tamper::formats::suite_json::SuiteMutant;
use tamper::formats::system_suite::{SystemSuite, read_system_suite, write_system_suite};
use tamper::formats::{FileKind, SystemFormat, read_text};
use tamper::programs::{StepSut, Target};
use tamper::report::systems::{
    ScoredMutant, SystemRun, SystemScore, system_runs_json, system_runs_text, system_score_json, system_score_text,
};
use tamper::suite::minimum_cover;
use tamper::systems::KillStrength;
use tamper::systems::testing::{Candidate, SystemFate, SystemTest, WantedKill, collect, is_enough, is_killed};

fn load(path: &Path) -> Result<SystemSuite> {
    open_as(
        path,
        |kind| kind == FileKind::SystemSuite,
        "a suite for untimed systems",
    )?;
    let text = read_text(path, "name a suite (JSON), such as `tamper testgen` writes")?;
    read_system_suite(&text).with_context(|| path.display().to_string())
}

fn wanted(kill: WantedArg) -> WantedKill {
    match kill {
        WantedArg::Potential => WantedKill::Potential,
        WantedArg::Definite => WantedKill::Definite,
        WantedArg::Both => WantedKill::Both,
        WantedArg::Blind => WantedKill::Blind,
    }
}

/// Makes a suite.
pub fn testgen(file: &UntimedFile, args: &TestgenArgs, terminal: &Terminal) -> Result<ExitCode> {
    let wanted = wanted(args.kill);
    let asked = BenchOptions {
        complete: args.mutants.read.fills(),
        limits: &args.mutants.limits,
        wanted: Some(wanted),
        tests: &[],
    };
    let (StrategyArg::PerMutant | StrategyArg::OnTheFly | StrategyArg::Minimal) = args.strategy else {
        bail!("for untimed systems a --strategy is per-mutant, on-the-fly or minimal");
    };
    let mut bench = SystemBench::new(file, &asked, terminal)?;
    let by_content = SystemMutants::of(MutatedFile::Untimed(file.clone()), false, &terminal.quietly())?;
    let changed = by_content.changed(&args.changed, terminal)?;
    let n_all = bench.candidates.len();
    bench.candidates = bench.asked(changed.as_deref()).into_iter().cloned().collect();
    let not_asked = changed.map(|changed| (n_all - changed.len()) as u64);
    let accepted = by_content.accepted(&args.accepted, terminal)?;
    let n_asked = bench.candidates.len();
    bench
        .candidates
        .retain(|candidate| !accepted.reasons.contains_key(&candidate.id));
    let not_targets = NotTargets {
        accepted: n_asked - bench.candidates.len(),
        not_asked,
    };
    let pruned = args.strategy == StrategyArg::OnTheFly;
    let (tests, places) = collect(&bench.candidates, wanted, pruned);
    let (tests, places) = match args.strategy {
        StrategyArg::Minimal => fewest(tests, &bench.candidates, wanted),
        _ => (tests, places),
    };
    let killed = places.iter().flatten().count();
    let made = MadeSuite {
        tests: &tests,
        candidates: &bench.candidates,
        killed,
        not_targets,
    };
    let text = told(args, &made, terminal)?;
    let open = bench.candidates.iter().filter(|candidate| is_open(candidate)).count();
    let mutants = bench.candidates.iter().zip(&places);
    let mutants = mutants.map(|(candidate, place)| SuiteMutant {
        id: candidate.id.clone(),
        killable: candidate.fate.name().to_owned(),
        test: place.map(|place| tests[place].id.clone()),
        reason: candidate.fate.reason().map(str::to_owned),
    });
    let mutants = mutants.collect();
    let suite = SystemSuite {
        specification: bench.specification,
        tests,
        mutants,
    };
    write_file(&args.out, write_system_suite(&suite))?;
    terminal.result(&text)?;
    Ok(ExitCode::known_if(open == 0))
}

/// The fates of mutants, in the order in which they are counted.
const FATES: [&str; 7] = [
    "blind",
    "definite",
    "potential",
    "none",
    "untestable",
    "refused",
    "unknown",
];

/// A suite that was made for mutants.
struct MadeSuite<'s> {
    tests: &'s [SystemTest],
    candidates: &'s [Candidate],
    /// How many mutants it kills.
    killed: usize,
    not_targets: NotTargets,
}

/// The answer about a suite that was made.
fn told(args: &TestgenArgs, made: &MadeSuite<'_>, terminal: &Terminal) -> Result<String> {
    let MadeSuite {
        tests,
        candidates,
        killed,
        not_targets,
    } = *made;
    let count = |name: &str| {
        candidates
            .iter()
            .filter(|candidate| candidate.fate.name() == name)
            .count()
    };
    let n_steps: usize = tests.iter().map(SystemTest::depth).sum();
    Ok(match terminal.format {
        Format::Json => {
            let mut value = json!({
                "tests": tests.len(), "steps": n_steps, "mutants": candidates.len(), "killed": killed,
                "out": args.out.display().to_string(),
            });
            FATES.iter().for_each(|name| value[*name] = json!(count(name)));
            not_targets.add_to(&mut value);
            serde_json::to_string_pretty(&value)?
        }
        Format::Text => {
            let counts = FATES.iter().filter(|name| count(name) > 0);
            let mut counts: Vec<String> = counts.map(|name| format!("{} {name}", count(name))).collect();
            if counts.is_empty() {
                counts.push("none".to_owned());
            }
            format!(
                "{} of {} in all (each at the longest), in {}\n{}: {}; {killed} are killed{}",
                counted(tests.len(), "test"),
                counted(n_steps, "step"),
                args.out.display(),
                counted(candidates.len(), "mutant"),
                counts.join(", "),
                not_targets.text()
            )
        }
    })
}

/// Whether a limit hides something about a mutant.
fn is_open(candidate: &Candidate) -> bool {
    match &candidate.fate {
        SystemFate::Unknown(_) => true,
        SystemFate::Killable { open, .. } => open.is_some(),
        _ => false,
    }
}

/// A subset of the tests that kills the same mutants, as small as is found within `max_nodes`.
fn fewest(
    tests: Vec<SystemTest>,
    candidates: &[Candidate],
    wanted: WantedKill,
) -> (Vec<SystemTest>, Vec<Option<usize>>) {
    let row = |test: &SystemTest| {
        let killed = (0..candidates.len()).filter(|at| is_killed(test, &candidates[*at], wanted));
        let mut row = FixedBitSet::with_capacity(candidates.len());
        killed.for_each(|at| row.insert(at));
        row
    };
    let rows: Vec<FixedBitSet> = tests.par_iter().map(row).collect();
    let costs = vec![1; tests.len()];
    let mut chosen = minimum_cover(&rows, &costs, MOST_NODES).tests;
    chosen.sort_unstable();
    let place = |at: usize| chosen.iter().position(|test| rows[*test].contains(at));
    let places: Vec<Option<usize>> = (0..candidates.len()).map(place).collect();
    let mut kept = Vec::with_capacity(chosen.len());
    for (number, test) in chosen.iter().enumerate() {
        let mut test = tests[*test].clone();
        let own = places
            .iter()
            .zip(candidates)
            .filter(|(place, _)| **place == Some(number));
        test.targets = own.map(|(_, candidate)| candidate.id.clone()).collect();
        kept.push(test);
    }
    (kept, places)
}

/// Refuses a suite with a test that the specification fails.
fn refuse_stale(path: &Path, suite: &SystemSuite, bench: &SystemBench) -> Result<()> {
    for test in &suite.tests {
        let ends = bench
            .play(test, &bench.subject)
            .with_context(|| path.display().to_string())?;
        if ends.fails {
            bail!(
                "{}: test {} fails on the specification itself. The suite is not one of {}: if that was changed since, \
                 make the suite anew with `tamper testgen`",
                path.display(),
                test.id,
                bench.specification.file
            );
        }
    }
    Ok(())
}

/// A suite that the specification does not fail, and its judge.
pub fn judged(file: &UntimedFile, args: &JudgedArgs, terminal: &Terminal) -> Result<(SystemSuite, SystemBench)> {
    let paths = std::iter::once(&args.suite).chain(&args.also);
    let suites: Vec<(&Path, SystemSuite)> = paths
        .map(|path| Ok((path.as_path(), load(path)?)))
        .collect::<Result<_>>()?;
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let others: Vec<_> = suites[1..].iter().map(|(path, suite)| (stem(path), suite)).collect();
    let suite = suites[0].1.clone().with(&others)?;
    let asked = BenchOptions {
        complete: args.mutants.read.fills() || suite.specification.complete,
        limits: &args.mutants.limits,
        wanted: None,
        tests: &suite.tests,
    };
    let bench = SystemBench::new(file, &asked, terminal)?;
    for (path, suite) in &suites {
        if suite.specification.hash != bench.specification.hash {
            terminal.note(&format!(
                "note: {} was made for {} as it was then; {} is not that file",
                path.display(),
                suite.specification.file,
                bench.specification.file
            ));
        }
        refuse_stale(path, suite, &bench)?;
    }
    Ok((suite, bench))
}

/// The sureness with which a test has to kill.
pub fn needed(kill: KillArg) -> KillStrength {
    match kill {
        KillArg::Potential => KillStrength::Potential,
        KillArg::Definite => KillStrength::Definite,
        KillArg::Blind => KillStrength::Blind,
    }
}

/// Scores a suite.
pub fn score(file: &UntimedFile, args: &ScoreArgs, terminal: &Terminal) -> Result<ExitCode> {
    let looks_at_accepted = args.fail_on.looks_at(&args.accepted)?;
    let (suite, bench) = judged(file, &args.judged, terminal)?;
    let needed = needed(args.judged.kill.unwrap_or_default());
    let scored = |candidate: &Candidate| {
        let most = candidate.fate.most();
        let kills = |test: &&SystemTest| {
            let ends = candidate.states.as_ref().map(|states| bench.play(test, states));
            ends.is_some_and(|ends| ends.is_ok_and(|ends| is_enough(test, ends, needed)))
        };
        let tests = suite.tests.iter().filter(kills).map(|test| test.id.clone());
        ScoredMutant {
            id: candidate.id.clone(),
            operator: candidate.operator,
            fate: candidate.fate.name(),
            killable: most >= needed,
            open: most < needed && is_open(candidate),
            tests: tests.collect(),
            accepted: None,
        }
    };
    let by_content = SystemMutants::of(MutatedFile::Untimed(file.clone()), false, &terminal.quietly())?;
    let asked = by_content.changed(&args.changed, terminal)?;
    let candidates = bench.asked(asked.as_deref());
    let mut score = SystemScore {
        tests: suite.tests.iter().map(|test| test.id.clone()).collect(),
        mutants: candidates.into_par_iter().map(scored).collect(),
        not_asked: asked.map(|asked| bench.candidates.len() - asked.len()),
    };
    if looks_at_accepted {
        let found = by_content.accepted(&args.accepted, terminal)?;
        found.accept(&mut score.mutants, |mutant| &mutant.id, ScoredMutant::accept);
    }
    terminal.answer(|| system_score_json(&score), || system_score_text(&score))?;
    let (killed, killable, open) = (score.killed(), score.killable(), score.open());
    if let Some(least) = &args.fail_under {
        return Ok(good_enough(killed as u64, killable as u64, open as u64, least));
    }
    // A test may kill a mutant that is not known to be killable.
    Ok(match (score.survivors().count(), open) {
        (0, 0) => ExitCode::Yes,
        (0, _) => ExitCode::Unknown,
        _ => ExitCode::No,
    })
}

/// Runs a suite against models or a program.
pub fn run(args: &RunArgs, names: &SmvNames, terminal: &Terminal) -> Result<ExitCode> {
    let suite = load(args.suite()?)?;
    if let Some(unknown) = args
        .only
        .iter()
        .find(|id| suite.tests.iter().all(|test| test.id != **id))
    {
        bail!("the suite has no test `{unknown}`");
    }
    let is_chosen = |test: &&SystemTest| args.only.is_empty() || args.only.contains(&test.id);
    let tests: Vec<&SystemTest> = suite.tests.iter().filter(is_chosen).collect();
    let runs = match &args.sut {
        Some(sut) => against_program(args, sut, &tests)?,
        None => against_models(args, names, (&suite, &tests), terminal)?,
    };
    terminal.answer(|| system_runs_json(&runs), || system_runs_text(&runs))?;
    let is_good = |run: &SystemRun| run.ending.as_ref().is_ok_and(|ends| !ends.fails);
    Ok(ExitCode::yes_if(runs.iter().all(is_good)))
}

fn against_models(
    args: &RunArgs,
    names: &SmvNames,
    (suite, tests): (&SystemSuite, &[&SystemTest]),
    terminal: &Terminal,
) -> Result<Vec<SystemRun>> {
    let mut runs = Vec::new();
    for path in &args.against {
        let subject_file = open(path)?;
        let file = match subject_file.kind {
            FileKind::System(format) => subject_file.system(format, names),
            _ => return Err(subject_file.not("an untimed system").into()),
        };
        let asked = BenchOptions {
            complete: suite.specification.complete,
            limits: &args.limits,
            wanted: None,
            tests: &suite.tests,
        };
        let system = subject(&file, &asked, terminal)?;
        runs.extend(tests.iter().map(|test| SystemRun {
            test: test.id.clone(),
            subject: path.display().to_string(),
            purpose: test.targets.clone(),
            ending: play(file.format == SystemFormat::Actions, test, &system).map_err(|error| error.to_string()),
            log: Vec::new(),
            expected: None,
        }));
    }
    Ok(runs)
}

fn against_program(args: &RunArgs, sut: &str, tests: &[&SystemTest]) -> Result<Vec<SystemRun>> {
    let patience = Duration::from_millis(args.patience);
    let mut program = StepSut::new(Target::parse(sut), tamper()?, patience);
    let runs = tests.iter().map(|test| {
        let (ending, log) = program.run(test, covers);
        SystemRun {
            test: test.id.clone(),
            subject: sut.to_owned(),
            purpose: test.targets.clone(),
            ending: ending.map_err(|error| error.to_string()),
            log,
            expected: None,
        }
    });
    Ok(runs.collect())
}
