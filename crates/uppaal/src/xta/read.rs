//! Reads a text into its games, or its network.

use super::parse::parse;
use super::spell::spell;
use crate::{Document, ForeignFile, NetworkFile, ReadOptions};
use tamper_text::{Diagnostic, ReadError, decode};

/// The games in `bytes`, the content of a file called `name`, and warnings about it; only the games named in `only`, if
/// it is given.
///
/// # Errors
/// Everything that is malformed or outside a single timed game.
pub fn read_xta(
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
    only: Option<&[&str]>,
) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    parts(name, bytes)?.games(options, only)
}

/// The network in `bytes`, and warnings about it.
///
/// # Errors
/// Everything that is malformed or has no exact meaning here.
pub fn read_xta_network(name: &str, bytes: &[u8]) -> Result<(NetworkFile, Vec<Diagnostic>), ReadError> {
    parts(name, bytes)?.network()
}

fn parts(name: &str, bytes: &[u8]) -> Result<ForeignFile, ReadError> {
    let file = decode(name, bytes)?;
    let text = file.clone();
    let mut found = Vec::new();
    let parsed = parse(text.text(), &mut found);
    if !found.is_empty() {
        return Err(ReadError {
            file,
            diagnostics: found,
        });
    }
    let raw = spell(&parsed, &mut found);
    Ok(ForeignFile { file, raw, found })
}
