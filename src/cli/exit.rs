//! The results of commands: exit codes, and errors that stand for one.

use std::fmt::Display;

/// The exit codes of every command.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum ExitCode {
    /// Done, and the answer is yes: `refine` found the left side subsumed, `classify` found no unsound guideline.
    Yes = 0,
    /// Done, and the answer is no.
    No = 1,
    /// Not done: wrong usage, a refused file, or an inconsistent specification.
    Error = 2,
    /// Done as far as the stated limits allow: some answer is unknown.
    Unknown = 3,
    /// Ended by a signal; the records of `classify` are kept.
    Interrupted = 130,
}

impl ExitCode {
    /// The answer to a question of yes or no.
    pub fn yes_if(is_so: bool) -> Self {
        if is_so { Self::Yes } else { Self::No }
    }
    /// Done, unless a limit has left something unknown.
    pub fn known_if(is_known: bool) -> Self {
        if is_known { Self::Yes } else { Self::Unknown }
    }
}

/// The part of `--help` about exit codes.
pub const EXIT_CODES: &str = "Exit codes:
  0  done; the answer is yes
  1  done; the answer is no (refine: non-subsumed or inconsistent; check: a game is inconsistent;
     classify: a guideline is unsound, or --verify finds another verdict; coverage: a mutant
     escapes)
  2  wrong usage, a file that is refused, or an inconsistent specification
  3  a limit was hit, so that some answer is unknown
  130  ended by Ctrl-C or a request to end (classify: --resume goes on from there)";

/// The error that a limit was hit before there was anything to show.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct LimitHit(pub String);

/// Advice if there are too many mutants for the limits.
pub const FEWER: &str = "look at a --sample";

impl LimitHit {
    /// The error that the time of the run was up before its mutants were made.
    pub fn too_many() -> Self {
        Self(format!(
            "the mutants are too many for this time (--total-timeout): {FEWER}"
        ))
    }

    /// The error that the limits do not suffice for the original `what`, whatever its mutants need.
    pub fn too_small(what: impl Display, why: impl Display) -> Self {
        Self(format!("the limits are too small for {what} itself: {why}"))
    }
}

/// Ctrl-C ended a run that can be continued later.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Stopped(pub String);

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}
