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
    /// Parses `tcp://host:port` as an address, any other text as a command.
    pub fn parse(text: &str) -> Self {
        text.strip_prefix("tcp://").map_or_else(
            || Self::Command(text.to_owned()),
            |address| Self::Tcp(address.to_owned()),
        )
    }
}

/// The clock that counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeMode {
    /// The wall clock; a time unit of the model has this duration.
    Real(Duration),
    /// The tester tells the program how much time passes; nobody waits.
    Accelerated,
}

/// The timekeeping of a program under test, and the time for which the tester waits for answers that take no time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// The clock that counts.
    pub mode: TimeMode,
    /// Wall time after which a missing answer (`ready`, `ok`, `done`) counts as hanging.
    pub patience: Duration,
    /// The same for the first `ready` of a program that was just started, which may have a lot to do before it.
    pub start_patience: Duration,
}
