//! Why a file is refused.

use crate::{Diagnostic, SourceFile, render};

/// Why a file is refused: all its errors (and warnings), in the order of the file.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", render(.file, .diagnostics, false).trim_end())]
pub struct ReadError {
    /// The file, as far as it could be decoded.
    pub file: SourceFile,
    /// At least one error.
    pub diagnostics: Vec<Diagnostic>,
}

impl ReadError {
    /// One error in a file.
    pub fn of(file: SourceFile, error: Diagnostic) -> Self {
        Self {
            file,
            diagnostics: vec![error],
        }
    }
}
