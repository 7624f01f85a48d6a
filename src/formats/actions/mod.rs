//! Action systems in the Prolog syntax of \[001\]: `type`, `var`, `state_def`, `init`, and `as :- actions(…), dood(…).`
//!
//! A comment line `% inputs: 'Close', 'Open'` names the actions that are the environment's. What is not read is refused by
//! name.

mod lexer;
mod reader;
mod terms;

pub use reader::{ReadActions, read_actions};
