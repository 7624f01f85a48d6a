//! Why a test failed: what was allowed then, and what came instead.

use std::fmt;

use num_rational::BigRational;
use num_traits::Zero as _;

use super::event::{Event, What};
use super::window::Window;
use crate::suite::test_case::{Next, Node, TestVerdict};
use crate::text::visible;

/// An output that was allowed, and when, in time units since the test began.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allowed {
    /// The output that was allowed, as `name!`.
    pub action: String,
    /// From when on, if not from the moment it was waited for, and whether only after that.
    pub from: Option<(BigRational, bool)>,
    /// Until when, if not for ever, and whether only before that.
    pub by: Option<(BigRational, bool)>,
}

/// What was allowed, and what came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The outputs that the test knows to be allowed.
    pub expected: Vec<Allowed>,
    /// The event that was not allowed.
    pub came: Event,
}

/// What `node`, entered at `point` at the time `now`, allows.
pub(super) fn allowed(node: &Node, point: &[BigRational], now: &BigRational) -> Vec<Allowed> {
    let is_allowed = |next: Next| next != Next::Verdict(TestVerdict::Fail);
    let known = node.outputs.iter().filter(|expected| is_allowed(expected.jump.next));
    let windows = known.filter_map(|expected| Some((&expected.action, Window::of(&expected.jump.when, point)?)));
    let mut all: Vec<Allowed> = windows
        .map(|(action, window)| Allowed {
            action: action.clone(),
            from: (window.low_strict || !window.low.is_zero()).then(|| (now + window.low, window.low_strict)),
            by: window.high.map(|high| (now + high, window.high_strict)),
        })
        .collect();
    all.sort_by(|a, b| (&a.action, &a.from).cmp(&(&b.action, &b.from)));
    let mut joined: Vec<Allowed> = Vec::new();
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

/// The later of two ends; at one moment the one that it belongs to.
fn later(one: Option<(BigRational, bool)>, other: Option<(BigRational, bool)>) -> Option<(BigRational, bool)> {
    let (one, other) = (one?, other?);
    let is_later = one.0 > other.0 || (one.0 == other.0 && !one.1);
    Some(if is_later { one } else { other })
}

impl Allowed {
    /// Whether no moment lies between this and what begins no earlier.
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
            (Some((from, false)), Some((by, false))) if by == from => return write!(f, " at {from}"),
            (Some((from, true)), _) => write!(f, " after {from}")?,
            (Some((from, false)), _) => write!(f, " from {from}")?,
            (None, _) => {}
        }
        match &self.by {
            Some((by, true)) => write!(f, " before {by}"),
            Some((by, false)) => write!(f, " by {by}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Event { at, what } = &self.came;
        if let What::Refused(action) = what {
            return write!(
                f,
                "expected {0} to be accepted, it was refused at {at}",
                visible(action)
            );
        }
        f.write_str("expected ")?;
        for (position, allowed) in self.expected.iter().enumerate() {
            let or = if position == 0 { "" } else { " or " };
            write!(f, "{or}{allowed}")?;
        }
        match what {
            What::Input(action) => write!(f, "{} to be refused, it was accepted at {at}", visible(action)),
            What::Output(action) if self.expected.is_empty() => {
                write!(f, "no output, {} came at {at}", visible(action))
            }
            What::Output(action) => write!(f, ", {} came at {at}", visible(action)),
            _ if self.expected.is_empty() => write!(f, "an output, nothing came by {at}"),
            _ => write!(f, ", nothing came by {at}"),
        }
    }
}
