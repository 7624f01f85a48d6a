//! The reasons for which a text has no queries.

use std::io;

/// The reason why there are no queries.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueriesError {
    /// The text is no certificate.
    #[error("no certificate: line {line}: {because}")]
    Malformed {
        /// The line, from 1.
        line: usize,
        /// The reason.
        because: String,
    },
    /// The certificate does not hold, whatever a solver says.
    #[error("does not hold: line {line}, because {because}")]
    DoesNotHold {
        /// The line, from 1.
        line: usize,
        /// The reason.
        because: &'static str,
    },
    /// The queries cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl QueriesError {
    pub(super) fn malformed(line: usize, because: impl Into<String>) -> Self {
        let because = because.into();
        Self::Malformed { line, because }
    }
    pub(super) fn wrong(line: usize, because: &'static str) -> Self {
        Self::DoesNotHold { line, because }
    }
}
