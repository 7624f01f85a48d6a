//! The option for the inputs that a state machine does not specify.

use clap::{Args, ValueEnum};

use tamper::formats::machines::{MachineOptions, Unspecified};

/// How state machines and transition systems are read.
#[derive(Args, Clone, Debug)]
pub struct MachineArgs {
    /// State machines and transition systems: states without a transition on some input
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub unspecified: UnspecifiedArg,
}

/// How plain state machines are read besides.
#[derive(Args, Clone, Debug)]
pub struct GraphArgs {
    /// State machines in DOT: outputs stand at the states (Moore machines: `NAME / OUTPUT`), or states with a double line accept
    #[arg(long)]
    pub moore: bool,
    /// State machines: the state to start in, if the file names none or another one is meant
    #[arg(long, value_name = "STATE")]
    pub start: Option<String>,
}

impl GraphArgs {
    /// These options with `others`.
    pub fn with(&self, others: MachineOptions) -> MachineOptions {
        MachineOptions {
            moore: self.moore,
            start: self.start.clone(),
            ..others
        }
    }
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

    /// The options of a reader of machines.
    pub fn options(&self) -> MachineOptions {
        MachineOptions {
            unspecified: self.unspecified.resolve(),
            ..MachineOptions::default()
        }
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
