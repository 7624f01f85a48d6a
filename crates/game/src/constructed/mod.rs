//! Games constructed from games by zones: the quotient, and a game without its inconsistent states.
//!
//! The results are automata again, and can be used like any game. What is deliberately absent: `||` and `&&`, which are
//! compositions of processes (`tamper_timed::network`).

mod error;
mod parts;
mod pruned;
mod quotient;

pub use error::ConstructionError;
pub use pruned::pruned;
pub use quotient::{ignoring, quotient};
