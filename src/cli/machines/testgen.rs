//! `tamper testgen` of state machines.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use serde_json::json;

use super::load::read;
use crate::cli::arguments::parse::name_of;
use crate::cli::arguments::strategy::StrategyArg;
use crate::cli::door::MachineFile;
use crate::cli::exit::{ExitCode, LimitHit};
use crate::cli::terminal::{Terminal, counted};
use crate::cli::testing::testgen::TestgenArgs;
use tamper::experiment::{Timer, write_file};
use tamper::formats::machines::write_suite;
use tamper::machines::{
    InputId, Mutant, MutationMachine, SuiteError, checking_sequence, differing_states, identifying_suite, w_method,
};

/// The reason why this method, which needs a distinguishing sequence, makes no checking sequence (\[000\] section 3.2); others may.
const NO_SEQUENCE: &str = "no checking sequence by this method: no word tells all states from each other, or one of them is not reached from another; tests with resets: --strategy w-method";

/// Makes a suite.
pub fn testgen(file: &MachineFile, args: &TestgenArgs, terminal: &Terminal) -> Result<ExitCode> {
    let (extra, has_extra) = (args.machine.extra_states, args.machine.extra_states > 0);
    if has_extra && !matches!(args.strategy, StrategyArg::WMethod | StrategyArg::HsiMethod) {
        bail!("--extra-states is for suites of all faults: give --strategy w-method or hsi-method");
    }
    let machine = read(file, &args.graph.with(args.mutants.read.options()), terminal)?;
    if args.strategy == StrategyArg::PerMutant && machine.n_mutated() == 0 {
        bail!("the machine has no mutated transition: --strategy w-method makes a suite for all faults");
    }
    let timer = Timer::new(args.mutants.limits.resolve());
    let budget = timer.budget();
    let made = match args.strategy {
        StrategyArg::PerMutant => per_mutant(&machine, &timer).map(Some),
        StrategyArg::WMethod => w_method(&machine, extra, &budget).map(Some),
        StrategyArg::HsiMethod => identifying_suite(&machine, extra, &budget).map(Some),
        StrategyArg::CheckingSequence => checking_sequence(&machine, &budget).map(|test| test.map(|test| vec![test])),
        _ => bail!(
            "for state machines a --strategy is per-mutant, w-method, hsi-method or checking-sequence; the fewest tests: tamper coverage --suite smallest"
        ),
    };
    let made = made.map_err(|error| match error {
        SuiteError::Stopped(reason) => LimitHit(reason.to_string()).into(),
        _ => anyhow::Error::from(error),
    })?;
    let strategy = name_of(args.strategy);
    let Some(suite) = made else {
        let json = json!({ "strategy": strategy, "because": NO_SEQUENCE });
        terminal.answer(|| json, || NO_SEQUENCE.to_owned())?;
        return Ok(ExitCode::No);
    };
    write_file(&args.out, write_suite(&machine, &suite))?;
    let (tests, out) = (suite.len(), args.out.display().to_string());
    let inputs: usize = suite.iter().map(Vec::len).sum();
    let mut json = json!({ "strategy": strategy, "tests": tests, "inputs": inputs, "out": out });
    let mut text = format!(
        "{}, {} in all, in {out}",
        counted(tests, "test"),
        counted(inputs, "input")
    );
    if args.strategy != StrategyArg::PerMutant {
        let (n_states, differing) = (machine.states().len(), differing_states(&machine));
        json["up_to_states"] = json!(differing + extra);
        text += &format!(
            "\nfor every fault of a machine of up to {}",
            counted(differing + extra, "state")
        );
        if differing < n_states {
            text += &format!("; of the specification's {n_states} states {differing} are reachable and differ");
        }
    }
    terminal.answer(|| json, || text)?;
    Ok(ExitCode::Yes)
}

/// A shortest test for every mutant with one fault that some test kills, each test once.
fn per_mutant(machine: &MutationMachine, timer: &Timer) -> Result<Vec<Vec<InputId>>, SuiteError> {
    let mut tests = BTreeSet::new();
    for (at, _) in machine.sets().enumerate() {
        let one = |choice| {
            let mut choices = vec![0; machine.sets().len()];
            choices[at] = choice;
            Mutant::new(machine, choices)
        };
        for mutant in (1..).map_while(one) {
            let test = mutant.killing_sequence(machine, &timer.budget());
            tests.extend(test.map_err(SuiteError::Stopped)?);
        }
    }
    Ok(tests.into_iter().collect())
}
