//! A test run against a system: [`drive`] gives inputs, waits, and makes of outputs what the test says.
//!
//! `log` has what happens and how late the tester was, `failure` says why a test failed, `window` when a condition holds while time passes, `ending` what a node waits for and where a test ended that did neither, `reaction` what a node makes of an output, exactly or within a
//! tolerance, `run` is the run, `words` says what it shows, with `decimal` numbers. Nothing here knows whether time is real.

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
pub use log::{Event, Lateness, What};

pub(super) use log::Log;
pub use run::{Broken, Driven, drive};
pub(super) use run::{End, concluded};
pub(super) use window::Window;
pub use words::{TimeUnit, Words};

#[cfg(test)]
mod tests;
