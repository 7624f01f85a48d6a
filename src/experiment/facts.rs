//! A record without its text.

use super::{DecidedBy, Verdict};

/// What lists and counts need of a record.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// What the mutant is.
    pub id: &'a str,
    /// What is known about it.
    pub verdict: Verdict,
    /// What gave the verdict.
    pub decided_by: DecidedBy,
    /// Whether guidelines name all its mutations.
    pub violates: bool,
    /// Whether only the extended guidelines name it.
    pub identified: bool,
}

impl Facts<'_> {
    /// Whether some guideline names it and it is non-subsumed all the same.
    pub fn is_unsound(&self) -> bool {
        (self.violates || self.identified) && self.verdict == Verdict::NonSubsumed
    }
}
