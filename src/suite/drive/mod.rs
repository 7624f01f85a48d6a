//! A test run against a system: [`drive`] gives inputs, waits, and makes of outputs what the test says.
//!
//! `event` is what happens, `failure` says why a test failed, `window` when a condition holds while time passes, `reaction` what a node makes of an output, exactly or within a
//! tolerance, `run` is the run. Nothing here knows whether time is real.

mod event;
mod failure;
mod reaction;
mod run;
mod window;

pub use event::{Event, What};
pub use failure::{Allowed, Failure};
pub use run::{Broken, Driven, drive};

#[cfg(test)]
mod tests;
