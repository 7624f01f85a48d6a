//! What became of a suite that was run against a program.

use std::borrow::Cow;
use std::fmt::Write as _;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use serde_json::{Map, Value, json};

use crate::experiment::sut::{Outcome, TestRun};
use crate::suite::{Event, TestVerdict, What};
use crate::text::visible;

/// How many tests ended how.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RunCounts {
    /// The number of tests that passed.
    pub pass: usize,
    /// Of these: did not come to where the mutants they are for would be seen, as the program took another way that is
    /// allowed.
    pub unreached: usize,
    /// The number of tests that failed.
    pub fail: usize,
    /// Without a verdict: the program cannot be tested.
    pub broken: usize,
}

impl RunCounts {
    /// Counts the runs by their verdicts.
    pub fn of(runs: &[TestRun]) -> Self {
        let mut counts = Self::default();
        for run in runs {
            *match run.outcome {
                Outcome::Verdict(TestVerdict::Pass | TestVerdict::Inconclusive) => &mut counts.pass,
                Outcome::Verdict(TestVerdict::Fail) => &mut counts.fail,
                Outcome::Broken(_) => &mut counts.broken,
            } += 1;
            counts.unreached += usize::from(is_unreached(run));
        }
        counts
    }
}

fn is_unreached(run: &TestRun) -> bool {
    matches!(run.outcome, Outcome::Verdict(TestVerdict::Inconclusive))
}

/// The counts, and of every test that did not pass, or not reach its purpose, what happened.
pub fn test_runs_text(runs: &[TestRun]) -> String {
    let mut text = String::new();
    for run in runs {
        let Some(ending) = ending(run) else { continue };
        let _ = writeln!(text, "{}: {ending}", run.test);
        if !run.purpose.is_empty() {
            let _ = writeln!(text, "  purpose: {}", purpose_text(&run.purpose));
        }
        text.push_str(&log_text(&run.log, "  "));
    }
    let counts = RunCounts::of(runs);
    let _ = write!(
        text,
        "{} tests: {}, {} fail, {} without a verdict",
        runs.len(),
        passes_text(counts.pass, counts.unreached),
        counts.fail,
        counts.broken
    );
    text
}

/// How a run ended that did not pass, or not on purpose.
pub(super) fn ending(run: &TestRun) -> Option<String> {
    match &run.outcome {
        Outcome::Verdict(TestVerdict::Pass) => None,
        Outcome::Verdict(TestVerdict::Inconclusive) => Some(format!("pass, {UNREACHED}")),
        Outcome::Verdict(TestVerdict::Fail) => Some(match &run.failure {
            Some(failure) => format!("fail: {failure}"),
            None => "fail".to_owned(),
        }),
        Outcome::Broken(error) => Some(format!("no verdict: the program {error}")),
    }
}

/// What is said of a test that conforms but does not come to where its mutants would be seen.
pub(super) const UNREACHED: &str = "its purpose not reached";

/// The mutants that a test is to show.
pub(super) fn purpose_text(purpose: &[String]) -> String {
    match purpose {
        [] => "none is named".to_owned(),
        [one] => format!("to show {one}"),
        [one, others @ ..] => format!("to show {one} and {} more", others.len()),
    }
}

pub(super) fn passes_text(pass: usize, unreached: usize) -> String {
    match unreached {
        0 => format!("{pass} pass"),
        unreached => format!("{pass} pass ({unreached} without reaching their purpose)"),
    }
}

/// What happened, a line per event, each behind `indent`.
pub(super) fn log_text(log: &[Event], indent: &str) -> String {
    let mut text = String::new();
    for event in log {
        let _ = writeln!(
            text,
            "{indent}at {:<8} {}",
            time_text(&event.at),
            what_text(&event.what)
        );
    }
    text
}

/// What happened, in one line.
pub fn log_line(log: &[Event]) -> String {
    let one = |event: &Event| format!("{} at {}", what_text(&event.what), time_text(&event.at));
    log.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A time that is not negative, exactly: one that a clock on the wall measured as a decimal, one of a model as a fraction.
fn time_text(time: &BigRational) -> String {
    const MOST_DIGITS: u32 = 12;
    if *time.denom() <= BigInt::from(100) {
        return time.to_string();
    }
    let decimal = |digits: u32| {
        let scale = BigInt::from(10).pow(digits);
        let scaled = time * &scale;
        let (whole, rest) = scaled.to_integer().div_rem(&scale);
        let width = digits as usize;
        scaled.is_integer().then(|| format!("{whole}.{rest:0>width$}"))
    };
    (1..=MOST_DIGITS).find_map(decimal).unwrap_or_else(|| time.to_string())
}

fn what_text(what: &What) -> Cow<'_, str> {
    match what {
        What::Input(action) | What::Output(action) => visible(action),
        What::Refused(action) => format!("{} refused", visible(action)).into(),
        What::Silence => "(nothing came)".into(),
    }
}

/// The same as JSON, every test with its log.
pub fn test_runs_json(runs: &[TestRun]) -> Value {
    let counts = RunCounts::of(runs);
    json!({
        "tests": runs.len(),
        "pass": counts.pass,
        "fail": counts.fail,
        "purpose_not_reached": counts.unreached,
        "broken": counts.broken,
        "runs": runs.iter().map(run_json).collect::<Vec<_>>(),
    })
}

fn run_json(run: &TestRun) -> Value {
    let mut object = Map::new();
    object.insert("test".to_owned(), json!(run.test));
    object.insert("purpose".to_owned(), json!(run.purpose));
    let (name, value) = match &run.outcome {
        Outcome::Verdict(TestVerdict::Fail) => {
            object.insert("verdict".to_owned(), json!(TestVerdict::Fail.name()));
            ("reason", json!(run.failure.as_ref().map(ToString::to_string)))
        }
        Outcome::Verdict(_) => {
            object.insert("verdict".to_owned(), json!(TestVerdict::Pass.name()));
            ("purpose_reached", json!(!is_unreached(run)))
        }
        Outcome::Broken(error) => {
            object.insert("verdict".to_owned(), Value::Null);
            ("broken", json!(error.to_string()))
        }
    };
    object.insert(name.to_owned(), value);
    object.insert("log".to_owned(), run.log.iter().map(event_json).collect());
    Value::Object(object)
}

pub(super) fn event_json(event: &Event) -> Value {
    let at = event.at.to_string();
    match &event.what {
        What::Input(action) => json!({ "at": at, "input": action }),
        What::Output(action) => json!({ "at": at, "output": action }),
        What::Refused(action) => json!({ "at": at, "refused": action }),
        What::Silence => json!({ "at": at, "silence": true }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measured_times_are_decimals_and_others_fractions() {
        let text =
            |numerator: i64, denominator: i64| time_text(&BigRational::new(numerator.into(), denominator.into()));
        assert_eq!(text(9, 2), "9/2");
        assert_eq!(text(2_300_650_513, 100_000_000), "23.00650513");
        assert_eq!(text(1, 1000), "0.001");
        assert_eq!(text(1, 700), "1/700");
    }
}
