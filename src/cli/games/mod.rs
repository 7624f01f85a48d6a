//! The commands about timed games and their mutants.

pub mod check;
pub mod classify;
pub mod compose;
pub mod constants;
pub mod export;
pub mod merge;
pub mod queries;
pub mod refine;
pub mod run_folder;
mod word;
