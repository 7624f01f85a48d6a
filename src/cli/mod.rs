//! Arguments to settings, one call, an exit code.
//!
//! [`run`] is the whole command: it parses, resolves what was typed into the settings of the rooms below, calls one
//! of them, prints, and says with an [`ExitCode`] how it went. Results go to standard output, everything else to
//! standard error. What is deliberately absent: any decision about a game.

mod args;
mod check;
mod classify;
mod exit;
mod load;
mod mutate;
mod prepare;
mod refine;
mod reproduce;
mod run;
mod settings;
mod terminal;

pub use exit::ExitCode;
pub use run::run;
