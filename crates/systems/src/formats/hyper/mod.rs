//! Questions about mutants of transition systems in the formats of other tools: HyperLTL for HyperQB, AutoHyper and
//! MCHyper, SMT-LIB, AIGER.
//!
//! Formulas of \[004\] that differ from its text are written twice: corrected, and as printed.

mod aiger;
mod circuit;
mod formulas;
mod program;
mod smt;

pub use aiger::{NotDeterministic, write_miter};
pub use formulas::{Formula, hyper_ctl, hyper_ltl, mc_hyper};
pub use program::{NoCircuit, ProgramCircuit, write_program};
pub use smt::{Question, write_smt};
