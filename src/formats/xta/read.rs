//! A text to its games, or its network.

use super::super::decode::decode;
use super::super::transcript::{ReadOne, Transcript};
use super::super::uppaal::{NetworkFile, ReadError, ReadOptions};
use super::parse::parse;
use super::spell::spell;
use crate::text::{Diagnostic, SourceFile};

/// The games in `bytes`, the content of a file called `name`, and warnings about it; only those of the names in `only`, where
/// there are some. They are held as the XML file that says the same.
///
/// # Errors
/// Everything that is malformed or outside a single timed game.
pub fn read_xta(name: &str, bytes: &[u8], options: &ReadOptions, only: Option<&[&str]>) -> Result<ReadOne, ReadError> {
    let (file, transcript) = spelled(name, bytes)?;
    transcript.read_some(file, options, only)
}

/// The network in `bytes`, the file itself, and warnings about it. It is held as the XML file that says the same.
///
/// # Errors
/// Everything that is malformed or has no exact meaning here.
pub fn read_xta_network(name: &str, bytes: &[u8]) -> Result<(NetworkFile, SourceFile, Vec<Diagnostic>), ReadError> {
    let (file, transcript) = spelled(name, bytes)?;
    transcript.read_network(file)
}

fn spelled(name: &str, bytes: &[u8]) -> Result<(SourceFile, Transcript), ReadError> {
    let file = decode(name, bytes).map_err(|(file, error)| ReadError {
        file,
        diagnostics: vec![*error],
    })?;
    let mut found = Vec::new();
    let parsed = parse(file.text(), &mut found);
    let transcript = spell(&parsed);
    match found.is_empty() {
        true => Ok((file, transcript)),
        false => Err(ReadError {
            file,
            diagnostics: found,
        }),
    }
}
