//! The fewest tests of a machine, as text and JSON.

use std::fmt::Write as _;

use serde_json::Value;

use super::answers::{Digits, SmallestAnswer, SmallestVerdict, value};
use super::coverage::extended_lines;
use tamper_machines::{Mutant, MutationMachine, Smallest};

/// The suite as `tamper coverage --suite smallest` shows it, without the tests.
pub fn smallest_text(machine: &MutationMachine, found: &Smallest) -> String {
    let mut text = match &found.stopped {
        None => "complete\n".to_owned(),
        Some(reason) => format!("unknown\nbecause     {reason}\n"),
    };
    let _ = writeln!(text, "machines    {}", machine.n_machines());
    for (name, value) in machine.extended().map(extended_lines).unwrap_or_default() {
        let _ = writeln!(text, "{name:12}{value}");
    }
    let n_inputs: usize = found.tests.iter().map(Vec::len).sum();
    let _ = write!(text, "tests       {}, {n_inputs} inputs; ", found.tests.len());
    match (found.is_proved(), found.lower_bound) {
        (true, _) if found.is_shortest => {
            text.push_str("no complete suite has fewer tests, or as few and fewer inputs")
        }
        (true, _) => {
            text.push_str("no complete suite has fewer tests; whether one of as few has fewer inputs is not known")
        }
        (false, needed) => {
            let _ = write!(text, "every complete suite has at least {needed}");
        }
    }
    let mutants = match found.witnesses.as_slice() {
        [_] => "this mutant",
        _ => "these mutants together",
    };
    if found.lower_bound > 0 {
        let _ = write!(text, "\nneeded      by {mutants}:");
    }
    for mutant in &found.witnesses {
        let _ = write!(text, "\n            {}", mutant.show(machine).join(" "));
    }
    text.push('\n');
    text
}

/// The same for programs, with the tests.
pub fn smallest_json(machine: &MutationMachine, found: &Smallest) -> Value {
    let names = |test: &Vec<_>| -> Vec<String> {
        let inputs = test.iter();
        inputs.map(|input| machine.inputs()[*input].clone()).collect()
    };
    let shown = |mutant: &Mutant| mutant.show(machine);
    value(&SmallestAnswer {
        verdict: match found.stopped {
            None => SmallestVerdict::Complete,
            Some(_) => SmallestVerdict::Unknown,
        },
        machines: Digits::of(machine.n_machines()),
        tests: found.tests.iter().map(names).collect(),
        lower_bound: found.lower_bound,
        proved: found.is_proved(),
        shortest: found.is_shortest,
        needed_by: found.witnesses.iter().map(shown).collect(),
        because: found.stopped.map(|reason| reason.to_string()),
    })
}
