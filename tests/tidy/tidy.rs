//! The house rules that a machine can check: who may import whom, and how long and how plain files are.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

mod circles;

/// Of packages that have several rooms: the package (`None`: the root), a room, and the rooms of that package that it may name. What a
/// package may name of others is in its `Cargo.toml`.
const SEES: [(Option<&str>, &str, &[&str]); 8] = [
    (Some("timed"), "model", &[]),
    (Some("timed"), "featured", &["model"]),
    (Some("timed"), "mutation", &["model", "featured"]),
    (Some("timed"), "guidelines", &["model", "featured", "mutation"]),
    (Some("timed"), "network", &["model"]),
    (Some("game"), "symbolic", &[]),
    (None, "reproduction", &[]),
    (None, "cli", &["reproduction"]),
];

/// The rooms that may touch files, processes, the environment and the wall clock.
const OUTWARD: [&str; 7] = [
    "uppaal",
    "interchange",
    "runs",
    "programs",
    "check",
    "reproduction",
    "cli",
];
const OUTSIDE: [&str; 7] = [
    "std::fs",
    "std::process",
    "std::env",
    "std::net",
    "Instant",
    "SystemTime",
    "std::thread::sleep",
];

const MAX_MAIN_LINES: usize = 40;
const MAX_LINES: usize = 600;

/// A source file: the package below `crates/` that it belongs to (`None`: the root), its path below `src/`, and its text.
struct Source {
    package: Option<String>,
    path: String,
    text: String,
}

impl Source {
    /// The folder, where it is one of the table of rooms or in the root package; else the package.
    fn room(&self) -> Option<&str> {
        let folder = self.path.split_once('/').map(|(room, _)| room);
        let is_room = |room: &&str| self.package.is_none() || self.sees(room).is_some();
        folder.filter(is_room).or(self.package.as_deref())
    }
    /// What a room of its package may name, if there is such a room.
    fn sees(&self, room: &str) -> Option<&'static [&'static str]> {
        let mut rooms = SEES.iter();
        let is_it =
            |(package, name, _): &&(Option<&str>, &str, _)| *package == self.package.as_deref() && *name == room;
        rooms.find(is_it).map(|(_, _, sees)| *sees)
    }
    fn is_room_page(&self) -> bool {
        self.path.ends_with("/mod.rs") || (self.package.is_some() && self.path == "lib.rs")
    }
    /// The path from the root of the repository.
    fn place(&self) -> String {
        let folder = self
            .package
            .as_ref()
            .map_or(String::new(), |name| format!("crates/{name}/"));
        format!("{folder}src/{}", self.path)
    }
    fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.contains("/tests/")
    }
    /// The text without comments, line by line. (A `//` in a string ends a line too early: harmless here.)
    fn code(&self) -> impl Iterator<Item = &str> {
        self.text.lines().map(|line| line.split("//").next().unwrap_or(line))
    }
    /// The code before the tests at the end of the file.
    fn code_but_tests(&self) -> impl Iterator<Item = &str> {
        let lines = if self.is_test() { 0 } else { usize::MAX };
        self.code().take(lines).take_while(|line| line.trim() != "mod tests {")
    }
}

fn sources() -> Vec<Source> {
    let root = &Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = sources_of(None, &root.join("src"));
    let packages = std::fs::read_dir(root.join("crates")).expect("a readable folder");
    let mut names: Vec<_> = packages
        .map(|entry| entry.expect("a readable entry").file_name())
        .collect();
    names.sort();
    for name in names {
        let src = root.join("crates").join(&name).join("src");
        sources.extend(sources_of(Some(&name.to_string_lossy()), &src));
    }
    sources
}

fn sources_of(package: Option<&str>, root: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("a readable folder");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a readable source file");
                let path = path.strip_prefix(root).expect("below the root");
                let path = path.to_string_lossy().replace('\\', "/");
                let package = package.map(str::to_owned);
                sources.push(Source { package, path, text });
            }
        }
    }
    sources
}

/// The rooms that code names as `crate::room…` or `crate::{room…, room…}`; the command, whose root is another one, as `tamper::room…`.
fn rooms_named(code: &str, root: &str) -> BTreeSet<String> {
    let starts = code.match_indices(root).filter(|(at, _)| !code[..*at].ends_with('$'));
    starts
        .flat_map(|(at, found)| first_segments(&code[at + found.len()..]))
        .collect()
}

/// The first identifiers of the paths in `a::b` or `{a::b, c::{d, e}}`.
fn first_segments(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else {
        return vec![identifier(path)];
    };
    let (mut depth, mut starts) = (0, vec![0]);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => starts.push(at + 1),
            _ => (),
        }
    }
    let names = starts.into_iter().map(|start| identifier(group[start..].trim_start()));
    names.filter(|name| !name.is_empty()).collect()
}

fn identifier(text: &str) -> String {
    text.chars()
        .take_while(|character| character.is_alphanumeric() || *character == '_')
        .collect()
}

/// Whether `word` occurs in the line as a whole word (`fn` in `fn f()`, not in `fns`).
fn has_word(line: &str, word: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(is_part) && !line[at + word.len()..].starts_with(is_part))
}

