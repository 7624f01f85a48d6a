//! What is wrong with a program under test that cannot be tested.

use std::fmt;
use std::time::Duration;

use crate::text::visible;

/// A program cannot be tested: it is not there, or it does not speak the protocol.
#[derive(Debug)]
#[non_exhaustive]
pub enum SutError {
    /// It could not be started or reached.
    Unreachable {
        /// The command or address.
        target: String,
        /// Why.
        source: std::io::Error,
    },
    /// The shell could not start it.
    NotStarted {
        /// The command.
        command: String,
        /// What the shell ended in: 127 if it found no such program, 126 if that is none.
        status: std::process::ExitStatus,
    },
    /// It ended, or closed the connection.
    Ended {
        /// How the process ended, if it is one and has.
        status: Option<std::process::ExitStatus>,
    },
    /// An answer that takes no time did not come.
    Hangs {
        /// The answer.
        awaited: &'static str,
        /// How long it was waited for.
        patience: Duration,
    },
    /// Lines without end where an answer was awaited.
    Babbles {
        /// The answer.
        awaited: &'static str,
        /// How many other lines came.
        n_lines: usize,
    },
    /// A line longer than any of the protocol.
    LineTooLong {
        /// The longest line allowed, in bytes.
        limit: usize,
    },
    /// A line that is none of the protocol, or not here.
    Unexpected {
        /// The line.
        line: String,
        /// What was awaited.
        awaited: &'static str,
    },
    /// It could not be written to or read from.
    Broken(std::io::Error),
}

impl fmt::Display for SutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable { target, source } => write!(f, "`{target}` cannot be reached: {source}"),
            Self::NotStarted { command, status } => write!(
                f,
                "`{command}` cannot be started: the shell finds no such program, or it is none ({status})"
            ),
            Self::Ended { status: Some(status) } => write!(f, "crashed: it ended by itself ({status})"),
            Self::Ended { status: None } => write!(f, "crashed: it closed the connection"),
            Self::Hangs { awaited, patience } => {
                write!(f, "hangs: no `{awaited}` within {} s", patience.as_secs_f64())
            }
            Self::Babbles { awaited, n_lines } => {
                write!(f, "babbles: {n_lines} lines and no `{awaited}` among them")
            }
            Self::LineTooLong { limit } => write!(f, "babbles: a line of more than {limit} bytes"),
            Self::Unexpected { line, awaited } => {
                write!(f, "said `{}` where `{awaited}` was awaited", visible(line))
            }
            Self::Broken(error) => write!(f, "the connection broke: {error}"),
        }
    }
}

impl std::error::Error for SutError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreachable { source, .. } | Self::Broken(source) => Some(source),
            _ => None,
        }
    }
}
