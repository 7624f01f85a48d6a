//! A run as one page for a browser: the verdicts, the model with its mutants, every mutant with its counterexample, and the kills of a
//! suite.
//!
//! The page is one file that asks nothing of any network. Its data are columns (a number per mutant) and tables of the texts that the
//! numbers stand for, since most texts belong to many mutants. The same page follows a model while it is edited: then a server sends it new
//! data. `printed` is the page of a printed answer: `results` has tables, and `runs` the tests of a program, each with a timeline.
//! Deliberately absent: files, and any judgement.

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
