//! Questions about mutants of transition systems as other tools read them: HyperLTL for HyperQB and AutoHyper, SMT-LIB, AIGER.
//!
//! The formulas of \[004\] that do not say what the text says are written twice: right, and as printed.

mod aiger;
mod formulas;
mod smt;

pub use aiger::{NotDeterministic, write_miter};
pub use formulas::{Formula, hyper_ctl, hyper_ltl};
pub use smt::{Question, write_smt};
