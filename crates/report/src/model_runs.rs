//! The results of a suite that was executed against models.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::test_runs::{UNREACHED, event_json, log_text, passes_text, purpose_text};
use tamper_runs::{ModelOutcome, ModelRun, ModelRuns};
use tamper_suite::{Ends, Kill, TestVerdict, Words};

/// The number of executions by result.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ModelCounts {
    /// The number of models on which nothing failed.
    pub pass: usize,
    /// Of these, the number of models on which no run reached a place where the test's mutants would be seen.
    pub unreached: usize,
    /// The number of models on which something failed.
    pub fail: usize,
    /// The number of models on which every run failed; only known if all runs were explored.
    pub definite: usize,
    /// The number of models where a limit was hit.
    pub unknown: usize,
    /// The number of models that cannot be tested.
    pub broken: usize,
}

impl ModelCounts {
    /// Counts the executions by their results.
    pub fn of<'r>(runs: impl IntoIterator<Item = &'r ModelRun>) -> Self {
        let mut counts = Self::default();
        for run in runs {
            let outcome = &run.outcome;
            *match (outcome.verdict(), outcome) {
                (Some(TestVerdict::Fail), _) => &mut counts.fail,
                (Some(_), _) => &mut counts.pass,
                (None, ModelOutcome::Broken(_)) => &mut counts.broken,
                (None, _) => &mut counts.unknown,
            } += 1;
            counts.unreached += usize::from(outcome.is_unreached());
            counts.definite += usize::from(outcome.kill() == Some(Kill::Definite));
        }
        counts
    }

    fn text(self) -> String {
        let Self {
            pass,
            unreached,
            fail,
            definite,
            unknown,
            broken,
        } = self;
        let mut text = format!("{}, {fail} fail", passes_text(pass, unreached));
        if definite > 0 {
            let _ = write!(text, " ({definite} always)");
        }
        for (n, what) in [(unknown, "unknown"), (broken, "without a verdict")] {
            if n > 0 {
                let _ = write!(text, ", {n} {what}");
            }
        }
        text
    }
}

/// The kinds of ends by name.
fn names(ends: Ends) -> Vec<&'static str> {
    let all = [
        (ends.pass, "pass"),
        (ends.fail, "fail"),
        (ends.inconclusive, "inconclusive"),
        (ends.stalled, "stalled"),
    ];
    all.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect()
}

/// The result of a test, in a sentence.
pub(super) fn outcome_text(outcome: &ModelOutcome) -> String {
    match outcome {
        ModelOutcome::Ends(ends) if ends.must_fail() => "every run fails".to_owned(),
        ModelOutcome::Ends(ends) if ends.fail => {
            let others: Vec<_> = names(*ends).into_iter().filter(|name| *name != "fail").collect();
            format!("some runs fail; others: {}", others.join(", "))
        }
        ModelOutcome::Ends(ends) => format!("no run fails; the runs: {}", names(*ends).join(", ")),
        ModelOutcome::Plays(plays) => {
            let stalled = match plays.stalled {
                0 => String::new(),
                stalled => format!(", {stalled} stalled"),
            };
            format!(
                "{} plays pass, {} fail, {} inconclusive{stalled}",
                plays.pass, plays.fail, plays.inconclusive
            )
        }
        ModelOutcome::Unknown(why) => format!("unknown: {why}"),
        ModelOutcome::Broken(why) => format!("no verdict: {why}"),
    }
}

/// The counts per model, and the result of every test that did not pass.
pub fn model_runs_text(runs: &[ModelRuns]) -> String {
    let mut text = String::new();
    for model in runs {
        let counts = ModelCounts::of(&model.runs).text();
        let _ = writeln!(text, "{}: {} tests: {counts}", model.implementation, model.runs.len());
        for run in &model.runs {
            let is_unreached = run.outcome.is_unreached();
            if run.outcome.verdict() == Some(TestVerdict::Pass) && !is_unreached {
                continue;
            }
            let not_reached = if is_unreached {
                format!("pass, {UNREACHED}: ")
            } else {
                String::new()
            };
            let _ = writeln!(text, "  {}: {not_reached}{}", run.test, outcome_text(&run.outcome));
            if !run.purpose.is_empty() {
                let _ = writeln!(text, "    purpose: {}", purpose_text(&run.purpose));
            }
            if let ModelOutcome::Plays(plays) = &run.outcome {
                text.push_str(&log_text(&plays.log, &Words::of_model(), "    "));
            }
        }
    }
    if runs.len() > 1 {
        let failing = runs
            .iter()
            .filter(|model| ModelCounts::of(&model.runs).fail > 0)
            .count();
        let _ = writeln!(text, "{} models: {failing} fail some test", runs.len());
    }
    text
}

/// The same as JSON, with every test.
pub fn model_runs_json(runs: &[ModelRuns]) -> Value {
    let counts = |counts: ModelCounts| {
        let mut object = Map::new();
        for (name, n) in [
            ("pass", counts.pass),
            ("fail", counts.fail),
            ("definite", counts.definite),
            ("purpose_not_reached", counts.unreached),
            ("unknown", counts.unknown),
            ("broken", counts.broken),
        ] {
            object.insert(name.to_owned(), json!(n));
        }
        object
    };
    let model = |model: &ModelRuns| {
        let mut object = counts(ModelCounts::of(&model.runs));
        object.insert("model".to_owned(), json!(model.implementation));
        object.insert("runs".to_owned(), model.runs.iter().map(run_json).collect());
        Value::Object(object)
    };
    let mut object = counts(ModelCounts::of(runs.iter().flat_map(|model| &model.runs)));
    let tests = runs.first().map_or(0, |model| model.runs.len());
    object.insert("tests".to_owned(), json!(tests));
    object.insert("models".to_owned(), runs.iter().map(model).collect());
    Value::Object(object)
}

fn run_json(run: &ModelRun) -> Value {
    let verdict = run.outcome.verdict().map(TestVerdict::name);
    let mut value = json!({ "test": run.test, "purpose": run.purpose, "verdict": verdict });
    if run.outcome.verdict() == Some(TestVerdict::Pass) {
        value["purpose_reached"] = json!(!run.outcome.is_unreached());
    }
    if let Some(kill) = run.outcome.kill() {
        value["kill"] = json!(kill.name());
    }
    match &run.outcome {
        ModelOutcome::Ends(ends) => value["ends"] = json!(names(*ends)),
        ModelOutcome::Plays(plays) => {
            value["plays"] = json!({
                "pass": plays.pass, "fail": plays.fail, "inconclusive": plays.inconclusive, "stalled": plays.stalled,
            });
            if !plays.log.is_empty() {
                value["log"] = plays.log.iter().map(event_json).collect();
            }
        }
        ModelOutcome::Unknown(why) => value["unknown"] = json!(why),
        ModelOutcome::Broken(why) => value["broken"] = json!(why),
    }
    value
}
