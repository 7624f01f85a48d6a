//! `tamper minimise` of suites for untimed systems.

use anyhow::{Result, bail};
use fixedbitset::FixedBitSet;
use num_rational::BigRational;
use rayon::prelude::*;

use super::bench::SystemBench;
use super::suites::{judged, needed};
use crate::cli::door::UntimedFile;
use crate::cli::exit::ExitCode;
use crate::cli::terminal::Terminal;
use crate::cli::testing::minimise::{CriterionArg, MinimisationResult, MinimiseArgs, chosen, retold};
use tamper::experiment::write_file;
use tamper::formats::system_suite::{SystemSuite, write_system_suite};
use tamper::systems::KillStrength;
use tamper::systems::testing::{SystemTest, is_enough};

/// Makes a suite smaller.
pub fn minimise(file: &UntimedFile, args: &MinimiseArgs, terminal: &Terminal) -> Result<ExitCode> {
    if args.criterion == CriterionArg::Time {
        bail!("untimed systems have no times: --criterion tests or --criterion steps");
    }
    let (suite, bench) = judged(file, &args.judged, terminal)?;
    let rows = kills(&bench, &suite.tests, args.judged.kill.map(needed));
    let weight = |test: &SystemTest| match args.criterion {
        CriterionArg::Steps => test.depth() as u64,
        _ => 1,
    };
    let weights: Vec<u64> = suite.tests.iter().map(weight).collect();
    let (cover, order) = chosen(&rows, &weights);
    let before = rows.len();
    let smaller = reordered(suite, &order, &rows, &bench);
    write_file(args.out(), write_system_suite(&smaller))?;
    let cost: u64 = order.iter().map(|(at, _)| weights[*at]).sum();
    let whole = |n: u64| BigRational::from_integer(n.into());
    let ids = smaller.tests.iter().map(|test| test.id.as_str());
    let answer = MinimisationResult {
        cost: whole(cost),
        bound: (whole(cover.lower_bound), cover.proved),
        order: ids.zip(order.iter().map(|(_, kills)| *kills)).collect(),
        before,
    };
    answer.tell(args, "", terminal)
}

/// The mutants that each test kills: as surely as `needed`, or else as surely as any of the tests does.
fn kills(bench: &SystemBench, tests: &[SystemTest], needed: Option<KillStrength>) -> Vec<FixedBitSet> {
    let how_surely = |test: &SystemTest| -> Vec<KillStrength> {
        let of = |candidate: &tamper::systems::testing::Candidate| {
            let ends = candidate.states.as_ref().map(|states| bench.play(test, states));
            let Some(Ok(ends)) = ends else {
                return KillStrength::None;
            };
            let mut surest_first = [KillStrength::Blind, KillStrength::Definite, KillStrength::Potential].into_iter();
            surest_first
                .find(|kill| is_enough(test, ends, *kill))
                .unwrap_or(KillStrength::None)
        };
        bench.candidates.iter().map(of).collect()
    };
    let table: Vec<Vec<KillStrength>> = tests.par_iter().map(how_surely).collect();
    let least = |mutant: usize| {
        let surest = table.iter().map(|row| row[mutant]).max();
        needed
            .or(surest)
            .unwrap_or(KillStrength::None)
            .max(KillStrength::Potential)
    };
    let least: Vec<KillStrength> = (0..bench.candidates.len()).map(least).collect();
    let row = |kills: &Vec<KillStrength>| {
        let mut row = FixedBitSet::with_capacity(least.len());
        row.extend((0..least.len()).filter(|mutant| kills[*mutant] >= least[*mutant]));
        row
    };
    table.iter().map(row).collect()
}

/// The tests of `order`, each mutant with the first of them that kills it.
fn reordered(suite: SystemSuite, order: &[(usize, usize)], rows: &[FixedBitSet], bench: &SystemBench) -> SystemSuite {
    let tests: Vec<SystemTest> = order.iter().map(|(at, _)| suite.tests[*at].clone()).collect();
    let kept: Vec<String> = tests.iter().map(|test| test.id.clone()).collect();
    let mut smaller = SystemSuite { tests, ..suite };
    let ids = bench.candidates.iter().map(|candidate| candidate.id.as_str());
    retold(&mut smaller.mutants, ids, &kept, |at, _| {
        order.iter().position(|(test, _)| rows[*test].contains(at))
    });
    smaller
}
