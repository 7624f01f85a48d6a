//! The option for the inputs that a state machine does not specify.

use clap::{Args, ValueEnum};

use tamper::formats::machines::Unspecified;

/// How state machines and transition systems are read.
#[derive(Args, Clone, Debug)]
pub struct MachineArgs {
    /// State machines and transition systems: states without a transition on some input
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub unspecified: UnspecifiedArg,
}

/// What becomes of states and inputs without a transition.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum UnspecifiedArg {
    /// The file is refused
    #[default]
    Refuse,
    /// The state stays and answers `-`, a transition system with an output of its own (KISS2: open output bits are 0, a state * is the
    /// state itself)
    Fill,
}

impl MachineArgs {
    /// Whether a state stays where it is.
    pub fn fills(&self) -> bool {
        self.unspecified == UnspecifiedArg::Fill
    }
}

impl UnspecifiedArg {
    pub fn resolve(self) -> Unspecified {
        match self {
            Self::Refuse => Unspecified::Refuse,
            Self::Fill => Unspecified::Fill,
        }
    }
}
