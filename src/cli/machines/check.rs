//! `tamper check` of a state machine.

use anyhow::Result;

use super::load::read;
use crate::cli::arguments::game_args::CheckArgs;
use crate::cli::door::MachineFile;
use crate::cli::exit::{ExitCode, LimitHit};
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::formats::machines::read_suite;
use tamper::machines::{InputId, MutationMachine};
use tamper::report::{AnsweredStep, machine_json, machine_text, steps_text};

/// Shows the facts about a machine, or what its specification answers to a word.
pub fn check(file: &MachineFile, args: &CheckArgs, terminal: &Terminal) -> Result<ExitCode> {
    let machine = read(file, &args.graph.with(args.read.options()), terminal)?;
    let timer = Timer::new(args.limits.resolve());
    machine.keep_to(&timer.budget());
    let Some(word) = &args.run else {
        terminal.answer(|| machine_json(&machine), || machine_text(&machine))?;
        return Ok(ExitCode::Yes);
    };
    let word = word.replace(['\n', '\r'], " ");
    let suite = read_suite("--run", word.as_bytes(), &machine)?;
    let steps = steps(&machine, &suite.agreeing_with(&machine)?.concat());
    if let Some(reason) = machine.stopped() {
        return Err(LimitHit(reason.to_string()).into());
    }
    terminal.answer(|| &steps, || steps_text(&steps))?;
    Ok(ExitCode::Yes)
}

fn steps(machine: &MutationMachine, word: &[InputId]) -> Vec<AnsweredStep> {
    let state = |at| vec![machine.states()[at].clone()];
    let mut at = machine.initial();
    let start = AnsweredStep {
        given: String::new(),
        answers: Vec::new(),
        states: state(at),
    };
    let step = |input: &InputId| {
        let transition = machine.unaltered(at, *input);
        at = transition.target;
        AnsweredStep {
            given: machine.inputs()[*input].clone(),
            answers: vec![machine.outputs()[transition.output].clone()],
            states: state(at),
        }
    };
    std::iter::once(start).chain(word.iter().map(step)).collect()
}
