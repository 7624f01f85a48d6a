//! A run as one page for a browser: the verdicts, the model with its mutants on it, every mutant with its counterexample, and
//! what the tests of a suite kill.
//!
//! The page is one file that asks nothing of any network. Its data are columns (a number per mutant) beside tables of what the
//! numbers mean, since most texts belong to many mutants. What is deliberately absent: files, and any judgement.

mod columns;
mod data;
mod listing;
mod results;
mod shell;
mod tests_of_suite;
mod touched;

pub use data::{PageFacts, RunPage};
pub use results::ResultsPage;
pub use tests_of_suite::SuitePage;
