//! Chains of definitions and uses from what a mutant changes to where it can be seen (\[002\] sections 3 and 4), as a way to
//! find tests. A chain says nothing about values: whether a test along it kills the mutant is for an execution to say.

mod chains;
mod changes;
mod find;

pub use chains::{Chain, Chains};
