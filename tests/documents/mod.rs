//! What the README, the book and the notes say is so: transcripts, pictures, links, tables, the help of every command.

#[cfg(all(unix, feature = "reproduction"))]
mod help;
mod links;
mod page;
mod papers;
mod quoted;
mod results;
#[cfg(all(unix, feature = "reproduction"))]
mod transcripts;

use std::fs;
use std::path::{Path, PathBuf};

/// A path of the repository.
fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The text of a file of the repository.
fn text(path: &str) -> String {
    fs::read_to_string(root(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Whether pages are written anew instead of compared.
#[cfg(all(unix, feature = "reproduction"))]
fn writes_docs() -> bool {
    std::env::var_os("TAMPER_WRITE_DOCS").is_some()
}

/// The pages of the book that stand in its folder, as paths of the repository.
fn pages_of_book() -> Vec<String> {
    let entries = fs::read_dir(root(page::BOOK)).expect("the folder of the book");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.filter_map(|name| name.into_string().ok());
    let mut pages: Vec<String> = names
        .filter(|name| name.ends_with(".md"))
        .map(|name| format!("{}/{name}", page::BOOK))
        .collect();
    pages.sort();
    pages
}
