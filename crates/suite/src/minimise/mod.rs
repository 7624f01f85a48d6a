//! The fewest tests that kill all that a suite kills: weighted set cover, solved exactly if a limit allows.
//!
//! `problem` holds the kill matrix both ways; `reduce` removes what a minimum never needs (essential tests,
//! dominated tests and mutants); `search` splits the rest into components and bounds each by mutants that no test
//! kills together. Source: \[002\] section 4 (minimisation of suites); Beasley, "An algorithm for set covering
//! problems", 1987, for the reductions.

mod cover;
mod problem;
mod reduce;
mod search;

pub use cover::{Cover, greedy_cover, minimum_cover, prioritised};

#[cfg(test)]
mod tests;
