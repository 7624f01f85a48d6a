//! What becomes of a test.

use std::time::Duration;

use num_rational::BigRational;
use serde::{Deserialize, Serialize};

use super::finding::Finding;
use super::judged::Judged;
use super::lines;
use super::place::Awaited;
use crate::remarks::Remark;
use tamper_suite::{Event, Lateness};

/// A test that was run, once or several times.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestRun {
    /// The test's id.
    pub test: String,
    /// The mutants that it is to show.
    pub purpose: Vec<String>,
    /// What it ended in.
    pub outcome: Outcome,
    /// How often it was run.
    pub tally: Tally,
    /// What happened: in the first run that failed, else in the last one.
    #[serde(with = "lines::log")]
    pub log: Vec<Event>,
    /// Until when the program was listened to, in time units since the test began.
    #[serde(with = "lines::time")]
    pub until: BigRational,
    /// Where the tester was the latest then, if time was measured.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "lines::lateness")]
    pub lateness: Option<Lateness>,
    /// What was allowed then, wait by wait, as far as it is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub awaited: Vec<Awaited>,
    /// What the specification says of that.
    pub judged: Judged,
    /// What the program said then beside the protocol.
    pub remarks: Vec<Remark>,
    /// How long all its runs took.
    #[serde(rename = "wall_ms", with = "lines::millis")]
    pub wall: Duration,
}

impl TestRun {
    /// Whether it says anything of the program: where the tester was late, there is nothing to know.
    pub fn says_something(&self) -> bool {
        !matches!(self.outcome, Outcome::Late(_))
    }
}

/// How often a test was run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// All runs that count.
    pub runs: u32,
    /// Those that failed.
    pub fails: u32,
    /// Besides, the runs in which the tester was late.
    pub late: u32,
}

/// What a test ended in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Outcome {
    /// The test came to its end, and all was allowed.
    Pass,
    /// All was allowed; the test's purpose was not reached.
    Inconclusive(Finding),
    /// Something was not allowed, in every run.
    Fail(Finding),
    /// Something was not allowed in some run, and in another one all was.
    Unsteady(Finding),
    /// No verdict: the tester was late.
    Late(Finding),
    /// No verdict: the program cannot be tested.
    Broken(Finding),
    /// No verdict: the test fails what the specification allows.
    Differs(Finding),
}

impl Outcome {
    /// Its name in files.
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

    /// What is said of it; nothing of a pass.
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

    /// Whether it counts against the program: something was not allowed, or it cannot be tested.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Fail(_) | Self::Unsteady(_) | Self::Broken(_))
    }
}
