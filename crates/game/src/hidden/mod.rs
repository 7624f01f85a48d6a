//! Games with hidden steps: what of them can be told apart, by what is seen.
//!
//! A hidden step (role `Internal`) is not seen, and neither is when it happens. A mutant is told from its specification by a
//! run of it whose delays, inputs and outputs no run of the specification has, all inputs being such that the
//! specification accepts them wherever it may be by then ([`Observation`]); or by an input that is refused. Timed automata
//! with silent steps cannot be determinised, so there are three answers ([`Seen`]): a refinement that matches hidden steps by
//! hidden steps excludes every such run, and so does that nothing but time is seen (`silent`); a run that is found is executed again, exactly; between the two there is no answer.
//! The proof that the first two exclude each other is `docs/notes/0016-hidden-steps.md`.
//!
//! `estimate` holds the states in which the specification may be, `walker` follows the mutant with whole numbers, `search`
//! looks for a run, and `observation` executes it again. What is deliberately absent: a decision for all cases.

mod decide;
mod estimate;
mod observation;
mod search;
mod seen;
mod silent;
mod walker;

pub use observation::{Difference, Observation, SeenStep};
pub use search::Effort;
pub use seen::Seen;
