//! What is wrong with a program under test that cannot be tested.

use std::time::Duration;

use tamper_text::visible;

/// A program cannot be tested: it is not there, or it does not speak the protocol.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SutError {
    /// It could not be started or reached.
    #[error("`{target}` cannot be reached: {source}")]
    Unreachable {
        /// The command or address.
        target: String,
        /// Why.
        source: std::io::Error,
    },
    /// The shell could not start it.
    #[error("`{command}` cannot be started: the shell finds no such program, or it is none ({status})")]
    NotStarted {
        /// The command.
        command: String,
        /// What the shell ended in: 127 if it found no such program, 126 if that is none.
        status: std::process::ExitStatus,
    },
    /// It ended, or closed the connection.
    #[error("crashed: {}", end(*.status))]
    Ended {
        /// How the process ended, if it is one and has.
        status: Option<std::process::ExitStatus>,
    },
    /// An answer that takes no time did not come.
    #[error("hangs: no `{awaited}` within {} s", .patience.as_secs_f64())]
    Hangs {
        /// The answer.
        awaited: &'static str,
        /// How long it was waited for.
        patience: Duration,
    },
    /// Lines without end where an answer was awaited.
    #[error("babbles: {n_lines} lines and no `{awaited}` among them")]
    Babbles {
        /// The answer.
        awaited: &'static str,
        /// How many other lines came.
        n_lines: usize,
    },
    /// A line longer than any of the protocol.
    #[error("babbles: a line of more than {limit} bytes")]
    LineTooLong {
        /// The longest line allowed, in bytes.
        limit: usize,
    },
    /// A line that is none of the protocol, or not here.
    #[error("said `{}` where `{awaited}` was awaited", visible(.line))]
    Unexpected {
        /// The line.
        line: String,
        /// What was awaited.
        awaited: &'static str,
    },
    /// It could not be written to or read from.
    #[error("the connection broke: {0}")]
    Broken(#[source] std::io::Error),
}

fn end(status: Option<std::process::ExitStatus>) -> String {
    status.map_or_else(
        || "it closed the connection".to_owned(),
        |status| format!("it ended by itself ({status})"),
    )
}
