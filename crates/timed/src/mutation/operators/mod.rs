//! Where the operators apply and what they make there; their names and meanings are the table of `operator.rs`. Adding one
//! touches that table and one function here.
//!
//! The six of \[003\] are records of their own, numbered without a list (`list.rs`).

pub mod clocks;
mod definition;
pub mod edges;
pub mod formulas;
pub mod locations;

pub use definition::{Alterations, Definition};
