//! The subset of SMV that NuSMV, HyperQB and AutoHyper share: modules with booleans, ranges, enumerations and words,
//! VAR, IVAR and FROZENVAR, ASSIGN with init and next, INIT, INVAR, TRANS, DEFINE, case, sets.
//!
//! Inputs are the IVARs and the variables named by a comment line `-- inputs: a, b`; `-- outputs: o, p` names the
//! outputs. Everything else is hidden; a variable without an assignment is a choice. Constructs that are not read are
//! refused by name, except properties (LTLSPEC and the like), which change nothing and get a warning.

mod arrays;
mod elements;
mod expression;
mod file;
mod lexer;
mod meanings;
mod modules;
mod print;
mod reader;
mod traps;
mod word_expressions;
mod words;

pub use file::{ReadSystem, read_smv, read_smv_with};
pub use lexer::SmvNames;
pub(super) use meanings::chain_too_long;
pub use print::{expression_text, write_smv};
pub use traps::{write_invariant, write_trap};
