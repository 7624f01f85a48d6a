//! Action systems in the Prolog syntax of \[001\]: `type`, `var`, `state_def`, `init`, and `as :- actions(…), dood(…).`
//!
//! A comment line `% inputs: 'Close', 'Open'` names the environment's actions. Constructs that are not read are refused
//! by name.

mod lexer;
mod print;
mod reader;
mod terms;

pub use print::write_actions;
pub use reader::{ReadActions, read_actions};
