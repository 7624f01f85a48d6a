//! Errors of systems, and of pairs of them.

use super::{InputId, StateId};

/// A flaw of a transition system.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SystemError {
    /// The system has no initial state.
    #[error("no state is initial")]
    NoInitialState,
    /// The system has no input at all.
    #[error("there is no input")]
    NoInput,
    /// A state has no step for an input.
    #[error("state {state:?} has no step for input {input:?}")]
    NoStep {
        /// The state without a step for the input.
        state: StateId,
        /// The input for which a step is missing.
        input: InputId,
    },
    /// There are more steps than 32 bits can count.
    #[error("there are more than 2^32 steps")]
    TooLarge,
    /// The two systems do not have the same inputs.
    #[error("the input `{name}` is not an input of both systems")]
    Inputs {
        /// An input that only one of them has.
        name: String,
    },
}
