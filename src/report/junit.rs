//! Results of a suite as test cases of JUnit.

use super::model_runs::outcome_text;
use super::test_runs::log_text;
use crate::experiment::sut::{Outcome, TestRun};
use crate::experiment::{ModelOutcome, ModelRun, ModelRuns};
use crate::formats::{JunitCase, JunitResult, JunitSuite};
use crate::suite::TestVerdict;

/// The tests that were run against the program `sut`; `class` is what they test.
pub fn junit_of_program(runs: &[TestRun], sut: &str, class: &str) -> Vec<JunitSuite> {
    let case = |run: &TestRun| JunitCase {
        name: run.test.clone(),
        class: class.to_owned(),
        wall: run.wall,
        result: match &run.outcome {
            Outcome::Verdict(TestVerdict::Pass) => JunitResult::Passed,
            Outcome::Verdict(TestVerdict::Fail) => JunitResult::Failed {
                kind: "fail".to_owned(),
                message: "the program does what the specification does not allow".to_owned(),
            },
            Outcome::Verdict(TestVerdict::Inconclusive) => JunitResult::Skipped {
                message: "inconclusive: allowed, but not on the test's path".to_owned(),
            },
            Outcome::Broken(error) => JunitResult::Error {
                kind: "broken".to_owned(),
                message: format!("the program {error}"),
            },
        },
        output: log_text(&run.log, ""),
    };
    vec![JunitSuite {
        name: sut.to_owned(),
        cases: runs.iter().map(case).collect(),
    }]
}

/// The tests that were executed against models, a suite per model; `class` is what they test.
pub fn junit_of_models(runs: &[ModelRuns], class: &str) -> Vec<JunitSuite> {
    let case = |run: &ModelRun| JunitCase {
        name: run.test.clone(),
        class: class.to_owned(),
        wall: run.wall,
        result: model_result(&run.outcome),
        output: match &run.outcome {
            ModelOutcome::Plays(plays) => log_text(&plays.log, ""),
            _ => String::new(),
        },
    };
    let suite = |model: &ModelRuns| JunitSuite {
        name: model.implementation.clone(),
        cases: model.runs.iter().map(case).collect(),
    };
    runs.iter().map(suite).collect()
}

fn model_result(outcome: &ModelOutcome) -> JunitResult {
    let message = outcome_text(outcome);
    match (outcome.verdict(), outcome) {
        (Some(TestVerdict::Pass), _) => JunitResult::Passed,
        (Some(TestVerdict::Fail), _) => JunitResult::Failed {
            kind: outcome.kill().map_or("fail", crate::suite::Kill::name).to_owned(),
            message,
        },
        (Some(TestVerdict::Inconclusive), _) => JunitResult::Skipped {
            message: format!("inconclusive: {message}"),
        },
        (None, ModelOutcome::Broken(_)) => JunitResult::Error {
            kind: "broken".to_owned(),
            message,
        },
        (None, _) => JunitResult::Error {
            kind: "unknown".to_owned(),
            message,
        },
    }
}
