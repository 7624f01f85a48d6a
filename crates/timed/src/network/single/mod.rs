//! Processes that a single automaton can express: their labels, and the way there and back.

pub mod guard;
pub mod labels;
pub mod not_plain;
pub mod plain;
pub mod plain_guard;
