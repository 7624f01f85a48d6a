//! Files that commands are given: each is opened here, and refused if it is not of the kind that is needed.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::exit::ExitCode;
use tamper::formats::feature_model::FeatureModelFormat;
use tamper::formats::machines::MachineFormat;
use tamper::formats::smv::SmvNames;
use tamper::formats::{FileKind, SystemFormat};

/// A file or folder, and the kind of its content.
#[derive(Debug)]
pub struct DetectedFile {
    pub path: PathBuf,
    pub kind: FileKind,
}

/// A file of one kind, with its format.
#[derive(Clone)]
pub struct FileIn<Format> {
    pub path: PathBuf,
    pub format: Format,
}

/// A file of a finite state machine, with or without variables and super-states.
pub type MachineFile = FileIn<MachineFormat>;
/// A file of a system without time.
#[derive(Clone)]
pub struct UntimedFile {
    pub path: PathBuf,
    pub format: SystemFormat,
    /// The inputs and outputs that the user named.
    pub names: SmvNames,
}
/// A file of a feature model.
pub type FeaturesFile = FileIn<FeatureModelFormat>;

/// Opens the file at `path`, and determines its kind.
pub fn open(path: &Path) -> Result<DetectedFile> {
    let kind = FileKind::of(path)?;
    let path = path.to_owned();
    Ok(DetectedFile { path, kind })
}

/// Opens the feature model that an option of a command names.
pub fn open_features(path: &Path) -> Result<FeaturesFile> {
    let subject = open(path)?;
    match subject.kind {
        FileKind::Features(format) => Ok(subject.written_in(format)),
        _ => Err(subject.not("a feature model").into()),
    }
}

/// Opens the state machine that a command needs besides its first file.
pub fn open_machine(path: &Path) -> Result<MachineFile> {
    let subject = open(path)?;
    match subject.kind {
        FileKind::Machine(format) if is_plain(format) => Ok(subject.written_in(format)),
        _ => Err(subject.not("a state machine").into()),
    }
}

/// Checks the suite of timed tests that a command needs besides a model.
pub fn open_timed_suite(path: &Path) -> Result<PathBuf> {
    open_as(path, |kind| kind == FileKind::TimedSuite, "a suite of timed tests")
}

/// Checks the timed games that a command needs besides its first file.
pub fn open_timed(path: &Path) -> Result<PathBuf> {
    open_as(path, |kind| matches!(kind, FileKind::Timed(_)), "a timed game")
}

/// Opens the file at `path`, and refuses it unless it is `what`.
pub fn open_as(path: &Path, is: fn(FileKind) -> bool, what: &'static str) -> Result<PathBuf> {
    let subject = open(path)?;
    match is(subject.kind) {
        true => Ok(subject.path),
        false => Err(subject.not(what).into()),
    }
}

impl DetectedFile {
    /// The file as a file in that format.
    pub fn written_in<Format>(&self, format: Format) -> FileIn<Format> {
        let path = self.path.clone();
        FileIn { path, format }
    }

    /// The file as a system in that format, with these inputs and outputs.
    pub fn system(&self, format: SystemFormat, names: &SmvNames) -> UntimedFile {
        UntimedFile {
            path: self.path.clone(),
            format,
            names: names.clone(),
        }
    }

    /// The kind and the path, such as `an action system (lift.pl)`.
    pub fn name(&self) -> String {
        format!("{} ({})", self.kind.what(), self.path.display())
    }

    /// The error that `command` does not take the file.
    pub fn refusal(self, command: &'static str) -> Refusal {
        Refusal {
            subject: self,
            expected: Expectation::Command(command),
        }
    }

    /// The error that the file is refused where only `what` has a meaning.
    pub fn not(self, what: &'static str) -> Refusal {
        Refusal {
            subject: self,
            expected: Expectation::Kind(what),
        }
    }

    /// Ends a command that does not take the file.
    pub fn refused(self, command: &'static str) -> Result<ExitCode> {
        Err(self.refusal(command).into())
    }
}

/// A file that is refused for its kind. The rim adds which commands take it (`refusal`).
#[derive(Debug, thiserror::Error)]
#[error("{}: is {}", subject.path.display(), subject.kind.what())]
pub struct Refusal {
    pub subject: DetectedFile,
    pub expected: Expectation,
}

/// The use that a file was named for.
#[derive(Debug)]
pub enum Expectation {
    /// The file of this command.
    Command(&'static str),
    /// A file of this kind.
    Kind(&'static str),
}

/// Machines without variables and super-states.
pub fn is_plain_machine(kind: FileKind) -> bool {
    matches!(kind, FileKind::Machine(format) if is_plain(format))
}

/// Whether machines in that format have no variables and no super-states.
pub fn is_plain(format: MachineFormat) -> bool {
    !matches!(format, MachineFormat::Extended | MachineFormat::Scxml)
}
