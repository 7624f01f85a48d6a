//! Checks certificates of verdicts on timed games.
//!
//! `tamper` decides whether a mutant of a timed game refines its specification, by some fifteen thousand lines. A certificate
//! says why, in a form that needs none of them: both games in normal form, and sets of states that satisfy the conditions of the
//! definitions. This package reads one and checks each condition; it shares no code with what found the verdict. Read the files in
//! this order: `zone` (sets of clock valuations), `game`, `certificate` (what is said), `read` (its text), `consistency` and
//! `refinement` (when it holds, and why that proves the claim).

mod certificate;
mod checking;
mod consistency;
mod fault;
mod game;
mod read;
mod refinement;
mod zone;

pub use certificate::Claim;
pub use checking::{check, check_one};
pub use fault::{Fault, Limit};
