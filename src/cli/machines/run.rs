//! `tamper run` of a suite of a state machine.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use super::load::read_one;
use crate::cli::arguments::suite_run_args::{RunArgs, tamper};
use crate::cli::door::open;
use crate::cli::exit::{ExitCode, LimitHit};
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::formats::machines::{read_answered_suite, read_suite};
use tamper::formats::{FileKind, read_input};
use tamper::programs::{StepSut, Target};
use tamper::report::systems::{SystemRun, system_runs_json, system_runs_text};
use tamper::systems::KillStrength;
use tamper::systems::testing::{Ends, SystemTest, TestAnswer, TestGraph, TestNode, Then};

/// Runs a suite against machines or a program, and compares the answers.
pub fn run(args: &RunArgs, terminal: &Terminal) -> Result<ExitCode> {
    let path = args.suite()?;
    let bytes = read_input(path, "name a suite of a state machine")?;
    let suite = (path, bytes.as_slice());
    let mut runs = match &args.sut {
        Some(sut) => against_program(args, sut, suite)?,
        None => against_machines(args, suite, terminal)?,
    };
    if let Some(unknown) = args.only.iter().find(|id| runs.iter().all(|run| run.test != **id)) {
        bail!("the suite has no test `{unknown}`: tests are t1, t2, … in the order of their lines");
    }
    runs.retain(|run| args.only.is_empty() || args.only.contains(&run.test));
    terminal.answer(|| system_runs_json(&runs), || system_runs_text(&runs))?;
    let is_good = |run: &SystemRun| run.ending.as_ref().is_ok_and(|ends| !ends.fails);
    Ok(ExitCode::yes_if(runs.iter().all(is_good)))
}

fn id(number: usize) -> String {
    format!("t{}", number + 1)
}

fn against_machines(args: &RunArgs, (path, bytes): (&Path, &[u8]), terminal: &Terminal) -> Result<Vec<SystemRun>> {
    let name = path.display().to_string();
    let mut runs = Vec::new();
    for against in &args.against {
        let subject = open(against)?;
        let FileKind::Machine(format) = subject.kind else {
            return Err(subject.not("a state machine").into());
        };
        let machine = read_one(
            &subject.written_in(format),
            &args.graph.with(args.machine.options()),
            terminal,
        )?;
        machine.keep_to(&Timer::new(args.limits.resolve()).budget());
        let suite = read_suite(&name, bytes, &machine)?;
        if suite.answers.is_empty() {
            bail!(
                "{name} has inputs only, so there is nothing to compare: `tamper coverage MACHINE {name} --suite extended --out NEW` adds \
                 the answers of the machine that it is for"
            );
        }
        let wrong = suite.wrong_answers(&machine);
        let wrong = wrong.map_err(|reason| LimitHit(reason.to_string()))?;
        for (number, test) in suite.tests.iter().enumerate() {
            let first = wrong.iter().find(|(expected, _)| expected.test == number);
            let until = first.map_or(test.len(), |(expected, _)| expected.step + 1);
            let given = test.iter().map(|input| machine.inputs()[*input].clone());
            runs.push(SystemRun {
                test: id(number),
                subject: against.display().to_string(),
                purpose: Vec::new(),
                ending: Ok(Ends {
                    fails: first.is_some(),
                    passes: first.is_none(),
                    inconclusive: false,
                }),
                log: given.zip(machine.answers(&test[..until])).collect(),
                expected: first.map(|(expected, _)| expected.output.clone()),
            });
        }
    }
    Ok(runs)
}

fn against_program(args: &RunArgs, sut: &str, (path, bytes): (&Path, &[u8])) -> Result<Vec<SystemRun>> {
    let tests = read_answered_suite(&path.display().to_string(), bytes)?;
    let mut program = StepSut::new(Target::parse(sut), tamper()?, Duration::from_millis(args.patience));
    let is_asked = |number: &usize| args.only.is_empty() || args.only.contains(&id(*number));
    let asked = tests.iter().enumerate().filter(|(number, _)| is_asked(number));
    let runs = asked.map(|(number, steps)| {
        let node = |(at, (give, seen)): (usize, &(String, String))| TestNode {
            give: give.clone(),
            answers: vec![TestAnswer {
                seen: seen.clone(),
                then: if at + 1 == steps.len() {
                    Then::Pass
                } else {
                    Then::Node(at + 1)
                },
            }],
        };
        let test = SystemTest {
            id: id(number),
            kill: KillStrength::Blind,
            relation: None,
            targets: Vec::new(),
            course: TestGraph {
                starts: Vec::new(),
                nodes: steps.iter().enumerate().map(node).collect(),
            },
        };
        let (ending, log) = program.run(&test, |listed, seen| listed == seen);
        let last = log.len().checked_sub(1).map(|last| steps[last].1.clone());
        let is_wrong = ending.as_ref().is_ok_and(|ends| ends.fails);
        SystemRun {
            test: test.id,
            subject: sut.to_owned(),
            purpose: Vec::new(),
            ending: ending.map_err(|error| error.to_string()),
            log,
            expected: last.filter(|_| is_wrong),
        }
    });
    Ok(runs.collect())
}
