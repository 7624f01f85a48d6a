//! Diagnostics for programs that have no states, at their places in the file.

use tamper_systems::{ExploreError, NoValue};
use tamper_text::Diagnostic;

/// The error, its place in the program's file, and advice.
pub fn explain(error: &ExploreError) -> Diagnostic {
    match error {
        ExploreError::NoInitialState(Some(why @ NoValue::OutOfDomain(..)))
        | ExploreError::Removed {
            why: why @ NoValue::OutOfDomain(..),
            ..
        } => Diagnostic::error(reason(*why), why.span()).with_help("write values of its type only, in sets, too"),
        ExploreError::NotTotal { state, input, why } => {
            let message = format!(
                "the state `{state}` has no step for the input `{input}`: {}",
                reason(*why)
            );
            let help = "give it one, or let it stay as it is with an output of its own: --unspecified fill";
            Diagnostic::error(message, why.span()).with_help(help)
        }
        ExploreError::Removed { state, input, why } => {
            let place = match state {
                Some(state) => format!("in the state `{state}` for the input `{input}`"),
                None => "initially".to_owned(),
            };
            let message = format!(
                "{place} a choice of one variable has no value for another, and would be left out silently: {}",
                reason(*why)
            );
            let help = "say what happens for every choice, as with a last branch `TRUE : …;`";
            Diagnostic::error(message, why.span()).with_help(help)
        }
        ExploreError::NoInitialState(Some(why)) => {
            let message = format!("no state is initial: {}", reason(*why));
            Diagnostic::error(message, why.span()).with_help("give every variable an initial value")
        }
        ExploreError::NoInitialState(None) => {
            Diagnostic::error("no state is initial", None).with_help("give every variable an initial value")
        }
        ExploreError::TooManyInputs(n) => {
            let message = format!("there are {n} inputs in one step, more than can be tried");
            Diagnostic::error(message, None).with_help("give the inputs smaller domains")
        }
        ExploreError::TooLarge => Diagnostic::error("the variables have more than 2^128 valuations", None)
            .with_help("give them smaller domains"),
        ExploreError::TooManySteps => {
            Diagnostic::error("a state has more than a million successors for one input", None)
                .with_help("give variables that are chosen freely smaller domains")
        }
        ExploreError::Circular => {
            Diagnostic::error("values depend on each other in a circle", None).with_help("break the circle")
        }
        other => Diagnostic::error(format!("{other:?}"), None),
    }
}

fn reason(why: NoValue) -> String {
    match why {
        NoValue::NoBranch(_) => "no branch of this case applies".to_owned(),
        NoValue::Constrained(_) => "this constraint leaves nothing".to_owned(),
        NoValue::DivisionByZero(_) => "this divides by 0".to_owned(),
        NoValue::TooLarge(_) => "this is too large to be computed".to_owned(),
        NoValue::OutOfDomain(_, value) => format!("{value} is outside the variable's type"),
    }
}
