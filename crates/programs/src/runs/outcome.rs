//! The outcome of a test.

use std::time::Duration;

use num_rational::BigRational;
use serde::{Deserialize, Serialize};

use super::failure_location::Awaited;
use super::finding::Finding;
use super::judged::Judged;
use super::lines;
use crate::remarks::Remark;
use tamper_suite::{Event, Lateness};

/// A test that was run, once or several times.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestRun {
    /// The test's id.
    pub test: String,
    /// The mutants that it is made to show.
    pub purpose: Vec<String>,
    /// The outcome of the test.
    pub outcome: Outcome,
    /// The numbers of its runs.
    pub tally: Tally,
    /// The events of the first run that failed, else of the last run.
    #[serde(with = "lines::log")]
    pub log: Vec<Event>,
    /// The time until which the program was listened to, in time units since the test began.
    #[serde(with = "lines::time")]
    pub until: BigRational,
    /// The greatest lateness of the tester in that run, if time was measured.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "lines::lateness")]
    pub lateness: Option<Lateness>,
    /// The outputs that were allowed in that run, wait by wait, as far as they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub awaited: Vec<Awaited>,
    /// The ruling of the specification on that run.
    pub judged: Judged,
    /// The program's remarks in that run.
    pub remarks: Vec<Remark>,
    /// The wall time of all its runs.
    #[serde(rename = "wall_ms", with = "lines::millis")]
    pub wall: Duration,
}

impl TestRun {
    /// Whether the outcome says anything about the program: if the tester was late, it does not.
    pub fn says_something(&self) -> bool {
        !matches!(self.outcome, Outcome::Late(_))
    }
}

/// The numbers of runs of a test.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// The runs that count.
    pub runs: u32,
    /// The runs that failed.
    pub fails: u32,
    /// In addition, the runs in which the tester was late.
    pub late: u32,
}

/// The outcome of a test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Outcome {
    /// The test came to its end, and all was allowed.
    Pass,
    /// All was allowed; the test's purpose was not reached.
    Inconclusive(Finding),
    /// Something was not allowed, in every run.
    Fail(Finding),
    /// Something was not allowed in some run, and everything was allowed in another one.
    Unsteady(Finding),
    /// No verdict: the tester was late.
    Late(Finding),
    /// No verdict: the program cannot be tested.
    Broken(Finding),
    /// No verdict: the test fails what the specification allows.
    Differs(Finding),
}

impl Outcome {
    /// The name of the outcome in files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Inconclusive(_) => "inconclusive",
            Self::Fail(_) => "fail",
            Self::Unsteady(_) => "unsteady",
            Self::Late(_) => "late",
            Self::Broken(_) => "broken",
            Self::Differs(_) => "differs",
        }
    }

    /// The finding of the outcome; `None` for a pass.
    pub fn finding(&self) -> Option<&Finding> {
        match self {
            Self::Pass => None,
            Self::Inconclusive(finding)
            | Self::Fail(finding)
            | Self::Unsteady(finding)
            | Self::Late(finding)
            | Self::Broken(finding)
            | Self::Differs(finding) => Some(finding),
        }
    }

    /// Whether the outcome counts against the program: something was not allowed, or the program cannot be tested.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Fail(_) | Self::Unsteady(_) | Self::Broken(_))
    }
}
