//! The answers about games with hidden steps.

use super::observation::Observation;
use tamper_text::StopReason;

/// The answer about a mutant, where it or the specification has hidden steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// The mutant has no consistent initial state.
    Inconsistent,
    /// No observation tells them apart: the mutant refines the specification with hidden steps matched by hidden steps, or it
    /// shows nothing but time.
    Subsumed,
    /// The observation tells them apart.
    NonSubsumed(Box<Observation>),
    /// A limit was hit before either was found.
    Stopped(StopReason),
    /// Neither was found among the examined states of the mutant with estimates of the specification.
    NotFound {
        /// Number of states that were examined.
        n_states: u64,
    },
}
