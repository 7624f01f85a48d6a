//! Why something about a run cannot be done: one type for the whole room.
//!
//! An [`ExperimentError`] is of a kind that a caller can tell from others; what rooms below say is in it unchanged, and what
//! was being done when they said it is around it. `{}` is the outermost sentence, `{:#}` all of them, from the outside in.

mod context;
mod experiment_error;
mod file_action;
mod from;
mod shares_error;

pub use experiment_error::ExperimentError;
pub use file_action::FileAction;
pub use shares_error::SharesError;

pub use context::{Doing, OfFile, OrMalformed, Result};
