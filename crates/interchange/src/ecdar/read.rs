//! Reads the files of an Ecdar project into its games.

use super::content::{file, is_declarations, name_of};
use super::joined::{Joined, is_refused};
use super::needed::needed;
use super::project::Project;
use super::run::only_these;
use super::spell::spell;
use tamper_text::{Diagnostic, ReadError, SourceFile, decode};
use tamper_uppaal::{Document, ForeignFile, ReadOptions};

/// The games of a project, and the warnings about each of its files.
type ReadProject = (Document, Vec<(SourceFile, Vec<Diagnostic>)>);

/// The games in `files`, given as names and contents: `SystemDeclarations.json` and `GlobalDeclarations.json`,
/// recognised by their names, and components. Only the components that the system runs are read. Also returns the
/// warnings about each file.
///
/// # Errors
/// The errors of the first file that has some.
pub fn read_ecdar(files: &[(String, Vec<u8>)], options: &ReadOptions) -> Result<ReadProject, ReadError> {
    read_ecdar_only(files, options, None)
}

/// The games in `files`, given as names and contents: `SystemDeclarations.json` and `GlobalDeclarations.json`,
/// recognised by their names, and components. Only the components named in `only`, or else run by the system, are read.
/// Also returns the warnings about each file that was read.
///
/// # Errors
/// The errors of the first file that has some.
pub fn read_ecdar_only(
    files: &[(String, Vec<u8>)],
    options: &ReadOptions,
    only: Option<&[&str]>,
) -> Result<ReadProject, ReadError> {
    let sources = files.iter().map(|(name, bytes)| decode(name, bytes));
    let joined = Joined::of(needed(sources.collect::<Result<_, _>>()?, only));
    let mut found = Vec::new();
    let mut project = Project::default();
    let mut of_components = Vec::new();
    for (name, piece) in joined.pieces() {
        let mut of_file = Vec::new();
        let before = project.components.len();
        file(name, piece, &mut project, &mut of_file);
        match is_declarations(name) {
            true => found.append(&mut of_file),
            false => of_components.push((name_of(name, &project.components[before..]), of_file)),
        }
    }
    let mut elsewhere = only_these(&mut project, only, of_components, &mut found);
    if project.components.is_empty() && !is_refused(&found) {
        let error = Diagnostic::error("the project has no component", None);
        found.push(error.with_help("components are JSON files in the folder Components/"));
    }
    if is_refused(&found) {
        return Err(joined.refused(found));
    }
    let raw = spell(&project, &mut found);
    if is_refused(&found) {
        return Err(joined.refused(found));
    }
    let file = ForeignFile {
        file: joined.text.clone(),
        raw,
        found: Vec::new(),
    };
    let read = file.games(options, None);
    let (document, more) = read.map_err(|error| joined.refused(error.diagnostics))?;
    found.extend(more);
    found.append(&mut elsewhere);
    Ok((document, joined.by_file(found)))
}
