//! The components of a project that are read: the ones asked for, else the ones that the system runs. An error in
//! another component is only a warning.

use std::ops::Range;

use super::project::Project;
use tamper_text::{Diagnostic, Severity, Text};

/// Keeps the components of `project` that are named in `only`, or else run by its system line; all of them if neither
/// names any. The diagnostics of their files go to `found`. Returns warnings about the others.
pub(super) fn only_these(
    project: &mut Project,
    only: Option<&[&str]>,
    of_components: Vec<(String, Vec<Diagnostic>)>,
    found: &mut Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let system = project.system.clone();
    let line = system.as_ref().and_then(|text| system_line(&text.decoded));
    let is_there = |name: &str| of_components.iter().any(|(known, _)| known == name);
    let asked: Option<Vec<String>> = only
        .filter(|only| only.iter().any(|name| is_there(name)))
        .map(|only| only.iter().map(|name| (*name).to_owned()).collect());
    let run = line.as_ref().map(|line| line.names.clone());
    let mut warnings = Vec::new();
    if let (None, Some(text), Some(line)) = (&asked, &system, &line) {
        for name in line.names.iter().filter(|name| !is_there(name)) {
            let place = text.span(line.whole.start, line.whole.end);
            let warning = Diagnostic::warning(format!("the project has no component `{name}`"), place);
            warnings.push(warning.with_help("the system line runs it; add its file to Components/"));
        }
    }
    let names = asked.or(run);
    let is_read = |name: &str| names.as_ref().is_none_or(|names| names.iter().any(|read| read == name));
    for (name, mut findings) in of_components {
        if is_read(&name) {
            found.append(&mut findings);
        } else {
            let first = findings.iter().find(|finding| finding.severity == Severity::Error);
            let warning = |error: &Diagnostic| {
                let message = format!("the component `{name}` has no meaning here: {}", error.message);
                Diagnostic::warning(message, error.span).with_help("nobody asks for it, and it is not read")
            };
            warnings.extend(first.map(warning));
        }
    }
    project
        .components
        .retain(|component| is_read(component.name.decoded.trim()));
    if let (Some(text), Some(line)) = (system, line) {
        let read: Vec<&str> = project
            .components
            .iter()
            .map(|component| component.name.decoded.trim())
            .collect();
        // In the order of the line, then the components that it does not run.
        let run = line.names.iter().map(String::as_str).filter(|name| read.contains(name));
        let others = read
            .iter()
            .copied()
            .filter(|name| !line.names.iter().any(|run| run == name));
        let names: Vec<&str> = run.chain(others).collect();
        project.system = Some(running(&text, &line, &names));
    }
    warnings
}

/// The text with its comments replaced by blanks, so that all places stay the same.
pub(super) fn without_comments(text: &str) -> String {
    let mut left = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        let behind = &rest[start..];
        let length = match behind.starts_with("//") {
            true => behind.find('\n'),
            false => behind[2..].find("*/").map(|end| end + 4),
        };
        let (comment, next) = behind.split_at(length.unwrap_or(behind.len()));
        left.push_str(&rest[..start]);
        left.extend(std::iter::repeat_n(' ', comment.len()));
        rest = next;
    }
    left + rest
}

/// `system A, B;` in a text.
pub(super) struct SystemLine {
    whole: Range<usize>,
    pub names: Vec<String>,
}

/// The system line, if the text has one and instantiates nothing.
pub(super) fn system_line(text: &str) -> Option<SystemLine> {
    let text = without_comments(text);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut places = text.match_indices("system").map(|(at, _)| at);
    let start = places.find(|at| {
        let (before, behind) = (&text[..*at], &text[at + "system".len()..]);
        !before.ends_with(is_word) && !behind.starts_with(is_word)
    })?;
    let end = start + text[start..].find(';')? + 1;
    let list = &text[start + "system".len()..end - 1];
    let names: Vec<String> = list.split(',').map(|name| name.trim().to_owned()).collect();
    let is_plain = names.iter().all(|name| !name.is_empty() && name.chars().all(is_word));
    (is_plain && !text.contains('=')).then_some(SystemLine {
        whole: start..end,
        names,
    })
}

/// `text` with a system line that runs `names`, and with only their IO lines.
fn running(text: &Text, line: &SystemLine, names: &[&str]) -> Text {
    let mut new = Text::within(text.content);
    let mut at = 0;
    let mut pieces: Vec<(Range<usize>, String)> = io_lines(&text.decoded)
        .into_iter()
        .filter(|(_, name, _)| !names.contains(&name.as_str()))
        .map(|(range, name, _)| (range, name))
        .collect();
    pieces.push((line.whole.clone(), String::new()));
    pieces.sort_by_key(|(range, _)| range.start);
    for (range, _) in pieces {
        new.append(&text.slice(at..range.start));
        if range == line.whole {
            let place = text.span(range.start, range.end);
            new.whole(&format!("system {};", names.join(", ")), place);
        }
        at = range.end;
    }
    new.append(&text.slice(at..text.decoded.len()));
    new
}

/// The place of an IO line, the name of its component, and its actions.
pub(super) type IoLine = (Range<usize>, String, String);

/// The IO lines of a text. The text is copied, so call this once for all components.
pub(super) fn io_lines(text: &str) -> Vec<IoLine> {
    let text = without_comments(text);
    let line = |(start, _)| {
        let open = start + text[start..].find('{')?;
        let end = open + text[open..].find('}')? + 1;
        let name = text[start + 3..open].trim().to_owned();
        Some((start..end, name, text[open + 1..end - 1].to_owned()))
    };
    text.match_indices("IO ").filter_map(line).collect()
}
