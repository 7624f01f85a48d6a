//! Mutants that are accepted with a reason, and mutants of places that changed: the options, and `tamper accept`.

pub mod accept;
pub mod args;
mod listed;
pub mod not_targets;
mod older;
pub mod rows;
pub mod system_mutants;
pub mod timed_mutants;
