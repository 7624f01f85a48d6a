//! Suites for the mutants of a game: made, scored, made smaller.

mod candidates;
mod generate;
mod score;

pub use candidates::{Candidate, candidates};
pub use generate::{Generated, Strategy, Wanted, Wish, generate};
pub use score::{OperatorScore, Score, Survivor, Target, score};
