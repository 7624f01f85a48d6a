//! Counterexamples in one line.

use std::fmt::Write as _;

use tamper_game::{Counterexample, Demand, Doing, End, Play, Side};

/// The forced part of a counterexample and its end, e.g. `1: wakeup1?; 2: timeout! is not allowed`. Delays are exact,
/// in model time units; `(ignored)` marks an input that the mover ignores.
pub(crate) fn short_form(counterexample: &Counterexample) -> String {
    let Play { steps, end } = &counterexample.play;
    let mut text = String::new();
    for step in steps {
        push_demand(&mut text, &step.demand);
        text.push_str("; ");
    }
    match end {
        End::NoAnswer(demand) => {
            push_demand(&mut text, demand);
            text.push_str(match demand.mover {
                Side::Mutant => " is not allowed",
                Side::Specification => " is refused",
            });
        }
        End::NoDelay { delay, .. } => {
            let _ = write!(text, "+{delay}: the delay is not allowed");
        }
        End::Branch(demand, answers) => {
            push_demand(&mut text, demand);
            let _ = write!(text, " has {} answers, which all lose", answers.len());
        }
    }
    text
}

fn push_demand(text: &mut String, demand: &Demand) {
    let _ = write!(text, "+{} {}", demand.delay, demand.action);
    if demand.doing == Doing::Ignores {
        text.push_str(" (ignored)");
    }
}
