//! Suites for the mutants of a game: made, scored, made smaller.

mod candidates;
mod choices;
mod coverage;
mod generate;
mod of_run;
mod on_the_fly;
mod score;
mod stale;

pub use candidates::{Candidate, candidates};
pub use coverage::{coverage, differing_locations};
pub use generate::{Generated, Strategy, Wanted, Wish, generate};
pub use of_run::{RunCandidates, candidates_of_run};
pub use score::{Fate, OperatorScore, Score, Survivor, Target, kills, score};
pub use stale::{Stale, stale};
