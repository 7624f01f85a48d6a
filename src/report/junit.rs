//! Results of a suite as test cases of JUnit.

use super::model_runs::outcome_text;
use super::test_runs::{UNREACHED, log_text, purpose_text};
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
            Outcome::Verdict(TestVerdict::Pass | TestVerdict::Inconclusive) => JunitResult::Passed,
            Outcome::Verdict(TestVerdict::Fail) => JunitResult::Failed {
                kind: "fail".to_owned(),
                message: match &run.failure {
                    Some(failure) => failure.to_string(),
                    None => "the program does what the specification does not allow".to_owned(),
                },
            },
            Outcome::Broken(error) => JunitResult::Error {
                kind: "broken".to_owned(),
                message: format!("the program {error}"),
            },
        },
        output: format!(
            "{}{}",
            purpose_lines(
                &run.purpose,
                matches!(run.outcome, Outcome::Verdict(TestVerdict::Inconclusive))
            ),
            log_text(&run.log, "")
        ),
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
        output: {
            let purpose = purpose_lines(&run.purpose, run.outcome.is_unreached());
            match &run.outcome {
                ModelOutcome::Plays(plays) => purpose + &log_text(&plays.log, ""),
                _ => purpose,
            }
        },
    };
    let suite = |model: &ModelRuns| JunitSuite {
        name: model.implementation.clone(),
        cases: model.runs.iter().map(case).collect(),
    };
    runs.iter().map(suite).collect()
}

/// What a test is for, and whether it came to that.
fn purpose_lines(purpose: &[String], is_unreached: bool) -> String {
    let mut text = match purpose {
        [] => String::new(),
        purpose => format!("purpose: {}\n", purpose_text(purpose)),
    };
    if is_unreached {
        text.push_str(&format!("pass, {UNREACHED}\n"));
    }
    text
}

fn model_result(outcome: &ModelOutcome) -> JunitResult {
    let message = outcome_text(outcome);
    match (outcome.verdict(), outcome) {
        (Some(TestVerdict::Pass | TestVerdict::Inconclusive), _) => JunitResult::Passed,
        (Some(TestVerdict::Fail), _) => JunitResult::Failed {
            kind: outcome.kill().map_or("fail", crate::suite::Kill::name).to_owned(),
            message,
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
