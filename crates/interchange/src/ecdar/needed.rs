//! Which files of a project are looked at: large projects have hundreds of components, and a question names two.

use super::content::{file, is_declarations, name_of};
use super::project::Project;
use super::run::system_line;
use tamper_text::{Piece, SourceFile};

/// The declarations, and the components named in `only`, or else run by the system line; all files if neither names any.
pub(super) fn needed(mut files: Vec<SourceFile>, only: Option<&[&str]>) -> Vec<SourceFile> {
    let asked = |file| is_one_of(file, |name| only.is_some_and(|only| only.contains(&name)));
    let mut kept: Vec<bool> = files.iter().map(asked).collect();
    if !kept.contains(&true) {
        let Some(run) = files.iter().rev().find_map(run_by) else {
            return files;
        };
        let runs = |file| is_one_of(file, |name| run.iter().any(|run| run == name));
        kept = files.iter().map(runs).collect();
    }
    let mut kept = kept.into_iter();
    files.retain(|file| kept.next() == Some(true) || is_declarations(file.name()));
    files
}

/// The names in the system line, in a file of system declarations that has a plain one.
fn run_by(source: &SourceFile) -> Option<Vec<String>> {
    let system = is_declarations(source.name()).then(|| content(source))?.system?;
    Some(system_line(&system.decoded)?.names)
}

/// Whether the component in a file has such a name. Most files show without being parsed that theirs is another.
fn is_one_of(source: &SourceFile, is_named: impl Fn(&str) -> bool) -> bool {
    let text = source.text();
    let may_be = |(at, key): (usize, &str)| {
        let value = text[at + key.len()..].trim_start().trim_start_matches(':').trim_start();
        let said = value.trim_start_matches('"').split('"').next().unwrap_or_default();
        said.contains('\\') || is_named(said.trim())
    };
    let is_of_file = || is_named(&name_of(source.name(), &[]));
    !is_declarations(source.name())
        && (is_of_file() || text.match_indices("\"name\"").any(may_be))
        && is_named(&name_of(source.name(), &content(source).components))
}

fn content(source: &SourceFile) -> Project {
    let mut project = Project::default();
    file(
        source.name(),
        Piece::new(source.text(), 0),
        &mut project,
        &mut Vec::new(),
    );
    project
}
