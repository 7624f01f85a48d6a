//! Classes of mutants that no test tells apart, by mutual refinement and without comparing all pairs.
//!
//! `words` runs the same timed words on every mutant. Deterministic mutants that refine each other take the same words,
//! so only mutants with the same signature are compared by the game (`classes`). `run` takes the mutants of a finished
//! run. Source: partition refinement by necessary conditions first; refinement is \[003\] Definition 7, which is
//! transitive as long as unmatched actions are refused.

mod classes;
mod run;
mod words;

pub use classes::{Classes, duplicate_classes};
pub use run::{RunClasses, classes_of_run};
