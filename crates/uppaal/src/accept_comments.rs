//! Comments that accept mutants at their place: `tamper: accept CXL, CXS because the driver is coarse`.
//!
//! In UPPAAL's XML such a comment is a line of a label of kind `comments`, which UPPAAL keeps and shows, or of a
//! declaration. In text formats it stands inside a part or behind it, on its last line. It is about the edge or the location
//! that it belongs to; in the declarations of a template about the whole template.

use tamper_text::{Diagnostic, ReadError, SourceFile, Span};
use tamper_timed::model::{EdgeId, LocId};
use tamper_timed::mutation::AppliedOperator;

use crate::document::{Document, Layout};
use crate::network_file::NetworkFile;

/// The beginning of such a comment.
const OPENING: &str = "tamper: accept";
/// What stands between operators and reason.
const BECAUSE: &str = "because";
/// The ends of a comment, beside that of its line.
const ENDS: [&str; 4] = ["\n", "*/", "-->", "</"];
const HELP: &str = "write `tamper: accept CXL, CXS because REASON`";

/// A comment that accepts mutants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcceptComment {
    /// The position of its template among those that were searched.
    pub template: usize,
    /// What it is about.
    pub place: CommentPlace,
    /// The operators of the mutants.
    pub operators: Vec<AppliedOperator>,
    /// Why they may survive.
    pub reason: String,
    /// Its line in the file, from 1.
    pub line: usize,
}

/// The part that a comment is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommentPlace {
    /// All of the template.
    Template,
    /// A location.
    Location(LocId),
    /// An edge.
    Edge(EdgeId),
}

impl Document {
    /// The comments of the file that accept mutants; their templates are positions among its automata.
    ///
    /// # Errors
    /// All comments that are not understood, at their places.
    pub fn accept_comments(&self) -> Result<Vec<AcceptComment>, ReadError> {
        accept_comments(&self.source, &self.layouts.iter().collect::<Vec<_>>())
    }
}

impl NetworkFile {
    /// The comments of the file that accept mutants; their templates are positions among the processes.
    ///
    /// # Errors
    /// All comments that are not understood, at their places.
    pub fn accept_comments(&self) -> Result<Vec<AcceptComment>, ReadError> {
        let layouts: Vec<_> = self.places.iter().map(|place| &place.layout).collect();
        accept_comments(&self.source, &layouts)
    }
}

/// The comments of a file, each for every one of `layouts` that it stands in.
fn accept_comments(source: &SourceFile, layouts: &[&Layout]) -> Result<Vec<AcceptComment>, ReadError> {
    let text = source.text();
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    for (start, _) in text.match_indices(OPENING) {
        let rest = &text[start..];
        let end = ENDS.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
        let span = Span::new(start, start + rest[..end].trim_end().len());
        match parsed(text, span) {
            Err(error) => errors.push(error),
            Ok((operators, reason)) => {
                let n_before = found.len();
                let places = places(text, start, layouts).into_iter();
                found.extend(places.map(|(template, place)| AcceptComment {
                    template,
                    place,
                    operators: operators.clone(),
                    reason: reason.clone(),
                    line: source.line_col(span.start).line as usize,
                }));
                if found.len() == n_before {
                    let error = Diagnostic::error("the comment is beside no part of a process", span);
                    errors.push(error.with_help(
                        "put it into the comments of an edge or a location, or into the declarations of a template",
                    ));
                }
            }
        }
    }
    match errors.is_empty() {
        true => Ok(found),
        false => Err(ReadError {
            file: source.clone(),
            diagnostics: errors,
        }),
    }
}

/// The operators and the reason of the comment at `span`.
fn parsed(text: &str, span: Span) -> Result<(Vec<AppliedOperator>, String), Diagnostic> {
    let raw = &text[span.range()][OPENING.len()..];
    let wrong = |message: String| Diagnostic::error(message, span).with_help(HELP);
    let decoded = match text.trim_start().starts_with('<') {
        true => decoded(raw).ok_or_else(|| wrong("the comment is no text".to_owned()))?,
        false => raw.to_owned(),
    };
    let (names, reason) = decoded
        .split_once(BECAUSE)
        .ok_or_else(|| wrong("the comment does not say why".to_owned()))?;
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(wrong("the comment does not say why".to_owned()));
    }
    let names = names.trim().trim_end_matches(',').split(',').map(str::trim);
    let operator = |name: &str| match name {
        "" => Err(wrong("the comment names no operator".to_owned())),
        name => name
            .parse::<AppliedOperator>()
            .map_err(|error| wrong(error.to_string())),
    };
    Ok((names.map(operator).collect::<Result<_, _>>()?, reason.to_owned()))
}

/// `raw` of an XML file, entities resolved.
fn decoded(raw: &str) -> Option<String> {
    let element = format!("<x>{raw}</x>");
    let document = roxmltree::Document::parse(&element).ok()?;
    Some(document.root_element().text().unwrap_or_default().to_owned())
}

/// The templates that a comment at `at` belongs to, each with the part that it is about.
fn places(text: &str, at: usize, layouts: &[&Layout]) -> Vec<(usize, CommentPlace)> {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let is_in = |span: Span| span.range().contains(&at);
    // In text formats a comment may stand behind its part.
    let is_text = !text.trim_start().starts_with('<');
    let is_behind = |span: Span| is_text && (line..=at).contains(&(span.end as usize));
    let mut found = Vec::new();
    for (template, layout) in layouts.iter().enumerate() {
        let edges = layout.edges.iter_enumerated();
        let edges = edges.map(|(id, edge)| (edge.element, CommentPlace::Edge(id)));
        let locations = layout.locations.iter_enumerated();
        let locations = locations.map(|(id, location)| (location.element, CommentPlace::Location(id)));
        let parts: Vec<(Span, CommentPlace)> = edges.chain(locations).collect();
        let declaration = layout.declaration.as_ref().map(|place| place.element);
        let of_template = [Some(layout.template), declaration];
        let inside = parts.iter().find(|(span, _)| is_in(*span)).map(|(_, place)| *place);
        let behind = parts.iter().filter(|(span, _)| is_behind(*span));
        let behind = behind.max_by_key(|(span, _)| span.end).map(|(_, place)| *place);
        let around = of_template
            .into_iter()
            .flatten()
            .any(|span| is_in(span) || is_behind(span));
        let around = around.then_some(CommentPlace::Template);
        found.extend(inside.or(behind).or(around).map(|place| (template, place)));
    }
    found
}
