//! Errors of this crate, all of one type.
//!
//! An [`ExperimentError`] has a kind that callers can match on. It wraps the errors of other crates unchanged, and is
//! itself wrapped by the task during which it occurred. `{}` prints the outermost sentence, `{:#}` all of them, from
//! the outside in.

mod context;
mod experiment_error;
mod file_action;
mod from;
mod shares_error;

pub use experiment_error::ExperimentError;
pub use file_action::FileAction;
pub use shares_error::SharesError;

pub use context::{ErrorContext, OfFile, OrMalformed, Result};
