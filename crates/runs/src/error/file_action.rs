//! Operations on files that can fail.

use std::fmt;
use std::path::{Path, PathBuf};

/// An operation on a file or folder.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FileAction {
    /// Reading its content.
    Read,
    /// Opening it.
    Open,
    /// Creating it.
    Create,
    /// Creating the folder and its parents.
    CreateFolder,
    /// Writing it.
    Write,
    /// Creating a file in the folder.
    WriteInto,
    /// Continuing the output of an interrupted run.
    Continue,
    /// Locking it.
    Lock,
    /// Moving it out of the way.
    Move,
    /// Moving it to another path.
    MoveTo(PathBuf),
    /// Removing it.
    Remove,
}

impl FileAction {
    /// Writes the sentence that the operation on `path` failed.
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
