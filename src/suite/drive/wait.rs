//! What a test allows while it waits, node by node.

use num_rational::BigRational;

use super::failure::{Allowed, allowed};
use crate::suite::test_case::Node;

/// A wait for outputs, and what was allowed in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// From when on, in time units since the test began: when the event before it counts as having happened.
    pub since: BigRational,
    /// The outputs that were allowed then; empty if none was.
    pub expected: Vec<Allowed>,
}

impl Wait {
    /// In `node`, entered at `clocks` at the time `since`.
    pub(super) fn of(node: &Node, clocks: &[BigRational], since: BigRational) -> Self {
        Self {
            expected: allowed(node, clocks, &since),
            since,
        }
    }
}
