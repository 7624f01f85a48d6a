//! A test run against a system: [`drive`] gives inputs, waits, and makes of outputs what the test says.
//!
//! `window` says when a condition holds while time passes, `reaction` what a node makes of an output, exactly or within a
//! tolerance, `run` is the run. Nothing here knows whether time is real.

mod reaction;
mod run;
mod window;

pub use run::{Broken, Driven, Event, What, drive};

#[cfg(test)]
mod tests;
