//! `tamper coverage` for timed games.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::args::{Format, GlobalArgs};
use super::coverage::write_whole;
use super::coverage_args::CoverageArgs;
use super::exit::ExitCode;
use super::load::Loaded;
use super::terminal::Terminal;
use crate::experiment::{Limits, Timer};
use crate::features::Product;
use crate::formats::suite_json::{Suite, SuiteSpecification, read_suite, write_suite};
use crate::mutation::{FeaturedMutants, ProductBound};
use crate::report::{DomainReport, domain_json, domain_text};
use crate::suite::{Completed, DomainAnswer, DomainCounts, FaultDomain, TestCase, Tester};

/// Whether `path` is a timed game rather than a state machine.
pub fn is_timed(path: &Path) -> bool {
    let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    path.is_dir() || ["xml", "json", "tck"].contains(&extension.to_ascii_lowercase().as_str())
}

/// Decides whether a suite kills all products of the featured mutant model, and completes it on request.
pub fn coverage_timed(args: &CoverageArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    refuse_others(args)?;
    let loaded = Loaded::read(&args.machine, &global.read_options(), terminal)?;
    let game = loaded.game(args.template.as_deref())?;
    let timer = Timer::new(Limits {
        timeout_ms: args.timeout,
        max_states: args.max_states,
        max_memory: args.max_memory,
    });
    let budget = timer.budget();
    let specification = SuiteSpecification {
        file: args.machine.display().to_string(),
        template: game.name().to_owned(),
        hash: loaded.hash.clone(),
    };
    let given = suite(args, &specification, terminal)?;
    let mutants = FeaturedMutants::of(game, &args.mutation.resolve(), ProductBound::Sets(args.order.0))?;
    let tester = Tester::new(game, &budget)?;
    let mut domain = FaultDomain::new(&mutants, &tester)?;
    for test in &given {
        let executed = domain.execute(test, &budget);
        executed.with_context(|| format!("test `{}` cannot be executed", test.id))?;
    }
    let before = args.count.then(|| domain.counts(&budget));
    let mut report = DomainReport {
        n_given: given.len(),
        ..DomainReport::default()
    };
    let mut tests = given;
    let answer = match args.complete {
        None => domain.escape(&budget)?,
        Some(_) => complete(&mut domain, &budget, terminal, &mut tests)?,
    };
    report.n_added = tests.len() - report.n_given;
    report.n_conditions = (domain.killed().len(), domain.conforming().len());
    if args.count && matches!(answer, DomainAnswer::Escape(..)) {
        // All that conforms is known once some suite is complete.
        let mut unseen = Vec::new();
        if let unknown @ DomainAnswer::Unknown(_) = complete(&mut domain, &budget, terminal, &mut unseen)? {
            report.no_counts = reason(&unknown);
        }
    }
    if let (Some(before), None) = (before, &report.no_counts) {
        match before.and_then(|before| Ok((before, domain.counts(&budget)?))) {
            Ok((before, after)) if !matches!(answer, DomainAnswer::Unknown(_)) => {
                report.counts = Some(DomainCounts {
                    killed: before.killed,
                    ..after
                });
            }
            Ok(_) => report.no_counts = reason(&answer),
            Err(stopped) => report.no_counts = Some(stopped.to_string()),
        }
    }
    report.n_questions = domain.n_questions();
    conclude(&mut report, &answer, (&mutants, &specification))?;
    let written = write_suite(&whole(&specification, tests));
    if let Some(path) = &args.out {
        write_whole(path, written.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    match terminal.format {
        Format::Json => terminal.result(&domain_json(&report)?)?,
        Format::Text => terminal.result(&domain_text(&report))?,
    }
    Ok(match answer {
        DomainAnswer::Unknown(_) => ExitCode::Unknown,
        _ if report.no_counts.is_some() => ExitCode::Unknown,
        DomainAnswer::Complete => ExitCode::Yes,
        DomainAnswer::Escape(..) => ExitCode::No,
    })
}

/// Options that are about state machines.
fn refuse_others(args: &CoverageArgs) -> Result<()> {
    let given = [
        ("--minimise", args.minimise),
        ("--faults", args.faults.is_some()),
        (
            "--unspecified",
            args.unspecified != super::coverage_args::UnspecifiedArg::Refuse,
        ),
        (
            "--complete=extend",
            args.complete == Some(super::coverage_args::CompleteArg::Extend),
        ),
        ("--journal", args.journal.is_some()),
    ];
    if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
        bail!(
            "{name} is for state machines; {} is a timed game",
            args.machine.display()
        );
    }
    if args.complete.is_some() && args.out.is_none() {
        bail!("--complete of a timed game needs --out FILE for the suite");
    }
    Ok(())
}

fn suite(args: &CoverageArgs, specification: &SuiteSpecification, terminal: &Terminal) -> Result<Vec<TestCase>> {
    let Some(path) = &args.suite else { return Ok(Vec::new()) };
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let suite = read_suite(&text).with_context(|| path.display().to_string())?;
    if suite.specification.hash != specification.hash {
        terminal.note(&format!(
            "note: {} was made for another version of {}",
            path.display(),
            suite.specification.file
        ));
    }
    Ok(suite.tests)
}

fn complete(
    domain: &mut FaultDomain<'_>,
    budget: &crate::base::Budget,
    terminal: &Terminal,
    tests: &mut Vec<TestCase>,
) -> Result<DomainAnswer> {
    let status = terminal.status();
    let mut n_found = 0;
    let end = domain.complete(budget, &mut |_, _| {
        n_found += 1;
        if let Some(status) = &status {
            status.set_message(format!("{n_found} tests added"));
        }
    })?;
    if let Some(status) = status {
        status.finish_and_clear();
    }
    let (added, answer) = match end {
        Completed::Complete(added) => (added, DomainAnswer::Complete),
        Completed::Stopped(reason, added) => (added, DomainAnswer::Unknown(reason)),
    };
    let taken: std::collections::BTreeSet<String> = tests.iter().map(|test| test.id.clone()).collect();
    let mut ids = (1..)
        .map(|number| format!("c{number}"))
        .filter(|id| !taken.contains(id));
    for test in added {
        let id = ids.next().unwrap_or_default();
        tests.push(TestCase { id, ..test });
    }
    Ok(answer)
}

fn reason(answer: &DomainAnswer) -> Option<String> {
    match answer {
        DomainAnswer::Unknown(reason) => Some(reason.to_string()),
        DomainAnswer::Complete | DomainAnswer::Escape(..) => None,
    }
}

fn conclude(
    report: &mut DomainReport,
    answer: &DomainAnswer,
    (mutants, specification): (&FeaturedMutants, &SuiteSpecification),
) -> Result<()> {
    report.because = reason(answer);
    report.verdict = match answer {
        DomainAnswer::Complete => "complete",
        DomainAnswer::Unknown(_) => "unknown",
        DomainAnswer::Escape(product, test) => {
            let test = TestCase {
                id: "c1".to_owned(),
                ..test.clone()
            };
            let written = write_suite(&whole(specification, vec![test.clone()]));
            let json: serde_json::Value = serde_json::from_str(&written)?;
            report.escape = Some((mutations(mutants, product), test, json["tests"][0].clone()));
            "incomplete"
        }
    };
    Ok(())
}

fn mutations(mutants: &FeaturedMutants, product: &Product) -> Vec<String> {
    let all = mutants.mutations().iter();
    all.filter(|(feature, _)| product.contains(**feature))
        .map(|(_, mutation)| mutation.id.clone())
        .collect()
}

fn whole(specification: &SuiteSpecification, tests: Vec<TestCase>) -> Suite {
    Suite {
        specification: specification.clone(),
        tests,
        mutants: Vec::new(),
    }
}
