//! The operators, one file each: name, summary, meaning, and where they apply. Adding one touches its file and the list in
//! `operator.rs`.
//!
//! The six of \[003\] are records of their own, numbered without a list (`list.rs`), and share a file here.

pub mod add_reset;
pub mod arithmetic;
pub mod associative_shift;
pub mod change_action;
pub mod change_clock;
pub mod change_comparison;
pub mod change_source;
pub mod change_target;
pub mod channel_urgency;
pub mod commitment_off;
pub mod commitment_on;
pub mod condition_reference;
mod definition;
pub mod guard_false;
pub mod guard_true;
pub mod invert_direction;
pub mod logical;
pub mod missing_assignment;
pub mod missing_condition;
pub mod negate_condition;
pub mod negate_expression;
pub mod off_by_one;
pub mod paper;
pub mod relational;
pub mod remove_invariant;
pub mod remove_reset;
pub mod sink_location;
pub mod stuck_at;
pub mod urgency_off;
pub mod urgency_on;

pub use definition::{Alterations, Definition};
