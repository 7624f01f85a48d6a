//! A test run against a system: [`drive`] gives inputs, waits, and makes of outputs what the test says.
//!
//! `event` is what happens, `failure` says why a test failed, `log` has the events and how late the tester was, `window` when a condition holds while time passes, `wait` what is allowed in a node, `ending` where one ended that did neither, `reaction` what a node makes of an output, exactly or within a
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
pub use failure::{Allowed, Astray, Failure};
pub use log::{Event, Lateness, What};

pub(super) use log::Log;
pub use run::{Broken, Driven, drive};
pub(super) use run::{End, concluded};
pub(super) use window::Window;
pub use words::{TimeUnit, Words};

#[cfg(test)]
mod late_tests;
#[cfg(test)]
mod tests;
