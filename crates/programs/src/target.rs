//! The address of a program under test, and its timekeeping.

use std::time::Duration;

/// The address of a program under test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A command of the shell, spoken to over its standard input and output.
    Command(String),
    /// A program that listens there (`host:port`).
    Tcp(String),
}

impl Target {
    /// `tcp://host:port`, else a command.
    pub fn parse(text: &str) -> Self {
        text.strip_prefix("tcp://").map_or_else(
            || Self::Command(text.to_owned()),
            |address| Self::Tcp(address.to_owned()),
        )
    }
}

/// Whose clock counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeMode {
    /// The wall clock; a time unit of the model is that long.
    Real(Duration),
    /// The tester tells the program how much time passes; nobody waits.
    Accelerated,
}

/// The timekeeping of a program under test, and the time for which the tester waits for answers that take no time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// Whose clock counts.
    pub mode: TimeMode,
    /// Wall time after which a missing answer (`ready`, `ok`, `done`) counts as hanging.
    pub patience: Duration,
    /// The same for the first `ready` of a program that was just started, which may have a lot to do until then.
    pub start_patience: Duration,
}
