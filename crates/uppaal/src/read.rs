//! The reading of files: each process as a separate open game, or all of them as one network.

use std::path::Path;
use std::sync::Arc;

use super::document::{Document, ReadOptions};
use super::network_file::{NetworkFile, network_file};
use super::open_games::{ReadRequest, open_games};
use super::raw::{ForeignParts, RawFile};
use super::xml::raw_file;
use crate::input::read_input;
use tamper_text::{Diagnostic, ReadError, Severity, SourceFile, decode};

/// Reads a UPPAAL file from disk.
///
/// # Errors
/// The file cannot be read, or [`read_bytes`] refuses it.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    let name = path.display().to_string();
    let bytes = read_input(path, "name a UPPAAL XML file that exists and may be read")?;
    read_bytes(&name, &bytes, options)
}

/// Reads a UPPAAL file given as bytes. Also returns the warnings. `name` is its name in messages.
///
/// ```
/// use tamper_uppaal::{ReadOptions, read_bytes};
/// let file = br#"<nta><declaration>chan a;</declaration><template><name>T</name>
///     <location id="l"/><init ref="l"/>
///     <transition><source ref="l"/><target ref="l"/><label kind="synchronisation">a!</label></transition>
///     </template><system>system T;</system></nta>"#;
/// let (document, warnings) = read_bytes("t.xml", file, &ReadOptions::default()).unwrap();
/// assert_eq!(document.automata()[0].edges().len(), 1);
/// assert!(warnings.is_empty());
/// ```
///
/// # Errors
/// Everything in the file that is malformed or outside a single timed game, in one go.
pub fn read_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    let asked = ReadRequest { options, only: None };
    read(name, bytes, |file, raw, found| Some(games(file, raw, asked, found)))
}

/// Reads a UPPAAL file of which only these processes are asked for: errors elsewhere in it are warnings, and each
/// process is judged as if it were the only user of its variables.
///
/// # Errors
/// Everything that is wrong with these processes, or with the file as a whole.
pub fn read_only(
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
    only: &[&str],
) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    let only = Some(only);
    let asked = ReadRequest { options, only };
    read(name, bytes, |file, raw, found| Some(games(file, raw, asked, found)))
}

/// The games of `raw`. If `raw` differs from the text of the file, the document keeps it for writing.
fn games(file: &SourceFile, raw: RawFile, asked: ReadRequest<'_>, found: &mut Vec<Diagnostic>) -> Document {
    let foreign = raw.is_branched.then(|| ForeignParts {
        raw: Arc::new(raw.clone()),
        only: asked
            .only
            .map(|only| only.iter().map(|name| (*name).to_owned()).collect()),
    });
    Document {
        foreign,
        ..open_games(file, raw, asked, found)
    }
}

/// Reads a UPPAAL file as one network. Also returns the warnings. `name` is its name in messages.
///
/// # Errors
/// Everything in the file that is malformed or has no exact meaning here, in one go.
pub fn read_network(name: &str, bytes: &[u8]) -> Result<(NetworkFile, Vec<Diagnostic>), ReadError> {
    read(name, bytes, |file, raw, found| {
        let foreign = raw.is_branched.then(|| ForeignParts {
            raw: Arc::new(raw.clone()),
            only: None,
        });
        let network = network_file(file, raw, found)?;
        Some(NetworkFile { foreign, ..network })
    })
}

fn read<T>(
    name: &str,
    bytes: &[u8],
    make: impl FnOnce(&SourceFile, RawFile, &mut Vec<Diagnostic>) -> Option<T>,
) -> Result<(T, Vec<Diagnostic>), ReadError> {
    let file = decode(name, bytes)?;
    let mut diagnostics = Vec::new();
    let made = raw_file(&file, &mut diagnostics).and_then(|raw| make(&file, raw, &mut diagnostics));
    checked(file, made, diagnostics)
}

/// The value made of a file, unless something is wrong with the file.
pub(super) fn checked<T>(
    file: SourceFile,
    made: Option<T>,
    diagnostics: Vec<Diagnostic>,
) -> Result<(T, Vec<Diagnostic>), ReadError> {
    let diagnostics = in_order(diagnostics);
    let refused = diagnostics.iter().any(|found| found.severity == Severity::Error);
    match made {
        Some(made) if !refused => Ok((made, diagnostics)),
        _ => Err(ReadError { file, diagnostics }),
    }
}

/// The findings without duplicates, in the order of the file (instances of one template repeat its findings).
fn in_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by(|a, b| (a.span, &a.message).cmp(&(b.span, &b.message)));
    diagnostics.dedup_by(|a, b| a.span == b.span && a.message == b.message);
    diagnostics
}