/// Fails with all findings of `check` over the sources.
fn assert_clean(check: impl Fn(&Source) -> Vec<String>) {
    let mut report = String::new();
    for source in sources() {
        for finding in check(&source) {
            let _ = writeln!(report, "{}: {finding}", source.place());
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn rooms_name_only_the_rooms_that_they_see() {
    assert_clean(|source| {
        let Some(room) = source.room().filter(|room| Some(*room) != source.package.as_deref()) else {
            return Vec::new();
        };
        let Some(sees) = source.sees(room) else {
            return vec![format!("a room that the table of rooms does not have: {room}")];
        };
        let code: Vec<&str> = source.code().collect();
        let allowed = |name: &String| name == room || source.sees(name).is_none() || sees.contains(&name.as_str());
        let root = if room == "cli" { "tamper::" } else { "crate::" };
        let named = rooms_named(&code.join("\n"), root);
        named
            .iter()
            .filter(|name| !allowed(name))
            .map(|name| format!("{room} may not see {name}"))
            .collect()
    });
}

#[test]
fn only_the_outer_rooms_touch_the_outside() {
    assert_clean(|source| {
        if source.room().is_none_or(|room| OUTWARD.contains(&room)) {
            return Vec::new();
        }
        let touched = OUTSIDE
            .iter()
            .filter(|word| source.code_but_tests().any(|line| has_word(line, word)));
        touched.map(|word| format!("only {OUTWARD:?} may use {word}")).collect()
    });
}

#[test]
fn only_the_command_has_errors_without_a_type() {
    assert_clean(|source| {
        let is_untyped = |line: &&str| has_word(line, "anyhow");
        let untyped = source.code_but_tests().filter(is_untyped);
        let is_command = source.room() == Some("cli");
        untyped
            .filter(|_| !is_command)
            .map(|line| format!("an error without a type: {}", line.trim()))
            .collect()
    });
}

#[test]
fn room_pages_hold_no_logic() {
    assert_clean(|source| {
        let functions = source
            .code()
            .filter(|line| source.is_room_page() && has_word(line, "fn"));
        functions
            .map(|line| format!("logic in mod.rs: {}", line.trim()))
            .collect()
    });
}

#[test]
fn nothing_is_exported_by_a_glob() {
    assert_clean(|source| {
        let is_glob =
            |line: &&str| has_word(line, "use") && line.trim_start().starts_with("pub") && line.contains("::*");
        source
            .code()
            .filter(is_glob)
            .map(|line| format!("list the names: {}", line.trim()))
            .collect()
    });
}

#[test]
fn files_start_with_what_they_are_and_long_ones_give_a_reason() {
    assert_clean(|source| {
        let mut findings = Vec::new();
        let page: Vec<&str> = source.text.lines().filter(|line| line.starts_with("//!")).collect();
        if page.is_empty() && !source.is_test() {
            findings.push("no `//!` page".to_owned());
        }
        let lines = source.text.lines().count();
        if lines > MAX_LINES && !page.iter().any(|line| line.contains("Size:")) {
            findings.push(format!(
                "{lines} lines, and no `Size:` in its `//!` page gives the reason"
            ));
        }
        if source.path == "main.rs" && lines > MAX_MAIN_LINES {
            findings.push(format!("{lines} lines: main.rs has at most {MAX_MAIN_LINES}"));
        }
        findings
    });
}

#[test]
fn the_checks_themselves_see_what_they_should() {
    let named = |code: &str| rooms_named(code, "crate::").into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(named("use crate::game::{Step, Verdict};"), "game");
    assert_eq!(
        named("use crate::{text::Id, model::{A, B}, zones};"),
        "model text zones"
    );
    assert_eq!(named("let x = crate::formats::read(crate::model::X);"), "formats model");
    assert_eq!(named("use crate::{\n    cli::Args,\n};"), "cli");
    assert_eq!(named("use crate::text::define_ids; $crate::game::Id"), "text");
    assert!(has_word("pub fn f()", "fn") && !has_word("let fns = 1;", "fn"));
    assert!(has_word("Instant::now()", "Instant") && !has_word("InstantNoodles", "Instant"));
    let source = |path: &str| Source {
        package: None,
        path: path.to_owned(),
        text: "a // b\nmod tests {\nc".to_owned(),
    };
    assert_eq!(source("game/cons/tests.rs").room(), Some("game"));
    assert_eq!(source("main.rs").room(), None);
    assert!(source("game/mod.rs").is_room_page() && !source("game/mods.rs").is_room_page());
    assert_eq!(source("game/cons.rs").code_but_tests().collect::<Vec<_>>(), ["a "]);
    assert_eq!(source("game/tests.rs").code_but_tests().count(), 0);
    let page = Source {
        package: Some("zones".to_owned()),
        ..source("lib.rs")
    };
    assert!(page.is_room_page() && !source("lib.rs").is_room_page());
    assert_eq!(
        (page.room(), page.place()),
        (Some("zones"), "crates/zones/src/lib.rs".to_owned())
    );
    let of = |package: Option<&str>| {
        sources()
            .iter()
            .filter(|source| source.package.as_deref() == package)
            .count()
    };
    assert!(of(None) > 20 && of(Some("zones")) > 10, "the sources are found");
}
