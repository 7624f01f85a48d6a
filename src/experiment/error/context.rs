//! What was done when something failed: with a file, or with something larger.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::ExperimentError;

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

/// What is done with a file or folder.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FileAction {
    /// What it holds is read.
    Read,
    /// It is opened.
    Open,
    /// It is made.
    Create,
    /// The folder is made, with those that it is in.
    CreateFolder,
    /// It is written.
    Write,
    /// A file is made in the folder.
    WriteInto,
    /// What an interrupted run wrote is gone on with.
    Continue,
    /// It is locked.
    Lock,
    /// It is moved out of the way.
    Move,
    /// It is moved there.
    MoveTo(PathBuf),
    /// It is removed.
    Remove,
}

impl FileAction {
    /// Says that it cannot be done with `path`.
    pub(super) fn say(&self, path: &Path, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = path.display();
        match self {
            Self::Read => write!(f, "cannot read {path}"),
            Self::Open => write!(f, "cannot open {path}"),
            Self::Create => write!(f, "cannot create {path}"),
            Self::CreateFolder => write!(f, "cannot create the folder {path}"),
            Self::Write => write!(f, "cannot write {path}"),
            Self::WriteInto => write!(f, "cannot write to {path}"),
            Self::Continue => write!(f, "cannot continue {path}"),
            Self::Lock => write!(f, "cannot lock {path}"),
            Self::Move => write!(f, "cannot move {path}"),
            Self::MoveTo(place) => write!(f, "cannot move {path} to {}", place.display()),
            Self::Remove => write!(f, "cannot remove {path}"),
        }
    }
}
