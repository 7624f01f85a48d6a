//! The ruling of the specification on a run, whatever the test says.

use num_rational::BigRational;
use num_traits::Zero as _;
use serde::{Deserialize, Serialize};

use super::finding::Finding;
use tamper_suite::{
    Breach, Driven, Monitor, OnlineOracle, Ruling, SuiteFailure, TestVerdict, TimeUnit, Trace, Wait, Words,
};
use tamper_text::Budget;
use tamper_timed::model::Automaton;

/// Number of symbolic states after which a log is left unjudged.
const MOST_STATES: u64 = 100_000;

/// The specification, as the judge of logs.
pub struct LogJudge {
    monitor: Monitor,
    /// Limits of each judgement.
    budget: Budget,
}

tamper_text::named! {
    /// The ruling of the specification on the log of a test.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Judged {
        /// The specification was not asked.
        Not = "not",
        /// The specification allows the log.
        Legal = "legal",
        /// The specification allows the log up to an input that it does not take; it says nothing about later events.
        Beyond = "beyond",
        /// The specification does not allow the log.
        Illegal = "illegal",
        /// The ruling was not found within the limits.
        Unknown = "unknown",
    }
}

/// The assessment of a run by the test and the judge together.
pub(super) enum Weighed {
    /// The verdict of the test stands.
    Stands,
    /// The run tells nothing: the tester was late.
    Late,
    /// The run is a fail, though the test says something else.
    Breach(Finding),
    /// The test fails what the judge allows: some moments within the tolerance are allowed, or the real moments, which differ
    /// slightly from the moments of the test's schedule.
    Forgiven(Finding),
    /// The test fails what the judge allows, at exact times.
    Differ(Finding),
}

impl LogJudge {
    /// The judge with this specification.
    ///
    /// # Errors
    /// A game without a meaning or an initial state.
    pub fn new(specification: &Automaton) -> Result<Self, SuiteFailure> {
        let budget = Budget::unlimited().at_most(MOST_STATES);
        let monitor = Monitor::new(specification, &budget)?;
        Ok(Self { monitor, budget })
    }

    /// The judge of a test while it runs; it listens on for `longest` time units for a missing output.
    pub(super) fn oracle<'r>(
        &'r self,
        tolerance: &'r BigRational,
        longest: u32,
        is_over: &'r dyn Fn() -> bool,
    ) -> OnlineOracle<'r> {
        OnlineOracle {
            monitor: &self.monitor,
            tolerance,
            longest,
            budget: &self.budget,
            is_over,
        }
    }

    /// The outputs that the specification allowed in the waits of a run; empty if that is not found out within the limits.
    pub(super) fn waits(&self, driven: &Driven, words: &Words) -> Vec<Wait> {
        self.monitor
            .waits(trace(driven, words), &self.budget)
            .unwrap_or_default()
    }

    /// Judges a run of a test.
    pub(super) fn weigh(&self, driven: &Driven, words: &Words) -> (Judged, Weighed) {
        let fails = driven.verdict == TestVerdict::Fail;
        match self.monitor.ruling(trace(driven, words), &self.budget) {
            Err(_) => (Judged::Unknown, Weighed::Stands),
            Ok(Ruling::Illegal(breach)) => {
                let was_late = driven.lateness.as_ref();
                let weighed = match (fails, was_late.is_some_and(|late| late.exceeds(&words.tolerance))) {
                    (true, _) => Weighed::Stands,
                    (false, true) => Weighed::Late,
                    (false, false) => Weighed::Breach(finding(breach, driven, words)),
                };
                (Judged::Illegal, weighed)
            }
            Ok(allowed) => {
                let judged = match allowed {
                    Ruling::Beyond { .. } => Judged::Beyond,
                    _ => Judged::Legal,
                };
                let weighed = match fails {
                    true => differ(driven, words),
                    false => Weighed::Stands,
                };
                (judged, weighed)
            }
        }
    }
}

fn trace<'l>(driven: &'l Driven, words: &'l Words) -> Trace<'l> {
    Trace {
        events: &driven.log,
        until: &driven.until,
        tolerance: &words.tolerance,
    }
}

/// The assessment of a run that the test fails and the specification allows.
fn differ(driven: &Driven, words: &Words) -> Weighed {
    let failed = Finding::of_driven(driven, words);
    match (&words.unit, words.tolerance.is_zero()) {
        (TimeUnit::Model, true) => Weighed::Differ(
            failed.behind("test and judge differ: the specification allows what was seen, the test says"),
        ),
        (_, false) => Weighed::Forgiven(failed.behind("the specification allows what was seen, within the tolerance")),
        (TimeUnit::Wall(_), true) => {
            Weighed::Forgiven(failed.behind("the specification allows what was seen, at the times it was"))
        }
    }
}

/// The finding for a breach, in the words of a failure.
fn finding(breach: Breach, driven: &Driven, words: &Words) -> Finding {
    let failure = breach.failure(&driven.log, &driven.until);
    Finding::of_failure(&failure, words).behind("by the specification, though the test does not see it")
}
