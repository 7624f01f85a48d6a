//! From a file name to a transition system.

use anyhow::Result;

use crate::cli::door::SystemFile;
use crate::cli::terminal::Terminal;
use tamper::experiment::explain;
use tamper::formats::btor2::read_btor2;
use tamper::formats::smv::{ReadSystem, read_smv};
use tamper::formats::{ReadError, read_input};
use tamper::systems::{ExploreError, Missing, TransitionSystem, explore};
use tamper::text::{Budget, Diagnostic};

/// What to name where a file cannot be read.
pub const SYSTEMS: &str = "name a system in SMV, BTOR2 or Prolog syntax";

/// Reads `file`; warnings are shown.
pub fn read(file: &SystemFile, terminal: &Terminal) -> Result<ReadSystem> {
    let bytes = read_input(&file.path, SYSTEMS)?;
    let name = file.path.display().to_string();
    let system = match file.is_btor2 {
        true => read_btor2(&name, &bytes)?,
        false => read_smv(&name, &bytes)?,
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
