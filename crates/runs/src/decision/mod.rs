//! Verdicts: mutants in batches, each decided by a guideline, a family or the game.

pub mod baseline;
pub mod chunk;
pub mod distinct;
pub mod effective;
pub mod extended;
pub mod families;
pub mod judge;
pub mod one_by_one;
pub mod part;
pub mod tallied;
pub mod timed_batch;
pub mod verdict_table;
pub mod verify;
