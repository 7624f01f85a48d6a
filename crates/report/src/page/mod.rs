//! A run as one page for a browser: the verdicts, the model with its mutants on it, every mutant with its counterexample, and
//! what the tests of a suite kill.
//!
//! The page is one file that asks nothing of any network. Its data are columns (a number per mutant) beside tables of what the
//! numbers mean, since most texts belong to many mutants. The same page follows a model while it is edited: then a server hands it
//! new data. `printed` is the page of what a command printed: `results` tables, `runs` the
//! tests of a program, each with a timeline. What is deliberately absent: files, and any judgement.

mod columns;
mod counted;
mod data;
mod listing;
mod play;
mod printed;
mod results;
mod runs;
mod shell;
mod tests_of_suite;
mod touched;

pub use data::{LivePage, PageFacts, RunPage};
pub use play::PlayedGames;
pub use printed::ResultsPage;
pub use tests_of_suite::SuitePage;
