//! Files of one room that need each other in a circle: none can be understood, tested or moved before the others.
//!
//! A file needs another if a path in its code leads there, through the names that a room's page exports if need be.
//! Pages themselves (`mod.rs`) need nothing: they only list what there is. Tests at the end of files do not count.

use std::collections::{BTreeMap, BTreeSet};

use super::{Source, sources};

/// Where a module stands: `["game", "lifted", "forward"]`.
type Module = Vec<String>;

#[test]
fn no_files_of_a_room_need_each_other_in_a_circle() {
    let modules: BTreeMap<Module, Source> = sources()
        .into_iter()
        .filter(|source| !source.is_test() && source.room().is_some())
        .map(|source| (module_of(&source), source))
        .collect();
    let found = circles(&needs(&modules));
    assert!(found.is_empty(), "files that need each other:\n{found:#?}");
}

#[test]
fn a_circle_is_found_through_a_page() {
    let source = |path: &str, text: &str| {
        let source = Source {
            package: None,
            path: path.to_owned(),
            text: text.to_owned(),
        };
        (module_of(&source), source)
    };
    let modules: BTreeMap<_, _> = [
        source(
            "r/mod.rs",
            "mod a;\nmod b;\nmod c;\npub use a::{One, Other};\npub use b::Two;",
        ),
        source("r/a.rs", "use super::{Two, c::f};"),
        source("r/b.rs", "fn g() -> crate::r::One { \"super::c\" }"),
        source("r/c.rs", "use crate::other::Two; // super::a"),
    ]
    .into();
    assert_eq!(circles(&needs(&modules)), [["r/a", "r/b"]]);
}

fn module_of(source: &Source) -> Module {
    let path = source.path.strip_suffix(".rs").unwrap_or(&source.path);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let inside = source.package.is_none() || path != "lib";
    let path = path.split('/').filter(|_| inside);
    source
        .package
        .iter()
        .map(String::as_str)
        .chain(path)
        .map(str::to_owned)
        .collect()
}

/// Per file, the files of its room that it needs.
fn needs(modules: &BTreeMap<Module, Source>) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut needs = BTreeMap::new();
    for (module, source) in modules {
        let mut needed = BTreeSet::new();
        if !source.is_room_page() {
            for path in paths(&code(source)) {
                needed.extend(
                    target(modules, module, &path, 0).filter(|to| to != module && to.first() == module.first()),
                );
            }
        }
        needs.insert(module.clone(), needed);
    }
    needs
}

/// The code without comments, texts and the tests at the end.
fn code(source: &Source) -> String {
    let mut code = String::new();
    for line in source.code_but_tests() {
        let parts = line.split('"').enumerate();
        parts
            .filter(|(at, _)| at % 2 == 0)
            .for_each(|(_, part)| code.push_str(part));
        code.push('\n');
    }
    code
}

/// All paths that start at the crate, above, or in a `use`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let starts_word = !rest[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
        rest = &rest[at + 4..];
        if starts_word && let Some(end) = rest.find(';') {
            expand(&mut Vec::new(), &rest[..end], &mut paths);
        }
    }
    let is_path = |character: char| character.is_alphanumeric() || character == '_' || character == ':';
    let words = code.split(|character: char| !is_path(character));
    let words = words.filter(|word| word.starts_with("super::") || word.starts_with("crate::"));
    paths.extend(words.map(segments));
    paths
}

fn segments(path: &str) -> Vec<String> {
    let segments = path.split("::").map(|segment| segment.trim().to_owned());
    segments.filter(|segment| !segment.is_empty()).collect()
}

/// The paths of the tree `a::{b, c::{d, e}}`.
fn expand(prefix: &mut Vec<String>, tree: &str, paths: &mut Vec<Vec<String>>) {
    let Some((before, group)) = tree.split_once('{') else {
        let name = tree.split(" as ").next().unwrap_or(tree);
        let own = segments(name)
            .into_iter()
            .filter(|segment| segment != "self" || prefix.is_empty());
        paths.push(prefix.iter().cloned().chain(own).collect());
        return;
    };
    let length = prefix.len();
    prefix.extend(segments(before));
    let (mut depth, mut start) = (0, 0);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                expand(prefix, &group[start..at], paths);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(prefix, &group[start..at], paths);
                start = at + 1;
            }
            _ => {}
        }
    }
    prefix.truncate(length);
}

/// The file that a path in `module` leads to: through what pages export, but not farther than `depth` allows.
fn target(modules: &BTreeMap<Module, Source>, module: &Module, path: &[String], depth: usize) -> Option<Module> {
    let mut path = path.iter();
    let first = path.next()?;
    let mut at = match first.as_str() {
        "crate" => modules[module].package.iter().cloned().collect(),
        "super" => module[..module.len() - 1].to_vec(),
        "self" => module.clone(),
        _ => [module.as_slice(), std::slice::from_ref(first)].concat(),
    };
    if !at.is_empty() && !modules.contains_key(&at) {
        return None;
    }
    for segment in path {
        if segment == "super" {
            at.pop();
            continue;
        }
        let next = [at.as_slice(), std::slice::from_ref(segment)].concat();
        if modules.contains_key(&next) {
            at = next;
            continue;
        }
        let exported = modules
            .get(&at)
            .filter(|page| page.is_room_page() && depth < 6)
            .and_then(|page| {
                let exports = paths(&code(page));
                let export = exports.into_iter().find(|export| export.last() == Some(segment))?;
                target(modules, &at, &export, depth + 1)
            });
        return Some(exported.unwrap_or(at));
    }
    (!at.is_empty()).then_some(at)
}

/// The files that reach each other, circle by circle.
fn circles(needs: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<Vec<String>> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = needs
        .keys()
        .map(|module| (module, reached_from(needs, module)))
        .collect();
    let mut circles = Vec::new();
    let mut seen = BTreeSet::new();
    for (module, reached_from_it) in &reached {
        let circle: Vec<&Module> = reached_from_it
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|back| back.contains(module)))
            .copied()
            .collect();
        if circle.len() > 1 && seen.insert(circle.clone()) {
            circles.push(circle.into_iter().map(|module| module.join("/")).collect());
        }
    }
    circles
}

fn reached_from<'n>(needs: &'n BTreeMap<Module, BTreeSet<Module>>, module: &Module) -> BTreeSet<&'n Module> {
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<&Module> = needs[module].iter().collect();
    while let Some(next) = waiting.pop() {
        if reached.insert(next) {
            waiting.extend(needs.get(next).into_iter().flatten());
        }
    }
    reached
}
