//! Why a system, or a pair of them, is refused.

use super::{InputId, StateId};

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SystemError {
    /// No state is initial.
    NoInitialState,
    /// There is no input.
    NoInput,
    /// A state has no step for an input.
    NoStep {
        /// The state.
        state: StateId,
        /// The input.
        input: InputId,
    },
    /// More steps than 32 bits count.
    TooLarge,
    /// The two systems do not have the same inputs.
    Inputs {
        /// An input that only one of them has.
        name: String,
    },
}

impl std::fmt::Display for SystemError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoInitialState => f.write_str("no state is initial"),
            Self::NoInput => f.write_str("there is no input"),
            Self::NoStep { state, input } => write!(f, "state {state:?} has no step for input {input:?}"),
            Self::TooLarge => f.write_str("there are more than 2^32 steps"),
            Self::Inputs { name } => write!(f, "the input `{name}` is not an input of both systems"),
        }
    }
}

impl std::error::Error for SystemError {}
