//! Suites of timed tests as JSON: exact rationals, a version, a committed schema (`docs/suite.schema.json`).
//!
//! Conditions are lists of texts such as `t == 3/2` or `x - x' <= 5`. A file is either read completely or refused with
//! the line and column of the error; unknown members are refused.

mod data;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub(super) use data::FORMAT;
pub use data::{Pruning, Suite, SuiteSpecification};
pub use read::{SuiteFileError, read_suite};
pub use write::write_suite;

pub use tamper_systems::formats::suite::SuiteMutant;
