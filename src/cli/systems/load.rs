//! From a file name to a transition system.

use std::path::Path;

use anyhow::Result;

use crate::cli::terminal::Terminal;
use tamper::formats::btor2::read_btor2;
use tamper::formats::smv::{ReadSystem, read_smv};
use tamper::formats::{ReadError, read_input};
use tamper::report::systems::explain;
use tamper::systems::{ExploreError, Missing, TransitionSystem, explore};
use tamper::text::{Budget, Diagnostic};

/// How a transition system is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SystemFormat {
    /// SMV.
    Smv,
    /// BTOR2.
    Btor2,
    /// An action system in Prolog syntax.
    Actions,
}

impl SystemFormat {
    /// The format of a file of that name, if it is one of these.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str())?;
        match extension.to_ascii_lowercase().as_str() {
            "smv" => Some(Self::Smv),
            "btor2" | "btor" => Some(Self::Btor2),
            "pl" => Some(Self::Actions),
            _ => None,
        }
    }
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smv => "SMV",
            Self::Btor2 => "BTOR2",
            Self::Actions => "action system",
        }
    }
}

/// What to name where a file cannot be read.
pub const SYSTEMS: &str = "name a system in SMV, BTOR2 or Prolog syntax";

/// Reads `path`; warnings are shown.
pub fn read(path: &Path, terminal: &Terminal) -> Result<ReadSystem> {
    let bytes = read_input(path, SYSTEMS)?;
    let name = path.display().to_string();
    let system = match SystemFormat::of(path) {
        Some(SystemFormat::Btor2) => read_btor2(&name, &bytes)?,
        _ => read_smv(&name, &bytes)?,
    };
    if !system.warnings.is_empty() {
        terminal.warnings(&system.file, &system.warnings);
    }
    Ok(system)
}

/// What happens in states that have no step for an input.
pub fn missing(complete: bool) -> Missing {
    if complete { Missing::Complete } else { Missing::Refuse }
}

/// The states of a system, or the limit that hides them.
///
/// # Errors
/// It is not total, or too large; the error points into the file.
pub fn states(
    system: &ReadSystem,
    complete: bool,
    budget: &Budget,
) -> Result<Result<TransitionSystem, tamper::text::StopReason>> {
    match explore(&system.program, missing(complete), budget) {
        Ok(states) => Ok(Ok(states)),
        Err(ExploreError::Limit(reason)) => Ok(Err(reason)),
        Err(error) => Err(refusal(system, explain(&error)).into()),
    }
}

/// `diagnostic` about the file of `system`.
pub fn refusal(system: &ReadSystem, diagnostic: Diagnostic) -> ReadError {
    ReadError {
        file: system.file.clone(),
        diagnostics: vec![diagnostic],
    }
}
