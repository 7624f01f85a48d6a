//! What a state machine does where it says nothing, as it is typed.

use clap::ValueEnum;

use tamper::formats::machines::Unspecified;

/// What becomes of states and inputs without a transition.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum UnspecifiedArg {
    /// The machine is refused
    #[default]
    Refuse,
    /// It stays and answers `-` (KISS2: open output bits are 0, a state * is the state itself)
    Fill,
}

impl UnspecifiedArg {
    pub fn resolve(self) -> Unspecified {
        match self {
            Self::Refuse => Unspecified::Refuse,
            Self::Fill => Unspecified::Fill,
        }
    }
}
