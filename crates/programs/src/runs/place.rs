//! Where in a run something went wrong, and what was allowed then: the data that sentences and timelines are made of.

use num_rational::BigRational;
use serde::{Deserialize, Serialize};

use super::lines;
use tamper_suite::{Allowed, Driven, Failure, UnexpectedOutput, What};

/// Where a run left what is allowed, or the way of its test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// When, in time units since the test began: when something came, or by when it should have come.
    #[serde(with = "lines::time")]
    pub at: BigRational,
    /// From when on the test waited, in time units since it began.
    #[serde(with = "lines::time")]
    pub since: BigRational,
    /// Until when nothing came, in time units since the test began; none if something came.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "lines::maybe_time")]
    pub silent_until: Option<BigRational>,
    /// What was allowed in that wait.
    pub expected: Vec<Permitted>,
}

/// A wait for outputs in which something was allowed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Awaited {
    /// From when on, in time units since the test began.
    #[serde(with = "lines::time")]
    pub since: BigRational,
    /// When it ended, in time units since the test began.
    #[serde(with = "lines::time")]
    pub until: BigRational,
    /// What was allowed in it.
    pub expected: Vec<Permitted>,
}

/// An output that was allowed, and when.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Permitted {
    /// The output, as `name!`.
    pub output: String,
    /// From when on, if not from the beginning of the wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<WindowEnd>,
    /// Until when, if not for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<WindowEnd>,
}

/// An end of a window.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowEnd {
    /// When, in time units since the test began.
    #[serde(with = "lines::time")]
    pub at: BigRational,
    /// How long after the wait began, in time units.
    #[serde(with = "lines::time")]
    pub after: BigRational,
    /// Whether that moment itself is outside.
    #[serde(rename = "excluded", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_excluded: bool,
}

impl Place {
    /// A moment of a run of which no more is known.
    pub(super) fn at(at: BigRational) -> Self {
        Self {
            since: at.clone(),
            at,
            silent_until: None,
            expected: Vec::new(),
        }
    }

    /// Of a failure.
    pub(super) fn of_failure(failure: &Failure) -> Self {
        let came = &failure.came;
        let (at, silent_until) = match (&came.what, &failure.astray) {
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

    /// Of a run that left the way of its test at `at`, in its last wait.
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

/// By when an output should have come; if there is no such moment, until when the test waited.
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
