//! A mutant that is written.

use super::super::{Numbered, Record};

/// A mutant that is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    /// What is known about it.
    pub record: Record,
    /// The mutant.
    pub mutant: Numbered,
}

impl Kept {
    /// Its number and operators, e.g. `000012-CXL`: what its file is called.
    pub fn stem(&self) -> String {
        format!("{:06}-{}", self.mutant.number, self.record.operators.join("-"))
    }
}
