//! Results of a suite as test cases of JUnit.

use crate::model_runs::outcome_text;
use crate::test_runs::{UNREACHED, log_text, purpose_text, remarks_text, why};
use crate::{JunitCase, JunitResult, JunitSuite};
use tamper_programs::{Outcome, TestRun};
use tamper_runs::{ModelOutcome, ModelRun, ModelRuns};
use tamper_suite::{TestVerdict, Words};

/// The program that a suite was run against.
#[derive(Clone, Copy, Debug)]
pub struct JunitProgram<'a> {
    /// The program's command or address.
    pub sut: &'a str,
    /// The wording of times.
    pub words: &'a Words,
    /// The name of the class of every test case.
    pub class: &'a str,
    /// Whether an inconclusive test counts as a failure.
    pub strict: bool,
}

/// The tests that were run against a program.
pub fn junit_of_program(runs: &[TestRun], program: JunitProgram<'_>) -> Vec<JunitSuite> {
    let case = |run: &TestRun| JunitCase {
        name: run.test.clone(),
        class: program.class.to_owned(),
        wall: run.wall,
        result: program_result(run, program.strict),
        output: [
            purpose_lines(&run.purpose, false),
            log_text(&run.log, program.words, ""),
            remarks_text(&run.remarks, ""),
        ]
        .concat(),
    };
    vec![JunitSuite {
        name: program.sut.to_owned(),
        cases: runs.iter().map(case).collect(),
    }]
}

fn program_result(run: &TestRun, strict: bool) -> JunitResult {
    let (kind, message) = (run.outcome.name().to_owned(), why(run));
    match run.outcome {
        Outcome::Pass => JunitResult::Passed,
        Outcome::Inconclusive(_) if !strict => JunitResult::Skipped { message },
        Outcome::Inconclusive(_) | Outcome::Fail(_) | Outcome::Unsteady(_) => JunitResult::Failed { kind, message },
        Outcome::Late(_) | Outcome::Broken(_) | Outcome::Differs(_) => JunitResult::Error { kind, message },
    }
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
                ModelOutcome::Plays(plays) => purpose + &log_text(&plays.log, &Words::of_model(), ""),
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

/// The lines about the purpose of a test, and whether the test reached it.
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
            kind: outcome.kill().map_or("fail", tamper_suite::Kill::name).to_owned(),
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use num_rational::BigRational;

    use super::*;
    use tamper_programs::{Finding, Judged, Tally};

    #[test]
    fn only_what_the_program_does_is_a_failure() {
        let finding = || Finding {
            what: "it says so".to_owned(),
            group: "it".to_owned(),
            exactly: None,
            place: None,
        };
        let outcomes = [
            (Outcome::Pass, "Passed"),
            (Outcome::Inconclusive(finding()), "Skipped"),
            (Outcome::Fail(finding()), "Failed"),
            (Outcome::Unsteady(finding()), "Failed"),
            (Outcome::Late(finding()), "Error"),
            (Outcome::Broken(finding()), "Error"),
            (Outcome::Differs(finding()), "Error"),
        ];
        for (outcome, expected) in outcomes {
            let name = outcome.name();
            let run = TestRun {
                test: "t".to_owned(),
                purpose: Vec::new(),
                outcome,
                tally: Tally::default(),
                log: Vec::new(),
                until: BigRational::from_integer(0.into()),
                lateness: None,
                awaited: Vec::new(),
                judged: Judged::Not,
                remarks: Vec::new(),
                wall: Duration::ZERO,
            };
            let shown = format!("{:?}", program_result(&run, false));
            assert!(shown.starts_with(expected), "{name}: {shown}");
            let strict = format!("{:?}", program_result(&run, true));
            assert_eq!(strict.starts_with(expected), name != "inconclusive", "{name}: {strict}");
        }
    }
}
