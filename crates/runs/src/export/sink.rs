//! Mutants that are exported, and what takes them.

use super::super::{Numbered, Record};
use crate::error::Result;
use tamper_timed::mutation::Mutation;

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

/// Writes mutants.
pub trait Sink {
    /// Writes some, after those before.
    ///
    /// # Errors
    /// When one cannot be written.
    fn take(&mut self, kept: Vec<Kept>) -> Result<()>;

    /// Whether it is also to be told of the mutants that are not kept.
    fn asks_for_dropped(&self) -> bool {
        false
    }

    /// Takes note of mutants that are not kept.
    ///
    /// # Errors
    /// When that is not possible.
    fn dropped(&mut self, _mutations: Vec<Vec<Mutation>>) -> Result<()> {
        Ok(())
    }

    /// Writes what comes after the last one.
    ///
    /// # Errors
    /// When it cannot be written.
    fn finish(self: Box<Self>) -> Result<()>;
}
