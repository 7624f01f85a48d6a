//! From bytes to a program.

use super::{lexer, reader};
use crate::Program;
use tamper_text::ReadError;
use tamper_text::decode;
use tamper_text::{Diagnostic, Severity, SourceFile};

/// A system that was read.
#[derive(Clone, Debug)]
pub struct ReadSystem {
    /// What it says.
    pub program: Program,
    /// Its file.
    pub file: SourceFile,
    /// What deserves a look.
    pub warnings: Vec<Diagnostic>,
}

/// The system in `bytes`, the content of a file called `name`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_smv(name: &str, bytes: &[u8]) -> Result<ReadSystem, ReadError> {
    let file = decode(name, bytes)?;
    let (program, diagnostics) = reader::read(lexer::tokens(file.text()));
    let is_error = |found: &Diagnostic| found.severity == Severity::Error;
    if diagnostics.iter().any(is_error) {
        return Err(ReadError { file, diagnostics });
    }
    Ok(ReadSystem {
        program,
        file,
        warnings: diagnostics,
    })
}
