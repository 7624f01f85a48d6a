//! Failures of tests: the outputs that were allowed, and the event that came instead.

use std::fmt;

use num_rational::BigRational;
use num_traits::Zero as _;

use super::decimal::exact;
use super::log::{Event, What};
use super::window::DelayWindow;
use crate::test_case::{Next, Node, TestVerdict};
use tamper_text::visible;

/// An output that was allowed, with its window, in time units since the test began.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allowed {
    /// The output that was allowed, as `name!`.
    pub action: String,
    /// The start of the window, and whether it is excluded; `None` if the output is allowed from the start of the wait.
    pub from: Option<(BigRational, bool)>,
    /// The end of the window, and whether it is excluded; `None` if the output is allowed for ever.
    pub by: Option<(BigRational, bool)>,
}

/// A failure of a test: the allowed outputs, and the event that came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The outputs that the test knows to be allowed.
    pub expected: Vec<Allowed>,
    /// The event before, if there was one.
    pub since: Option<Event>,
    /// The time from which on the test waited, in time units since it began: when it counts the event before as having happened.
    pub entered: BigRational,
    /// The event that was not allowed.
    pub came: Event,
    /// If nothing came: the fate of the output while the tester kept listening.
    pub unexpected: Option<UnexpectedOutput>,
}

/// The fate of an output that did not come in time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnexpectedOutput {
    /// It came too late.
    Late {
        /// The output, as `name!`.
        action: String,
        /// The time at which it came, in time units since the test began.
        at: BigRational,
    },
    /// It did not come at all.
    Never {
        /// The time until which it was awaited, in time units since the test began.
        until: BigRational,
    },
}

impl Failure {
    /// The late output that `event`, which came after the failure, amounts to; `None` if it was not expected.
    pub(crate) fn late(&self, event: &Event) -> Option<UnexpectedOutput> {
        let What::Output(action) = &event.what else { return None };
        let is_expected = self.expected.is_empty() || self.expected.iter().any(|allowed| allowed.action == *action);
        is_expected.then(|| UnexpectedOutput::Late {
            action: action.clone(),
            at: event.at.clone(),
        })
    }
}

/// The outputs that `node`, entered at `point` at the time `now`, allows.
pub(super) fn allowed(node: &Node, point: &[BigRational], now: &BigRational) -> Vec<Allowed> {
    let is_allowed = |next: Next| next != Next::Verdict(TestVerdict::Fail);
    let known = node.outputs.iter().filter(|expected| is_allowed(expected.jump.next));
    let windows = known.filter_map(|expected| Some((&expected.action, DelayWindow::of(&expected.jump.when, point)?)));
    let all = windows.map(|(action, window)| Allowed {
        action: action.clone(),
        from: (window.low_strict || !window.low.is_zero()).then(|| (now + window.low, window.low_strict)),
        by: window.high.map(|high| (now + high, window.high_strict)),
    });
    Allowed::joined(all.collect())
}

/// The later of two ends (`None` is unbounded); at one moment the end that includes it.
fn later(one: Option<(BigRational, bool)>, other: Option<(BigRational, bool)>) -> Option<(BigRational, bool)> {
    let (one, other) = (one?, other?);
    let is_later = one.0 > other.0 || (one.0 == other.0 && !one.1);
    Some(if is_later { one } else { other })
}

impl Allowed {
    /// The same outputs and times in order; windows without a gap between them are joined.
    pub(crate) fn joined(mut all: Vec<Self>) -> Vec<Self> {
        all.sort_by(|a, b| (&a.action, &a.from).cmp(&(&b.action, &b.from)));
        let mut joined: Vec<Self> = Vec::new();
        for next in all {
            match joined
                .last_mut()
                .filter(|last| last.action == next.action && last.goes_on_with(&next))
            {
                Some(last) => last.by = later(last.by.take(), next.by),
                None => joined.push(next),
            }
        }
        joined.sort_by(|a, b| (&a.from, &a.action).cmp(&(&b.from, &b.action)));
        joined
    }

    /// Whether there is no gap between this window and `next`, which begins no earlier.
    fn goes_on_with(&self, next: &Self) -> bool {
        let Some((by, before)) = &self.by else { return true };
        let Some((from, after)) = &next.from else { return true };
        from < by || (from == by && !(*before && *after))
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible(&self.action))?;
        match (&self.from, &self.by) {
            (Some((from, false)), Some((by, false))) if by == from => return write!(f, " at {}", exact(from)),
            (Some((from, true)), _) => write!(f, " after {}", exact(from))?,
            (Some((from, false)), _) => write!(f, " from {}", exact(from))?,
            (None, _) => {}
        }
        match &self.by {
            Some((by, true)) => write!(f, " before {}", exact(by)),
            Some((by, false)) => write!(f, " by {}", exact(by)),
            None => Ok(()),
        }
    }
}

/// The failure as the test alone sees it, without listening on: a program of `tamper harness` says the same.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, what) = (exact(&self.came.at), &self.came.what);
        if let What::Refused(action) = what {
            return write!(
                f,
                "expected {0} to be accepted; it was refused at {at}",
                visible(action)
            );
        }
        f.write_str("expected ")?;
        for (position, allowed) in self.expected.iter().enumerate() {
            let or = if position == 0 { "" } else { " or " };
            write!(f, "{or}{allowed}")?;
        }
        match what {
            What::Input(action) => write!(f, "{} to be refused; it was accepted at {at}", visible(action)),
            What::Output(action) if self.expected.is_empty() => {
                write!(f, "no output; {} came at {at}", visible(action))
            }
            What::Output(action) => match &self.expected[..] {
                [only] if only.action == *action => write!(f, "; it came at {at}"),
                _ => write!(f, "; {} came at {at}", visible(action)),
            },
            What::Silence | What::Refused(_) => {
                f.write_str(if self.expected.is_empty() { "an output; " } else { "; " })?;
                write!(f, "nothing came by {at}")
            }
        }
    }
}
