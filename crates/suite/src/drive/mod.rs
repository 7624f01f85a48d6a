//! The run of a test against a system: [`drive`] gives inputs, waits, and reacts to outputs as the test says.
//!
//! `log` has the events and the lateness of the tester, `failure` the reason for a fail, `window` the delays after which a
//! condition holds, `ending` the outputs and inputs that a node waits for and the endings of tests that neither passed nor failed,
//! `reaction` the reaction of a node to an output, exactly or within a tolerance, `run` the run, `words` its wording, with
//! `decimal` numbers. Nothing here depends on whether time is real.

mod decimal;
mod ending;
mod failure;

mod log;
mod reaction;
mod run;
mod window;
mod words;

pub use ending::{Ending, Wait};
pub use failure::{Allowed, Failure, UnexpectedOutput};
pub use log::{Event, Lateness, What, n_events};

pub(super) use log::EventLog;
pub use run::{Broken, Driven, drive};
pub(super) use run::{DriveResult, concluded};
pub(super) use window::DelayWindow;
pub use words::{TimeUnit, Words};

#[cfg(test)]
mod tests;
