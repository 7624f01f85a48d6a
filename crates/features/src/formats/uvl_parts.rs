//! The files of a UVL model: the one that is read, and those that it imports, each with its sections.

use std::collections::BTreeMap;
use std::ops::Range;

use super::uvl_lines::{Line, lines};
use super::uvl_names::CONSTRAINTS;
use tamper_text::Diagnostic;

/// The largest number of files of a model.
const MOST_FILES: usize = 1000;

/// A file: its path relative to the first file, and its content. The first one has no path.
pub struct UvlText<'t> {
    path: String,
    text: std::borrow::Cow<'t, str>,
}

/// A file with its sections.
pub struct Part<'a> {
    path: &'a str,
    pub lines: Vec<Line<'a>>,
    /// The line `features`, and the lines below it.
    pub features: (usize, Range<usize>),
    pub constraints: Range<usize>,
    /// By alias: the number of the file.
    pub imports: BTreeMap<&'a str, usize>,
}

impl Part<'_> {
    /// An error in this file: in an imported one it has no place in the first.
    pub fn placed(&self, error: Diagnostic) -> Diagnostic {
        if self.path.is_empty() {
            return error;
        }
        let line = error.span.and_then(|span| {
            let before = |line: &&Line<'_>| line.span.range().start <= span.range().start;
            self.lines
                .iter()
                .rfind(before)
                .map(|line| format!(" at `{}`", line.text))
        });
        let message = format!("in {}{}: {}", self.path, line.unwrap_or_default(), error.message);
        Diagnostic {
            message,
            span: None,
            secondary: None,
            ..error
        }
    }
}

/// One import: the path of the file, relative to the first file, and its alias.
struct Import<'a> {
    path: String,
    alias: &'a str,
}

/// The sections of a file: each head, and the lines below it.
fn sections(lines: &[Line<'_>]) -> Vec<(usize, Range<usize>)> {
    let mut sections: Vec<(usize, Range<usize>)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match sections.last_mut() {
            Some((head, below)) if line.indent > lines[*head].indent => below.end = at + 1,
            _ => sections.push((at, at + 1..at + 1)),
        }
    }
    sections
}

fn keyword<'a>(line: &Line<'a>) -> &'a str {
    line.text.split_whitespace().next().unwrap_or_default()
}

/// The file that an import names, without its ending; parts of its path may stand in quotes.
fn file_of(name: &str) -> Option<String> {
    let part = |part: &str| {
        let quoted = part.strip_prefix('"').and_then(|part| part.strip_suffix('"'));
        let is_plain = |name: &&str| name.chars().all(|sign| sign.is_alphanumeric() || "_- ".contains(sign));
        match quoted {
            Some(name) => Some(name).filter(is_plain).filter(|name| !name.is_empty()),
            None => Some(part).filter(|part| (CONSTRAINTS.is_name)(part)),
        }
        .map(str::to_owned)
    };
    let parts: Option<Vec<String>> = name.split('.').map(part).collect();
    parts.map(|parts| parts.join("/"))
}

/// The imports of the file at `path`.
fn imports<'a>(path: &str, lines: &[Line<'a>]) -> Result<Vec<Import<'a>>, Diagnostic> {
    let folder = path
        .rsplit_once('/')
        .map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let mut found = Vec::new();
    for (head, below) in sections(lines) {
        if keyword(&lines[head]) != "imports" {
            continue;
        }
        for line in &lines[below] {
            let mut words = line.text.split_whitespace();
            let (name, rest) = (words.next().unwrap_or_default(), words.collect::<Vec<_>>());
            let alias = match rest.as_slice() {
                [] => Some(name).filter(|name| (CONSTRAINTS.is_name)(name)),
                ["as", alias] => Some(*alias),
                _ => None,
            };
            match file_of(name).zip(alias.filter(|alias| (CONSTRAINTS.is_name)(alias))) {
                Some((file, alias)) => {
                    let path = format!("{folder}{file}.uvl");
                    found.push(Import { path, alias });
                }
                None => {
                    return Err(Diagnostic::error("this is no import", line.span)
                        .with_help("imports are `file` and `folder.file as name` (in quotes if need be, then with a name), without the ending `.uvl`"));
                }
            }
        }
    }
    Ok(found)
}

/// The texts of all files of the model whose first file is `text`.
pub fn texts<'t>(
    text: &'t str,
    import: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Vec<UvlText<'t>>, Diagnostic> {
    let path = String::new();
    let mut texts = vec![UvlText {
        path,
        text: text.into(),
    }];
    let mut at = 0;
    while at < texts.len() {
        let UvlText { path, text } = &texts[at];
        let lines = lines(text)?;
        let mut new: Vec<UvlText<'t>> = Vec::new();
        for Import { path: wanted, alias } in imports(path, &lines)? {
            if texts.iter().chain(&new).any(|known| known.path == wanted) {
                continue;
            }
            let line = lines.iter().find(|line| line.text.ends_with(alias));
            let span = line.filter(|_| path.is_empty()).map(|line| line.span);
            let error = |why: String| Diagnostic::error(why, span).with_help("imports are files beside this one");
            if texts.len() + new.len() >= MOST_FILES {
                return Err(error(format!("a model of more than {MOST_FILES} files")));
            }
            let text = import(&wanted).map_err(|why| error(format!("the import cannot be read: {why}")))?;
            new.push(UvlText {
                path: wanted,
                text: text.into(),
            });
        }
        texts.append(&mut new);
        at += 1;
    }
    Ok(texts)
}

/// The sections of all files.
pub fn parts<'a>(texts: &'a [UvlText<'_>]) -> Result<Vec<Part<'a>>, Diagnostic> {
    let number = |path: &str| texts.iter().position(|text| text.path == path).unwrap_or_default();
    let part = |text: &'a UvlText<'_>| {
        let lines = lines(&text.text)?;
        let imports = imports(&text.path, &lines)?;
        let imports = imports.into_iter().map(|import| (import.alias, number(&import.path)));
        let mut part = Part {
            path: &text.path,
            imports: imports.collect(),
            features: (0, 0..0),
            constraints: 0..0,
            lines,
        };
        let mut has_features = false;
        for (head, below) in sections(&part.lines) {
            let line = &part.lines[head];
            match keyword(line) {
                "features" if !has_features => {
                    has_features = true;
                    part.features = (head, below);
                }
                "constraints" => part.constraints = below,
                "namespace" | "include" | "imports" => {}
                _ => {
                    let error = Diagnostic::error("this is no section of a UVL file", line.span);
                    let help = "sections are `imports`, `features` and `constraints`; what is in one is indented";
                    return Err(part.placed(error.with_help(help)));
                }
            }
        }
        match has_features {
            true => Ok(part),
            false => Err(part.placed(Diagnostic::error("the file has no section `features`", None))),
        }
    };
    texts.iter().map(part).collect()
}
