//! Functions that list the changes of each operator; the operators' names and meanings are in the table of `operator.rs`. A
//! new operator needs an entry in that table and one function here.
//!
//! The six operators of \[003\] are separate variants of `Mutation`, numbered without a list (`list.rs`).

pub mod clocks;
mod definition;
pub mod edges;
pub mod formulas;
pub mod locations;
pub mod variants;

pub use definition::{Alterations, Definition};
