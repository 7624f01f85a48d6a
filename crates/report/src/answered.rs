//! The answers of a model to a word, and the facts about a state machine.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Value, json};

use super::coverage::extended_lines;
use super::table::text_table;
use tamper_machines::MutationMachine;
use tamper_suite::{Allowed, AnsweredWord, What, Words};
use tamper_text::visible;

/// A step of a word for a model without time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AnsweredStep {
    /// The input that was given; nothing before the first.
    pub given: String,
    /// All possible answers.
    pub answers: Vec<String>,
    /// The states after it, by name.
    pub states: Vec<String>,
}

/// The steps as a table; several answers and states are those of one run or another.
pub fn steps_text(steps: &[AnsweredStep]) -> String {
    let mut table = text_table(["given", "answer", "state"]);
    for step in steps {
        let either = |names: &[String]| names.iter().map(|name| visible(name)).collect::<Vec<_>>().join(" | ");
        table.add_row([step.given.clone(), either(&step.answers), either(&step.states)]);
    }
    format!("{table}\n")
}

/// `{"log", "until", "possible", "silence"}`.
pub fn word_json(word: &AnsweredWord) -> Value {
    let log = word.log.iter().map(|event| {
        let at = event.at.to_string();
        match &event.what {
            What::Input(name) | What::Refused(name) => json!({ "at": at, "input": name }),
            What::Output(name) => json!({ "at": at, "output": name }),
            What::Silence => json!({ "at": at }),
        }
    });
    let end = |end: &Option<(num_rational::BigRational, bool)>| {
        let end = end.as_ref();
        end.map(|(time, is_excluded)| json!({ "at": time.to_string(), "excluded": is_excluded }))
    };
    let possible =
        |output: &Allowed| json!({ "output": output.action, "from": end(&output.from), "by": end(&output.by) });
    json!({
        "log": log.collect::<Vec<_>>(),
        "until": word.until.to_string(),
        "possible": word.possible.iter().map(possible).collect::<Vec<_>>(),
        "silence": word.may_be_silent,
    })
}

/// The inputs and outputs with their times, a line each, and the outputs that are possible at the end.
pub fn word_text(word: &AnsweredWord) -> String {
    let mut text = String::new();
    let words = Words::of_model();
    let times = words.times(&word.log);
    let until = words.time(&word.until);
    let width = times.iter().map(String::len).max().unwrap_or(0).max(until.len());
    for (event, at) in word.log.iter().zip(&times) {
        let what = match &event.what {
            What::Input(name) | What::Refused(name) | What::Output(name) => visible(name),
            What::Silence => "-".into(),
        };
        let _ = writeln!(text, "{at:>width$}  {what}");
    }
    if !word.possible.is_empty() {
        let mut possible: Vec<String> = word.possible.iter().map(ToString::to_string).collect();
        possible.extend(word.may_be_silent.then(|| "nothing".to_owned()));
        let _ = writeln!(text, "{until:>width$}  possible: {}", possible.join(", or "));
    } else if word.log.last().is_none_or(|last| last.at < word.until) {
        let _ = writeln!(text, "{until:>width$}  nothing more");
    }
    text
}

/// The facts about a machine, as names and values.
fn machine_facts(machine: &MutationMachine) -> Vec<(&'static str, String)> {
    let mut facts = vec![("inputs", machine.inputs().as_slice().join(", "))];
    match machine.extended() {
        Some(unfolding) => {
            // Nothing was asked yet, so nothing is unfolded.
            let lines = extended_lines(unfolding).into_iter();
            facts.extend(lines.filter(|(name, _)| *name != "unfolded"));
        }
        None => {
            let outputs: Vec<&str> = machine.outputs().iter().map(String::as_str).collect();
            facts.push(("outputs", outputs.join(", ")));
            facts.push(("states", machine.states().len().to_string()));
        }
    }
    facts.push(("initial", machine.states()[machine.initial()].clone()));
    let (all, mutated) = (machine.n_transitions(), machine.n_mutated());
    facts.push(("transitions", format!("{all}, {mutated} of them mutated")));
    facts.push(("machines", machine.n_machines().to_string()));
    facts
}

/// `{"inputs", "outputs", "states", "initial", "transitions", "mutated", "machines"}`; `null` for what is not unfolded.
pub fn machine_json(machine: &MutationMachine) -> Value {
    let is_plain = machine.extended().is_none();
    json!({
        "inputs": machine.inputs().as_slice(),
        "outputs": is_plain.then(|| machine.outputs().iter().collect::<Vec<_>>()),
        "states": is_plain.then(|| machine.states().len()),
        "initial": machine.states()[machine.initial()],
        "transitions": machine.n_transitions(),
        "mutated": machine.n_mutated(),
        "machines": machine.n_machines().to_string(),
    })
}

/// The facts about a machine, a line each.
pub fn machine_text(machine: &MutationMachine) -> String {
    let facts = machine_facts(machine).into_iter();
    facts
        .map(|(name, value)| format!("{name:12}{}\n", visible(&value)))
        .collect()
}
