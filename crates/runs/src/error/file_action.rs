//! What can fail about a file.

use std::fmt;
use std::path::{Path, PathBuf};

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
