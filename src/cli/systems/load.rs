//! From a file name to a transition system.

use std::path::Path;

use anyhow::Result;

use crate::cli::door::{DetectedFile, FileIn, MachineFile, UntimedFile, is_plain};
use crate::cli::machines::MACHINES;
use crate::cli::terminal::Terminal;
use tamper::formats::btor2::read_btor2;
use tamper::formats::smv::{ReadSystem, SmvNames, read_smv_with};
use tamper::formats::{FileKind, ReadError, SystemFormat, read_input};
use tamper::systems::{ExploreError, Missing, TransitionSystem, explore};
use tamper::text::Budget;
use tamper::untimed::explain;

/// The advice if a file cannot be read.
pub const SYSTEMS: &str = "name a system in SMV, BTOR2 or Prolog syntax";

/// A file whose mutants are decided one by one, in a folder if one is given.
pub enum MutatedFile {
    Untimed(UntimedFile),
    Machine(MachineFile),
}

impl MutatedFile {
    pub fn of(subject: DetectedFile, names: &SmvNames) -> Result<Self> {
        match subject.kind {
            FileKind::System(format) => Ok(Self::Untimed(subject.system(format, names))),
            FileKind::Machine(format) if is_plain(format) => Ok(Self::Machine(subject.written_in(format))),
            _ => Err(subject.not("an untimed system or a state machine").into()),
        }
    }
    /// The advice if the file cannot be read.
    pub fn wanted(&self) -> &'static str {
        match self {
            Self::Untimed(_) => SYSTEMS,
            Self::Machine(_) => MACHINES,
        }
    }
    /// The file at `path`, in the same format.
    pub fn at(&self, path: &Path) -> Self {
        let path = path.to_owned();
        match self {
            Self::Untimed(file) => Self::Untimed(UntimedFile { path, ..file.clone() }),
            Self::Machine(file) => Self::Machine(FileIn {
                path,
                format: file.format,
            }),
        }
    }
    /// The inputs and outputs that the user named.
    pub fn names(&self) -> SmvNames {
        match self {
            Self::Untimed(file) => file.names.clone(),
            Self::Machine(_) => SmvNames::default(),
        }
    }
    /// The path of the file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Untimed(file) => &file.path,
            Self::Machine(file) => &file.path,
        }
    }
}

/// Reads the transition system in `file`; warnings are shown.
pub fn read(file: &UntimedFile, terminal: &Terminal) -> Result<ReadSystem> {
    let bytes = read_input(&file.path, SYSTEMS)?;
    let name = file.path.display().to_string();
    let system = match file.format {
        SystemFormat::Btor2 => read_btor2(&name, &bytes)?,
        SystemFormat::Smv | SystemFormat::Actions => read_smv_with(&name, &bytes, &file.names)?,
    };
    if !system.warnings.is_empty() {
        terminal.warnings(&system.file, &system.warnings);
    }
    Ok(system)
}

/// The treatment of states that have no step for an input.
pub fn missing(complete: bool) -> Missing {
    if complete { Missing::Complete } else { Missing::Refuse }
}

/// The states of a system, or the limit that hides them.
///
/// # Errors
/// If the system is not total, or too large; the error points into the file.
pub fn states(
    system: &ReadSystem,
    complete: bool,
    budget: &Budget,
) -> Result<Result<TransitionSystem, tamper::text::StopReason>> {
    match explore(&system.program, missing(complete), budget) {
        Ok(states) => Ok(Ok(states)),
        Err(ExploreError::Limit(reason)) => Ok(Err(reason)),
        Err(error) => Err(ReadError::of(system.file.clone(), explain(&error)).into()),
    }
}
