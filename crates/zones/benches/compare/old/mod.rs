//! The zones before there were kernels per dimension, frozen: what the comparison measures against. Not maintained; the
//! text is that of the package at its first commit, without tests, examples and single points.
#![allow(dead_code, reason = "frozen as a whole; the comparison does not call all of it")]

mod bound;
mod clock;
mod dbm;
mod draft;
mod federation;
mod timed;

pub use bound::Bound;
pub use clock::{Clock, Variable};
pub use dbm::Dbm;
pub use draft::DbmDraft;
pub use federation::Federation;
pub use timed::safe_past;
