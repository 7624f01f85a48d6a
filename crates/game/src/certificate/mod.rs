//! Certificates: why a verdict holds, as text that the package `tamper-check` checks without any code of ours.
//!
//! A certificate has both games in normal form (`normal_form`), states that are consistent and states that are not (`progress`, `loss`)
//! and either a relation (`relation`) or a refutation (`refutation`). All are read off the sets that the engine ends with; what is
//! written is true because the checker says so, whatever was computed here.

mod certify;
mod loss;
mod normal_form;
mod progress;
mod refutation;
mod relation;

pub use certify::{Certification, Certifier, Uncertified};
pub use normal_form::normal_form;
