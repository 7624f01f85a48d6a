//! Exported mutants, and the interface of the sinks that write them.

use super::super::{Numbered, Record};
use crate::error::Result;
use tamper_timed::mutation::Mutation;

/// A mutant that the filter keeps.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Record of the mutant.
    pub record: Record,
    /// The mutant.
    pub mutant: Numbered,
}

impl Kept {
    /// Stem of its file name, made of its number and operators, e.g. `000012-CXL`.
    pub fn stem(&self) -> String {
        format!("{:06}-{}", self.mutant.number, self.record.operators.join("-"))
    }
}

/// A writer of mutants.
pub trait Sink {
    /// Writes the next mutants.
    ///
    /// # Errors
    /// If a mutant cannot be written.
    fn take(&mut self, kept: Vec<Kept>) -> Result<()>;

    /// Whether `Sink::dropped` is to be called with the mutants that are not kept.
    fn asks_for_dropped(&self) -> bool {
        false
    }

    /// Takes note of mutants that are not kept.
    ///
    /// # Errors
    /// If the sink cannot take note of them.
    fn dropped(&mut self, _mutations: Vec<Vec<Mutation>>) -> Result<()> {
        Ok(())
    }

    /// Completes the output after the last mutant.
    ///
    /// # Errors
    /// If it cannot be written.
    fn finish(self: Box<Self>) -> Result<()>;
}
