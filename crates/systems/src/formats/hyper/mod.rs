//! Questions about mutants of transition systems as other tools read them: HyperLTL for HyperQB, AutoHyper and MCHyper, SMT-LIB, AIGER.
//!
//! The formulas of \[004\] that do not say what the text says are written twice: right, and as printed.

mod aiger;
mod circuit;
mod formulas;
mod program;
mod smt;

pub use aiger::{NotDeterministic, write_miter};
pub use formulas::{Formula, hyper_ctl, hyper_ltl, mc_hyper};
pub use program::{NoCircuit, ProgramCircuit, write_program};
pub use smt::{Question, write_smt};
