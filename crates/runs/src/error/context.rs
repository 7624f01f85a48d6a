//! What was done when something failed: with a file, or with something larger.

use std::error::Error;
use std::io;
use std::path::Path;

use super::{ExperimentError, FileAction};

/// What functions of this room answer.
pub type Result<T, E = ExperimentError> = std::result::Result<T, E>;

/// Adds to a failure what was being done.
pub trait Doing<T> {
    /// The failure with a sentence, or a name, around it.
    fn doing(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<ExperimentError>> Doing<T> for Result<T, E> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| ExperimentError::Doing {
            what: what(),
            source: Box::new(error.into()),
        })
    }
}

/// Adds to a refusal of the file system what was refused.
pub trait OfFile<T> {
    /// That cannot be done with the file or folder at `path`.
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

/// Adds to what a reader says which file it is about.
pub trait OrMalformed<T> {
    /// The file is not what it should be, as the sentence says.
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
