//! Places in a run at which something went wrong, with the outputs allowed there: the data that sentences and timelines are made of.

use num_rational::BigRational;
use serde::{Deserialize, Serialize};

use super::lines;
use tamper_suite::{Allowed, Driven, Failure, UnexpectedOutput, What};

/// The place at which a run left the allowed behaviour, or the path of its test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The time, in time units since the test began: when something came, or by when it should have come.
    #[serde(with = "lines::time")]
    pub at: BigRational,
    /// The time from which on the test waited, in time units since it began.
    #[serde(with = "lines::time")]
    pub since: BigRational,
    /// The time until which nothing came, in time units since the test began; `None` if something came.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "lines::maybe_time")]
    pub silent_until: Option<BigRational>,
    /// The outputs that were allowed in that wait.
    pub expected: Vec<Permitted>,
}

/// A wait in which some output was allowed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Awaited {
    /// The start of the wait, in time units since the test began.
    #[serde(with = "lines::time")]
    pub since: BigRational,
    /// The end of the wait, in time units since the test began.
    #[serde(with = "lines::time")]
    pub until: BigRational,
    /// The outputs that were allowed in the wait.
    pub expected: Vec<Permitted>,
}

/// An output that was allowed, and its window.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Permitted {
    /// The output, as `name!`.
    pub output: String,
    /// The start of the window; `None` for the beginning of the wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<WindowEnd>,
    /// The end of the window; `None` if it is unbounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<WindowEnd>,
}

/// An end of a window.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowEnd {
    /// The moment, in time units since the test began.
    #[serde(with = "lines::time")]
    pub at: BigRational,
    /// The delay since the wait began, in time units.
    #[serde(with = "lines::time")]
    pub after: BigRational,
    /// Whether that moment is excluded.
    #[serde(rename = "excluded", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_excluded: bool,
}

impl Place {
    /// A moment of a run, without further information.
    pub(super) fn at(at: BigRational) -> Self {
        Self {
            since: at.clone(),
            at,
            silent_until: None,
            expected: Vec::new(),
        }
    }

    /// The place of a failure.
    pub(super) fn of_failure(failure: &Failure) -> Self {
        let came = &failure.came;
        let (at, silent_until) = match (&came.what, &failure.unexpected) {
            (What::Silence, Some(UnexpectedOutput::Late { at, .. })) => (at.clone(), None),
            (What::Silence, Some(UnexpectedOutput::Never { until })) => (due(failure), Some(until.clone())),
            (What::Silence, None) => (due(failure), Some(came.at.clone())),
            _ => (came.at.clone(), None),
        };
        Self {
            at,
            since: failure.entered.clone(),
            silent_until,
            expected: permitted(&failure.expected, &failure.entered),
        }
    }

    /// The place at which a run left the path of its test at `at`, in its last wait.
    pub(super) fn of_last_wait(driven: &Driven, at: &BigRational) -> Self {
        match driven.waits.last() {
            None => Self::at(at.clone()),
            Some(wait) => Self {
                at: at.clone(),
                since: wait.since.clone(),
                silent_until: None,
                expected: permitted(&wait.expected, &wait.since),
            },
        }
    }
}

/// The time by which an output should have come; if it has no bound, the time until which the test waited.
fn due(failure: &Failure) -> BigRational {
    let ends: Option<Vec<&BigRational>> = failure
        .expected
        .iter()
        .map(|allowed| allowed.by.as_ref().map(|(by, _)| by))
        .collect();
    let last = ends.and_then(|ends| ends.into_iter().max());
    last.unwrap_or(&failure.came.at).clone()
}

/// The waits in which something was allowed; each lasts until the next one begins, the last one until the run ended.
pub(super) fn awaited(driven: &Driven) -> Vec<Awaited> {
    let next = driven.waits.iter().skip(1).map(|wait| &wait.since);
    let all = driven.waits.iter().zip(next.chain([&driven.until]));
    let some = all.filter(|(wait, _)| !wait.expected.is_empty());
    some.map(|(wait, until)| Awaited {
        since: wait.since.clone(),
        until: until.clone(),
        expected: permitted(&wait.expected, &wait.since),
    })
    .collect()
}

fn permitted(expected: &[Allowed], since: &BigRational) -> Vec<Permitted> {
    let end = |(at, is_excluded): &(BigRational, bool)| WindowEnd {
        after: at - since,
        at: at.clone(),
        is_excluded: *is_excluded,
    };
    expected
        .iter()
        .map(|allowed| Permitted {
            output: allowed.action.clone(),
            from: allowed.from.as_ref().map(end),
            by: allowed.by.as_ref().map(end),
        })
        .collect()
}

#[cfg(test)]
mod tests;
