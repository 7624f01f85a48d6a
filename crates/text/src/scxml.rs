//! Elements of SCXML with their places, and checks of their attributes.

use roxmltree::{Document, Node, ParsingOptions};

use crate::xml::too_many_attributes;
use crate::{Diagnostic, Piece, Span};

/// The namespace of SCXML.
pub const SCXML: &str = "http://www.w3.org/2005/07/scxml";
/// The namespace of alternatives for mutants.
pub const TAMPER: &str = "urn:tamper:mutation";

/// The document in `text`.
///
/// # Errors
/// If it is no XML, its root is not `<scxml>`, or an element has too many attributes.
pub fn parse(text: &str) -> Result<Document<'_>, Diagnostic> {
    if let Some(error) = too_many_attributes(text) {
        return Err(error);
    }
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|error| malformed(text, &error))?;
    let root = document.root_element();
    if !is(root, "scxml") {
        let error = Diagnostic::error("the root element is not SCXML's <scxml>", place(root));
        return Err(error.with_help(format!("it has the namespace {SCXML}: write xmlns=\"{SCXML}\" in it")));
    }
    Ok(document)
}

fn malformed(text: &str, error: &roxmltree::Error) -> Diagnostic {
    let at = error.pos();
    let line_start: usize = text.split_inclusive('\n').take(at.row as usize - 1).map(str::len).sum();
    let line = text[line_start..].lines().next().unwrap_or("");
    let column: usize = line.chars().take(at.col as usize - 1).map(char::len_utf8).sum();
    let start = (line_start + column).min(text.len());
    let span = Span::new(start, (start + 1).min(text.len()));
    Diagnostic::error(format!("this is no XML: {error}"), span).with_help("mend it with any editor for XML")
}

/// The value of an attribute that the element must have.
///
/// # Errors
/// If the element lacks it.
pub fn required<'a>(node: Node<'a, '_>, name: &str) -> Result<Value<'a>, Diagnostic> {
    attribute(node, None, name).ok_or_else(|| {
        let message = format!("<{}> has no `{name}`", node.tag_name().name());
        Diagnostic::error(message, place(node)).with_help(format!("write {name}=\"…\""))
    })
}

/// The place of an element's tag.
pub fn place(node: Node<'_, '_>) -> Span {
    let range = node.range();
    let text = &node.document().input_text()[range.clone()];
    let length = text.find('>').map_or(text.len(), |at| at + 1);
    Span::new(range.start, range.start + length)
}

/// An attribute: its value, and its place; `whole` if the value differs from the text of the file, so that only the
/// whole has a place.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    /// The value, without references.
    pub text: &'a str,
    /// The place of the whole value.
    pub span: Span,
    /// Whether only the whole has a place.
    pub whole: bool,
}

impl<'a> Value<'a> {
    /// The place of the whole value; `None` if every character has its own place.
    pub fn place(&self) -> Option<Span> {
        self.whole.then_some(self.span)
    }
    /// The value as a piece of text.
    pub fn piece(&self) -> Piece<'a> {
        Piece::new(self.text, self.span.start as usize).trimmed()
    }
    /// The words of the value.
    pub fn words(&self) -> impl Iterator<Item = &'a str> {
        self.text.split_ascii_whitespace()
    }
}

/// The attribute of that name, in no namespace or in tamper's.
pub fn attribute<'a>(node: Node<'a, '_>, namespace: Option<&str>, name: &str) -> Option<Value<'a>> {
    let found = node
        .attributes()
        .find(|attribute| attribute.namespace() == namespace && attribute.name() == name)?;
    let range = found.range_value();
    let span = Span::new(range.start, range.end);
    let whole = node.document().input_text().get(range) != Some(found.value());
    Some(Value {
        text: found.value(),
        span,
        whole,
    })
}

/// Whether the element is the SCXML element of that name.
pub fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.has_tag_name((SCXML, name))
}

/// Refuses attributes that are not listed: `own` without a namespace, `tamper` in tamper's namespace. Attributes of
/// other namespaces are ignored.
pub fn check_attributes(node: Node<'_, '_>, own: &[&str], tamper: &[&str], diagnostics: &mut Vec<Diagnostic>) {
    for attribute in node.attributes() {
        let known = match attribute.namespace() {
            None => own,
            Some(TAMPER) => tamper,
            Some(_) => continue,
        };
        if !known.contains(&attribute.name()) {
            let range = attribute.range();
            let message = format!(
                "the attribute `{}` of <{}> is not read",
                attribute.name(),
                node.tag_name().name()
            );
            let error = Diagnostic::error(message, Span::new(range.start, range.end));
            let all = [own, tamper].concat().join(", ");
            diagnostics.push(error.with_help(match all.is_empty() {
                true => "it has no attributes".to_owned(),
                false => format!("those that are: {all}"),
            }));
        }
    }
}

/// The child elements that are in `known`. Others are refused, unless they have a foreign namespace.
pub fn children<'a, 'i>(node: Node<'a, 'i>, known: &[&str], diagnostics: &mut Vec<Diagnostic>) -> Vec<Node<'a, 'i>> {
    let mut found = Vec::new();
    for child in node.children() {
        if child.is_text() && child.text().is_some_and(|text| !text.trim().is_empty()) {
            let range = child.range();
            let error = Diagnostic::error("text between elements", Span::new(range.start, range.end));
            diagnostics.push(error.with_help("nothing reads it: make it a comment"));
        }
        if !child.is_element() {
            continue;
        }
        let name = child.tag_name().name();
        match child.tag_name().namespace() {
            Some(SCXML) if known.contains(&name) => found.push(child),
            Some(TAMPER) if name == "transition" && known.contains(&"transition") => found.push(child),
            Some(SCXML | TAMPER) | None => diagnostics.push(unknown(child)),
            // Elements of editors.
            Some(_) => {}
        }
    }
    found
}

fn unknown(node: Node<'_, '_>) -> Diagnostic {
    let name = node.tag_name().name();
    let help = match name {
        "log" => "a log is not an answer: <send event=\"…\" target=\"#_parent\"/> is",
        "if" | "elseif" | "else" | "foreach" => "write one <transition> with a cond for each case",
        "script" | "invoke" | "cancel" | "finalize" => "only <assign>, <send> and <raise> are executed",
        _ if node.tag_name().namespace().is_none() => "SCXML has the namespace http://www.w3.org/2005/07/scxml",
        _ => "it has no meaning here",
    };
    Diagnostic::error(format!("<{name}> is not supported here"), place(node)).with_help(help)
}
