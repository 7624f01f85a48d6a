//! Errors of a program under test that cannot be tested.

use std::time::Duration;

use tamper_text::visible;

/// The reason for which a program cannot be tested: it is missing, or it does not follow the protocol.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SutError {
    /// It could not be started or reached.
    #[error("`{target}` cannot be reached: {source}")]
    Unreachable {
        /// The command or address.
        target: String,
        /// The cause.
        source: std::io::Error,
    },
    /// The shell could not start it.
    #[error("`{command}` cannot be started: the shell finds no such program, or it is none ({status})")]
    NotStarted {
        /// The command.
        command: String,
        /// The exit status of the shell: 127 if it found no program, 126 if the file is not a program.
        status: std::process::ExitStatus,
    },
    /// It ended, or closed the connection.
    #[error("crashed: {}", end(*.status))]
    Ended {
        /// The exit status, if the program is a process that has ended.
        status: Option<std::process::ExitStatus>,
    },
    /// An immediate answer did not come.
    #[error("hangs: no `{awaited}` within {} s", .patience.as_secs_f64())]
    Hangs {
        /// The answer.
        awaited: &'static str,
        /// The time for which the answer was awaited.
        patience: Duration,
    },
    /// Too many lines came where an answer was awaited.
    #[error("babbles: {n_lines} lines and no `{awaited}` among them")]
    Babbles {
        /// The answer.
        awaited: &'static str,
        /// Number of other lines that came.
        n_lines: usize,
    },
    /// A line was longer than the protocol allows.
    #[error("babbles: a line of more than {limit} bytes")]
    LineTooLong {
        /// The longest line allowed, in bytes.
        limit: usize,
    },
    /// A line that is not part of the protocol, or not allowed here.
    #[error("said `{}` where `{awaited}` was awaited", visible(.line))]
    Unexpected {
        /// The line.
        line: String,
        /// The awaited answer.
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
