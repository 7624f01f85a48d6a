//! From arguments to settings, one call, and an exit code.
//!
//! [`run`] is the whole command: it parses, resolves typed options into the settings of the rooms below, calls one of them, prints, and
//! returns the result as an [`ExitCode`]. Results go to standard output, everything else to standard error. Deliberately absent: any
//! decision about a game.

mod accepting;
mod arguments;
mod call;
mod cause;
mod command;
mod config;
mod dispatch;
mod door;
mod exit;
mod family;
mod games;
mod given;
mod headings;
mod interrupt;
mod machines;
mod models;
mod next;
mod old_names;
mod packaging;
#[cfg(feature = "drawing")]
mod pages;
mod places;
mod programs;
mod query_file;
mod refusal;
#[cfg(feature = "reproduction")]
mod reproduce;
mod run;
mod shell;
mod short_help;
mod systems;
mod table;
mod terminal;
mod testing;
mod verify;
#[cfg(feature = "workbench")]
mod workbench;
mod workflow;

pub use run::run;
