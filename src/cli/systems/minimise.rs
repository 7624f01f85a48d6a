//! `tamper minimise` of suites for untimed systems.

use anyhow::{Result, bail};
use fixedbitset::FixedBitSet;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::bench::Bench;
use super::load::SystemFormat;
use super::suites::{judged, needed};
use crate::cli::args::Format;
use crate::cli::exit::ExitCode;
use crate::cli::minimise::{CriterionArg, MinimiseArgs};
use crate::cli::terminal::Terminal;
use crate::experiment::write_file;
use crate::formats::system_suite::{SystemSuite, write_system_suite};
use crate::suite::{Cover, minimum_cover, prioritised};
use crate::systems::Kill;
use crate::systems::testing::{SystemTest, is_enough};

/// Makes a suite smaller.
pub fn minimise(args: &MinimiseArgs, format: SystemFormat, terminal: &Terminal) -> Result<ExitCode> {
    if args.criterion == CriterionArg::Time {
        bail!("untimed systems have no times: --criterion tests or --criterion steps");
    }
    let (suite, bench) = judged(&args.judged, format, terminal)?;
    let rows = kills(&bench, &suite.tests, args.judged.kill.map(needed));
    let weight = |test: &SystemTest| match args.criterion {
        CriterionArg::Steps => test.depth() as u64,
        _ => 1,
    };
    let weights: Vec<u64> = suite.tests.iter().map(weight).collect();
    let cover = (!args.keep_all).then(|| minimum_cover(&rows, &weights, args.max_nodes));
    let chosen: Vec<usize> = match &cover {
        Some(cover) => cover.tests.clone(),
        None => (0..rows.len()).collect(),
    };
    let order = prioritised(&rows, &weights, &chosen);
    let (before, cost) = (rows.len(), order.iter().map(|(at, _)| weights[*at]).sum());
    let smaller = reordered(suite, &order, (&rows, &bench));
    write_file(args.out(), write_system_suite(&smaller))?;
    let told = json(args, (&order, &smaller, before), (cost, cover.as_ref()));
    terminal.result(&match terminal.format {
        Format::Json => serde_json::to_string_pretty(&told)?,
        Format::Text => text(args, (order.len(), before, cost), cover.as_ref()),
    })?;
    let proved = cover.is_none_or(|cover| cover.proved);
    Ok(if proved { ExitCode::Yes } else { ExitCode::Unknown })
}

/// Which mutants each test kills: as surely as `needed`, or as any of the tests does.
fn kills(bench: &Bench, tests: &[SystemTest], needed: Option<Kill>) -> Vec<FixedBitSet> {
    let how_surely = |test: &SystemTest| -> Vec<Kill> {
        let of = |candidate: &crate::systems::testing::Candidate| {
            let ends = candidate.states.as_ref().map(|states| bench.play(test, states));
            let Some(Ok(ends)) = ends else { return Kill::None };
            let mut surest_first = [Kill::Blind, Kill::Definite, Kill::Potential].into_iter();
            surest_first
                .find(|kill| is_enough(test, ends, *kill))
                .unwrap_or(Kill::None)
        };
        bench.candidates.iter().map(of).collect()
    };
    let table: Vec<Vec<Kill>> = tests.par_iter().map(how_surely).collect();
    let least = |mutant: usize| {
        let surest = table.iter().map(|row| row[mutant]).max();
        needed.or(surest).unwrap_or(Kill::None).max(Kill::Potential)
    };
    let least: Vec<Kill> = (0..bench.candidates.len()).map(least).collect();
    let row = |kills: &Vec<Kill>| {
        let mut row = FixedBitSet::with_capacity(least.len());
        row.extend((0..least.len()).filter(|mutant| kills[*mutant] >= least[*mutant]));
        row
    };
    table.iter().map(row).collect()
}

/// The tests of `order`, each mutant with the first of them that kills it.
fn reordered(suite: SystemSuite, order: &[(usize, usize)], (rows, bench): (&[FixedBitSet], &Bench)) -> SystemSuite {
    let tests: Vec<SystemTest> = order.iter().map(|(at, _)| suite.tests[*at].clone()).collect();
    let kept: Vec<String> = tests.iter().map(|test| test.id.clone()).collect();
    let mut smaller = SystemSuite { tests, ..suite };
    for (at, candidate) in bench.candidates.iter().enumerate() {
        let first = order.iter().position(|(test, _)| rows[*test].contains(at));
        for mutant in smaller.mutants.iter_mut().filter(|mutant| mutant.id == candidate.id) {
            mutant.test = first.map(|first| kept[first].clone());
        }
    }
    // A mutant that the system no longer has may have lost its test.
    for mutant in &mut smaller.mutants {
        mutant.test = mutant.test.take().filter(|test| kept.contains(test));
    }
    smaller
}

fn unit(args: &MinimiseArgs) -> &'static str {
    match args.criterion {
        CriterionArg::Steps => "steps",
        _ => "tests",
    }
}

fn json(
    args: &MinimiseArgs,
    (order, smaller, before): (&[(usize, usize)], &SystemSuite, usize),
    (cost, cover): (u64, Option<&Cover>),
) -> Value {
    let order = order.iter().zip(&smaller.tests);
    let order = order.map(|((_, kills), test)| json!({ "test": test.id, "kills": kills }));
    json!({
        "tests": smaller.tests.len(), "before": before, "criterion": unit(args), "cost": cost,
        "lower_bound": cover.map(|cover| cover.lower_bound), "proved": cover.map(|cover| cover.proved),
        "order": order.collect::<Vec<_>>(), "out": args.out().display().to_string(),
    })
}

fn text(args: &MinimiseArgs, (kept, before, cost): (usize, usize, u64), cover: Option<&Cover>) -> String {
    let bound = match cover {
        None => "in the order of what they kill".to_owned(),
        Some(cover) if cover.proved => "the fewest that kill as many mutants".to_owned(),
        Some(cover) => format!("not proved to be the fewest: at least {} are needed", cover.lower_bound),
    };
    let cost = match args.criterion {
        CriterionArg::Steps => format!(" ({cost} steps)"),
        _ => String::new(),
    };
    format!("{kept} of {before} tests{cost}, {bound}, in {}", args.out().display())
}
