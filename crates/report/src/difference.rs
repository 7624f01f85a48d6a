//! State machines compared: `refine` and `families`, as text and JSON.

use std::fmt::Write as _;

use num_bigint::BigUint;
use serde_json::Value;

use super::answers::{
    DifferenceAnswer, Digits, ExampleAnswer, MachineFamilyAnswer, MachineVerdict, MachinesAnswer, value,
};
use tamper_machines::{Difference, Number};
use tamper_text::StopReason;

/// The difference between two machines, if there is one; or the limit that was hit.
pub type Compared = Result<Option<Difference>, StopReason>;

fn verdict<T>(compared: &Result<Option<T>, StopReason>) -> &'static str {
    match compared {
        Ok(None) => "subsumed",
        Ok(Some(_)) => "non-subsumed",
        Err(_) => "unknown",
    }
}

fn machine_verdict<T>(compared: &Result<Option<T>, StopReason>) -> MachineVerdict {
    match compared {
        Ok(None) => MachineVerdict::Subsumed,
        Ok(Some(_)) => MachineVerdict::NonSubsumed,
        Err(_) => MachineVerdict::Unknown,
    }
}

fn difference_text(difference: &Difference, left: &str, right: &str, text: &mut String) {
    let width = left.chars().count().max(right.chars().count()).max("word".len());
    for (name, words) in [
        ("word", &difference.inputs),
        (left, &difference.left),
        (right, &difference.right),
    ] {
        let _ = writeln!(text, "{name:width$}  {}", words.join(" "));
    }
}

fn difference_answer(difference: &Difference) -> DifferenceAnswer {
    DifferenceAnswer {
        word: difference.inputs.clone(),
        left: difference.left.clone(),
        right: difference.right.clone(),
    }
}

/// The answer of `refine` about two machines with these names.
pub fn machines_text(compared: &Compared, left: &str, right: &str) -> String {
    let mut text = format!("{}\n", verdict(compared));
    match compared {
        Ok(None) => {
            let _ = writeln!(text, "{left} answers every word as {right} does.");
        }
        Ok(Some(difference)) => {
            let _ = writeln!(
                text,
                "{left} answers a word in another way than {right}; there is none that is shorter.\n"
            );
            difference_text(difference, left, right, &mut text);
        }
        Err(reason) => {
            let _ = writeln!(text, "{reason}.");
        }
    }
    text
}

/// The comparison of two machines as JSON.
pub fn machines_json(compared: &Compared, left: &str, right: &str) -> Value {
    let (difference, because) = match compared {
        Ok(found) => (found.as_ref().map(difference_answer), None),
        Err(reason) => (None, Some(reason.to_string())),
    };
    value(&MachinesAnswer {
        verdict: machine_verdict(compared),
        machines: [left.to_owned(), right.to_owned()],
        because,
        difference,
    })
}

/// The machines of a mutation machine, compared with a specification.
#[derive(Clone, Debug)]
pub struct MachineFamily {
    /// The number of machines in the family.
    pub machines: BigUint,
    /// The number of machines that answer as the specification does.
    pub subsumed: Number,
    /// A machine that answers in another way: its mutated transitions, and a shortest word that shows it; or the limit that hides it.
    pub compared: Result<Option<(Vec<String>, Difference)>, StopReason>,
}

impl MachineFamily {
    /// The comparison as the command `families` prints it.
    pub fn text(&self, family: &str, specification: &str) -> String {
        let mut text = format!("{}\n", verdict(&self.compared));
        let _ = writeln!(text, "machines    {}", self.machines);
        let subsumed = match &self.subsumed {
            Number::Exactly(number) => number.to_string(),
            Number::Between(least, most) => format!("{least} to {most}"),
        };
        let _ = writeln!(text, "subsumed    {subsumed}, by {specification}");
        match &self.compared {
            Ok(None) => {}
            Err(reason) => {
                let _ = writeln!(text, "because     {reason}");
            }
            Ok(Some((mutated, difference))) => {
                let transitions = match mutated.is_empty() {
                    true => "without mutated transitions".to_owned(),
                    false => format!("with {}", mutated.join(" ")),
                };
                let _ = writeln!(text, "\nnot subsumed, for example, is the machine {transitions}");
                difference_text(difference, family, specification, &mut text);
            }
        }
        text
    }
    /// The comparison as JSON, with the same facts.
    pub fn json(&self, family: &str, specification: &str) -> Value {
        let (example, because) = match &self.compared {
            Ok(found) => (found.as_ref(), None),
            Err(reason) => (None, Some(reason.to_string())),
        };
        value(&MachineFamilyAnswer {
            verdict: machine_verdict(&self.compared),
            machine: family.to_owned(),
            specification: specification.to_owned(),
            machines: Digits::of(&self.machines),
            subsumed: (&self.subsumed).into(),
            because,
            example: example.map(|(mutated, difference)| ExampleAnswer {
                mutated: mutated.clone(),
                difference: difference_answer(difference),
            }),
        })
    }
}
