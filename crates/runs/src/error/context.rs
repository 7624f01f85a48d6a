//! The operation that failed, attached to an error: access to a file, or a larger task.

use std::error::Error;
use std::io;
use std::path::Path;

use super::{ExperimentError, FileAction};

/// Result of this crate's functions.
pub type Result<T, E = ExperimentError> = std::result::Result<T, E>;

/// Adds to an error the task during which it occurred.
pub trait ErrorContext<T> {
    /// Wraps the error in a sentence or a name.
    fn doing(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<ExperimentError>> ErrorContext<T> for Result<T, E> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| ExperimentError::Doing {
            what: what(),
            source: Box::new(error.into()),
        })
    }
}

/// Adds to an I/O error the file and the operation that was refused.
pub trait OfFile<T> {
    /// Says that `action` failed on the file or folder at `path`.
    fn cannot(self, action: FileAction, path: &Path) -> Result<T>;
}

impl<T> OfFile<T> for io::Result<T> {
    fn cannot(self, action: FileAction, path: &Path) -> Result<T> {
        self.map_err(|source| ExperimentError::File {
            action,
            path: path.to_owned(),
            source,
        })
    }
}

/// Adds to a parser's error the file that is malformed.
pub trait OrMalformed<T> {
    /// Turns the error into `ExperimentError::Malformed` with the given sentence.
    fn or_malformed(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Error + Send + Sync + 'static> OrMalformed<T> for Result<T, E> {
    fn or_malformed(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| ExperimentError::Malformed {
            what: what(),
            source: Some(Box::new(error)),
        })
    }
}
