//! The outputs and inputs that a test waits for, node by node, and the endings of tests that neither pass nor fail.

use num_rational::BigRational;

use super::failure::{Allowed, allowed};
use super::log::{Event, What};
use crate::test_case::{Act, Next, Node, Rule, TestVerdict};

/// The ending of a test that neither passed nor failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// In a node from which no output and no input leads on: every event there is a fail or allowed. The test came to where the
    /// fault that it looks for would show, and it did not show; no system could have made the test pass.
    Watched,
    /// In a node from which another event would have led on.
    Awaiting {
        /// The outputs (`name!`) that lead on from there, in order.
        outputs: Vec<String>,
        /// The input (`name?`) that the tester was about to give.
        input: Option<String>,
    },
    /// At a point from which the test does not say what should come.
    Lost,
}

/// The ending of a test in `node` with the event `came`, while the tester was to act by `rule`.
pub(super) fn ending(node: &Node, rule: Option<&Rule>, came: Option<&Event>) -> Ending {
    let (Some(rule), Some(What::Output(_) | What::Silence)) = (rule, came.map(|event| &event.what)) else {
        return Ending::Lost;
    };
    let leads_on = |next: Next| matches!(next, Next::Node(_) | Next::Verdict(TestVerdict::Pass));
    let known = node.outputs.iter().filter(|expected| leads_on(expected.jump.next));
    let mut outputs: Vec<String> = known.map(|expected| expected.action.clone()).collect();
    outputs.sort();
    outputs.dedup();
    let (input, passes) = match &rule.act {
        Act::Input { action, .. } => (Some(action.clone()), false),
        Act::Stop(verdict) => (None, *verdict == TestVerdict::Pass),
    };
    let is_last = outputs.is_empty() && input.is_none() && !passes && node.otherwise != TestVerdict::Pass;
    match is_last {
        true => Ending::Watched,
        false => Ending::Awaiting { outputs, input },
    }
}

/// A wait for outputs, with the outputs that were allowed in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// The start of the wait, in time units since the test began: when the event before it counts as having happened.
    pub since: BigRational,
    /// The outputs that were allowed then; empty if none was.
    pub expected: Vec<Allowed>,
}

impl Wait {
    /// The wait in `node`, entered at `clocks` at the time `since`.
    pub(super) fn of(node: &Node, clocks: &[BigRational], since: BigRational) -> Self {
        Self {
            expected: allowed(node, clocks, &since),
            since,
        }
    }
}
