//! Chains of definitions and uses from a mutant's change to its observation (\[002\] sections 3 and 4), as a way to find tests. A
//! chain says nothing about values: only an execution decides whether a test along it kills the mutant.

mod chains;
mod changes;
mod find;

pub use chains::{Chain, Chains};
