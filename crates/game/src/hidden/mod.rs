//! Games with hidden steps, and the observations that tell them apart.
//!
//! Neither a hidden step (role `Internal`) nor its time is seen. A mutant is told from its specification by a run of it
//! whose delays, inputs and outputs no run of the specification has, where the specification accepts each input in every
//! state in which it may be by then ([`Observation`]); or by an input that it refuses. Timed automata with silent steps
//! cannot be determinised, so there are three answers ([`Seen`]): a refinement that matches hidden steps by hidden steps
//! excludes every run of this kind, and so does a game that shows nothing but time (`silent`); a run that is found is
//! executed again, exactly; between the two there is no answer. `docs/notes/0016-hidden-steps.md` proves that the first two
//! exclude each other.
//!
//! `estimate` holds the states in which the specification may be, `walker` follows the mutant with whole numbers, `search`
//! looks for a run, and `observation` executes it again. A decision for all cases is deliberately absent.

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
