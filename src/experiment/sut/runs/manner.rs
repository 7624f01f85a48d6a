//! How tests are run.

use std::sync::Arc;

use super::judged::LogJudge;
use crate::suite::Words;

/// How a test is run.
#[derive(Clone)]
pub struct Manner {
    /// How far an output may be off, and what times are called.
    pub words: Words,
    /// How often each test is run.
    pub repeats: Repeats,
    /// Who judges what was seen, beside the test.
    pub judge: Option<Arc<LogJudge>>,
}

/// How often a test is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeats {
    /// So many times, at least once.
    Times(u32),
    /// Once, and after a failure so many times more, until a run does not fail.
    AfterFailure(u32),
}
