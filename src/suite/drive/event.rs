//! What happens in a test, and when.

use num_rational::BigRational;

/// An event of a test run, with its time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// When, in time units since the test began.
    pub at: BigRational,
    /// The input, output or silence that happened.
    pub what: What,
}

/// What happens in a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// The tester gave an input (`name?`).
    Input(String),
    /// The system refused an input (`name?`).
    Refused(String),
    /// The system made an output (`name!`).
    Output(String),
    /// No output came until the tester stopped waiting.
    Silence,
}
