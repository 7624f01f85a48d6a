//! The error of a reader.

use crate::{Diagnostic, Severity, SourceFile, StopReason, render};

/// The reason why a file is refused: all its errors (and warnings), in the order of the file.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", render(.file, .diagnostics, false).trim_end())]
pub struct ReadError {
    /// The file, as far as it could be decoded.
    pub file: SourceFile,
    /// At least one error.
    pub diagnostics: Vec<Diagnostic>,
}

/// Whether one of the diagnostics is an error.
pub fn has_error(found: &[Diagnostic]) -> bool {
    found.iter().any(|found| found.severity == Severity::Error)
}

impl ReadError {
    /// The file and its warnings, if there is no error among the diagnostics `found` in it.
    ///
    /// # Errors
    /// With all diagnostics, if one of them is an error.
    pub fn unless_sound(file: SourceFile, found: Vec<Diagnostic>) -> Result<(SourceFile, Vec<Diagnostic>), Self> {
        match has_error(&found) {
            true => Err(Self {
                file,
                diagnostics: found,
            }),
            false => Ok((file, found)),
        }
    }
    /// The limit that was hit, if nothing else is wrong with the file.
    pub fn limit(&self) -> Option<StopReason> {
        let mut errors = self
            .diagnostics
            .iter()
            .filter(|found| found.severity == Severity::Error);
        let limit = errors.next()?.limit?;
        errors.all(|error| error.limit.is_some()).then_some(limit)
    }
    /// One error in a file.
    pub fn of(file: SourceFile, error: Diagnostic) -> Self {
        Self {
            file,
            diagnostics: vec![error],
        }
    }
}
