//! `tamper check` of a transition system.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::load::{read, states};
use crate::cli::arguments::game_args::CheckArgs;
use crate::cli::door::UntimedFile;
use crate::cli::exit::{ExitCode, LimitHit};
use crate::cli::terminal::{Terminal, counted};
use tamper::experiment::Timer;
use tamper::formats::ReadError;
use tamper::report::systems::{SystemFacts, facts_text};
use tamper::report::{AnsweredStep, steps_text};
use tamper::systems::{InputId, StateId, TransitionSystem};
use tamper::text::{Diagnostic, Span, decode, words};

/// Shows the facts about a system, or what it answers to a word.
pub fn check(file: &UntimedFile, args: &CheckArgs, terminal: &Terminal) -> Result<ExitCode> {
    let system = read(file, terminal)?;
    let timer = Timer::new(args.limits.resolve());
    let states = states(&system, args.read.fills(), &timer.budget())?;
    if let Some(word) = &args.run {
        let states = states.map_err(|reason| LimitHit(reason.to_string()))?;
        let steps = steps(&states, &read_word(&states, word)?);
        terminal.answer(|| &steps, || steps_text(&steps))?;
        return Ok(ExitCode::Yes);
    }
    let facts = SystemFacts::of(&system.program, &states);
    terminal.answer(|| &facts, || facts_text(&facts))?;
    Ok(ExitCode::known_if(states.is_ok()))
}

/// The inputs of a word. Those of several variables have a value for each (`a=1 b=0`), in any order.
fn read_word(system: &TransitionSystem, word: &str) -> Result<Vec<InputId>, ReadError> {
    let sorted = |name: &str| name.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
    let names = system.inputs().iter_enumerated();
    let inputs: BTreeMap<BTreeSet<String>, InputId> = names.map(|(id, name)| (sorted(name), id)).collect();
    let n_values = inputs.keys().map(BTreeSet::len).max().unwrap_or(1);
    let file = decode("--run", word.as_bytes())?;
    let (mut found, mut diagnostics) = (Vec::new(), Vec::new());
    for values in words(file.text(), 0).chunks(n_values) {
        let named: BTreeSet<String> = values.iter().map(|(value, _)| (*value).to_owned()).collect();
        match inputs.get(&named) {
            Some(input) => found.push(*input),
            None => {
                let span = Span::new(values[0].1.start as usize, values[values.len() - 1].1.end as usize);
                let shown: Vec<&str> = system.inputs().iter().take(20).map(String::as_str).collect();
                let error = Diagnostic::error("the system has no such input", span);
                diagnostics.push(error.with_help(format!("the inputs are {}", shown.join(", "))));
            }
        }
    }
    match diagnostics.is_empty() {
        true => Ok(found),
        false => Err(ReadError { file, diagnostics }),
    }
}

/// All answers to each input, and all states after it.
fn steps(system: &TransitionSystem, word: &[InputId]) -> Vec<AnsweredStep> {
    let mut reached: BTreeSet<StateId> = system.initial().iter().copied().collect();
    let shown = |reached: &BTreeSet<StateId>| vec![counted(reached.len(), "state")];
    let start = AnsweredStep {
        given: String::new(),
        answers: system.starts().keys().cloned().collect(),
        states: shown(&reached),
    };
    let step = |input: &InputId| {
        let steps = reached.iter().flat_map(|state| system.steps(*state, *input));
        let (answers, next): (BTreeSet<_>, BTreeSet<_>) = steps.map(|step| (step.output, step.target)).unzip();
        reached = next;
        AnsweredStep {
            given: system.inputs()[*input].clone(),
            answers: answers.iter().map(|output| system.outputs()[*output].clone()).collect(),
            states: shown(&reached),
        }
    };
    std::iter::once(start).chain(word.iter().map(step)).collect()
}
