//! Blind killing (\[004\] Definition 4 as it is printed, lifted to time): a word of inputs and delays, fixed before the test,
//! on which every run of the mutant fails.
//!
//! In general nobody can decide this: the times of the mutant's outputs play the part of silent steps
//! (`docs/notes/0012-blind.md`). [`search`] looks for a word along the tester's winning points; [`word`] makes it a test, and
//! that test is executed on all runs of the mutant before it is handed out. That there is no word is said where the tester
//! loses even when it sees both states, or when it may choose the next input anew after each one
//! ([`committed`]). Everything else is not known.

mod committed;
mod fixed;
mod search;
mod tester;
mod word;

pub use tester::Blind;
