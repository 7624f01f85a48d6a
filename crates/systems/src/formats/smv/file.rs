//! Reads a program from bytes.

use std::collections::BTreeSet;

use super::lexer::{self, SmvNames};
use super::modules::{FlattenedToken, written_out};
use super::reader;
use crate::Program;
use crate::formats::tokens::Token;
use tamper_text::ReadError;
use tamper_text::decode;
use tamper_text::{Diagnostic, SourceFile};

/// A system with its file.
#[derive(Clone, Debug)]
pub struct ReadSystem {
    /// The program in the file.
    pub program: Program,
    /// Its file.
    pub file: SourceFile,
    /// Warnings about the program.
    pub warnings: Vec<Diagnostic>,
}

/// The system in `bytes`, the content of a file called `name`; its comments name inputs and outputs.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_smv(name: &str, bytes: &[u8]) -> Result<ReadSystem, ReadError> {
    read_smv_with(name, bytes, &SmvNames::default())
}

/// The system in `bytes`, the content of a file called `name`, with these inputs and outputs.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_smv_with(name: &str, bytes: &[u8], names: &SmvNames) -> Result<ReadSystem, ReadError> {
    let file = decode(name, bytes)?;
    let (mut tokens, mut notes) = lexer::tokens(file.text());
    notes.replaced(names);
    let Ok(written) = written_out(&mut tokens) else {
        let diagnostics = tokens.diagnostics;
        return Err(ReadError { file, diagnostics });
    };
    let words = written.as_ref().map(|words| {
        let words = words.iter().map(|(word, span)| match word {
            FlattenedToken::Kept(token) => (*token, *span),
            FlattenedToken::Path(path) | FlattenedToken::Open(path, _) => (Token::Name(path), *span),
        });
        words.collect()
    });
    let has_instances = words.is_some();
    let (mut program, mut found) = match words {
        Some(words) => reader::read(tokens.with(words), &notes),
        None => reader::read(tokens, &notes),
    };
    if has_instances {
        program.has_instances = true;
        // What is said of a place in a module is said once, whatever the number of its instances.
        let mut said = BTreeSet::new();
        found.retain(|own| own.span.is_none() || said.insert((own.severity, own.span)));
    }
    let (file, warnings) = ReadError::unless_sound(file, found)?;
    Ok(ReadSystem {
        program,
        file,
        warnings,
    })
}
