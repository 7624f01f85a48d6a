//! From bytes to a program.

use super::{lexer, reader};
use crate::Program;
use tamper_text::ReadError;
use tamper_text::decode;
use tamper_text::{Diagnostic, SourceFile};

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
    let (tokens, notes) = lexer::tokens(file.text());
    let (program, found) = reader::read(tokens, &notes);
    let (file, warnings) = ReadError::unless_sound(file, found)?;
    Ok(ReadSystem {
        program,
        file,
        warnings,
    })
}
