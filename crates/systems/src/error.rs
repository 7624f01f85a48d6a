//! Why a system, or a pair of them, is refused.

use super::{InputId, StateId};

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SystemError {
    /// No state is initial.
    #[error("no state is initial")]
    NoInitialState,
    /// There is no input.
    #[error("there is no input")]
    NoInput,
    /// A state has no step for an input.
    #[error("state {state:?} has no step for input {input:?}")]
    NoStep {
        /// The state.
        state: StateId,
        /// The input.
        input: InputId,
    },
    /// More steps than 32 bits count.
    #[error("there are more than 2^32 steps")]
    TooLarge,
    /// The two systems do not have the same inputs.
    #[error("the input `{name}` is not an input of both systems")]
    Inputs {
        /// An input that only one of them has.
        name: String,
    },
}
