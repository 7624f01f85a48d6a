//! Parts of tests as all languages have them.

use crate::suite::{Act, Expected, Jump, Next, TestVerdict};

/// The number of where a test goes: a node, or below 0 a verdict.
pub(super) fn number_of(next: Next) -> i64 {
    match next {
        Next::Node(node) => i64::try_from(node).unwrap_or(i64::MAX),
        Next::Verdict(TestVerdict::Pass) => -1,
        Next::Verdict(TestVerdict::Fail) => -2,
        Next::Verdict(TestVerdict::Inconclusive) => -3,
    }
}

/// The action of an input or output without its mark.
pub(super) fn bare(action: &str) -> &str {
    action.strip_suffix(['?', '!']).unwrap_or(action)
}

/// The jumps after an input, and where an act leads that gives none.
pub(super) fn acts(act: &Act) -> (Option<&str>, &[Jump], i64) {
    match act {
        Act::Input { action, then } => (Some(bare(action)), then, 0),
        Act::Stop(verdict) => (None, &[], number_of(Next::Verdict(*verdict))),
    }
}

/// An output and where it leads.
pub(super) fn expects(expected: &Expected) -> (&str, &Jump) {
    (bare(&expected.action), &expected.jump)
}
