//! Blind killing (\[004\] Definition 4 as it is printed, lifted to time): a word of inputs and delays, fixed before the test,
//! on which every run of the mutant fails.
//!
//! This is undecidable in general: the times of the mutant's outputs play the part of silent steps (`docs/notes/0012-blind.md`).
//! [`search`] looks for a word along the tester's winning points; [`word`] makes it a test, which is executed on all runs of the
//! mutant before it is returned. That no word exists is reported if the tester loses even when it sees both states, or when it
//! commits after each input to the next one ([`committed`]). Everything else is unknown.

mod committed;
mod fixed;
mod search;
mod tester;
mod word;

pub use tester::Blind;
