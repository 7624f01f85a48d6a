//! Links and paths in the documents lead somewhere.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::page::{BOOK, Part, anchor, parts};
use super::{pages_of_book, root, text};

/// Where the repository is read by people.
const ONLINE: &str = "https://github.com/tamper-contributors/tamper/blob/main/";

/// The files below `folder` whose names end in one of `ends`, as paths of the repository.
fn files(folder: &str, ends: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(root(folder)) else {
        return found;
    };
    for entry in entries {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("UTF-8");
        let path = format!("{folder}/{name}");
        match entry.file_type().expect("a type").is_dir() {
            true if name != "node_modules" && name != "target" => found.extend(files(&path, ends)),
            true => {}
            false if ends.iter().any(|end| name.ends_with(end)) => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

/// The targets of the links of a page, without those in code.
fn links(page: &str) -> Vec<String> {
    let mut links = Vec::new();
    for part in parts(page) {
        let Part::Line(line) = part else { continue };
        // Every second piece between backticks is code.
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        links.extend(targets.map(str::to_owned));
    }
    links
}

/// Whether a page has a heading with this name.
fn has_anchor(path: &str, name: &str) -> bool {
    parts(&text(path)).iter().any(|part| match part {
        Part::Line(line) => line.starts_with('#') && anchor(line) == name,
        Part::Block(_) => false,
    })
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
        plain
    })
}

/// What is wrong with a link of a page, if anything is.
fn wrong(page: &str, link: &str) -> Option<String> {
    let said = |what: &str| Some(format!("{page}: ({link}) {what}"));
    let (file, name) = link
        .split_once('#')
        .map_or((link, None), |(file, name)| (file, Some(name)));
    let target = match file.strip_prefix(ONLINE) {
        Some(path) => PathBuf::from(path),
        None if file.contains(':') => return None,
        None if file.is_empty() => PathBuf::from(page),
        None => plain(&Path::new(page).parent().expect("a folder").join(file)),
    };
    let target = target.display().to_string();
    if !root(&target).exists() {
        return said("leads nowhere");
    }
    if page.starts_with(BOOK) && !target.starts_with(BOOK) && !file.starts_with(ONLINE) {
        return said("leads out of the book: name it online");
    }
    match name {
        Some(name) if !has_anchor(&target, name) => said("has no such heading"),
        _ => None,
    }
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let mut pages: Vec<String> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
        .map(str::to_owned)
        .to_vec();
    for folder in ["docs", "examples", "packages", "results"] {
        pages.extend(files(folder, &[".md"]));
    }
    let mut n_links = 0;
    let mut found = Vec::new();
    for page in &pages {
        let links = links(&text(page));
        n_links += links.len();
        found.extend(links.iter().filter_map(|link| wrong(page, link)));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(n_links > 100, "{n_links}");
}

/// The paths below `docs/` that a text names.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || "/._-".contains(sign);
    text.match_indices("docs/").map(move |(at, _)| {
        let rest = &text[at..];
        let end = rest.find(|sign| !is_part(sign)).unwrap_or(rest.len());
        rest[..end].trim_end_matches('.')
    })
}

#[test]
fn every_page_that_a_text_names_is_there() {
    let ends = [".rs", ".md", ".sh", ".py", ".toml", ".js", ".c", ".java"];
    let mut texts: Vec<String> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
        .map(str::to_owned)
        .to_vec();
    for folder in [
        "src",
        "crates",
        "tests",
        "scripts",
        "examples",
        "docs",
        "results",
        "packages",
        "case-studies",
        "uppaal-models",
    ] {
        texts.extend(files(folder, &ends));
    }
    let mut n_named = 0;
    for path in &texts {
        let text = text(path);
        for page in named(&text).filter(|page| page.ends_with(".md") || page.ends_with(".json")) {
            n_named += 1;
            assert!(root(page).exists(), "{path} names {page}");
        }
    }
    assert!(n_named > 50, "{n_named}");
}

#[test]
fn every_page_of_the_book_and_every_note_is_in_its_summary_once() {
    let summary = format!("{BOOK}/SUMMARY.md");
    let listed = links(&text(&summary));
    let mut pages: Vec<String> = pages_of_book()
        .iter()
        .filter(|page| **page != summary)
        .cloned()
        .collect();
    for note in files("docs/notes", &[".md"]) {
        let name = note.strip_prefix("docs/notes/").expect("a note");
        let stub = format!("{BOOK}/notes/{name}");
        assert_eq!(
            text(&stub),
            format!("{{{{#include ../../../notes/{name}}}}}\n"),
            "{stub}"
        );
        pages.push(stub);
    }
    for page in &pages {
        let name = &page[BOOK.len() + 1..];
        assert_eq!(
            listed.iter().filter(|link| *link == name).count(),
            1,
            "{name} in {summary}"
        );
    }
    assert_eq!(listed.len(), pages.len(), "{summary}");
}
