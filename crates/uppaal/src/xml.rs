//! Reads the XML tree into the parts of a UPPAAL file, texts not yet parsed. Unknown elements are reported.

use roxmltree::{Node, ParsingOptions};

use super::branches::one_edge_per_branch;
use super::raw::{RawBranchpoint, RawEdge, RawFile, RawLocation, RawNote, RawTemplate, RawText};
use super::text::{content_span, text_of};
use tamper_text::xml::too_many_attributes;
use tamper_text::{Diagnostic, SourceFile, Span};

/// Weights, by kind and place.
type Weights = Vec<(&'static str, Span)>;

/// The weight of a location in a race.
pub const RATE: &str = "exponential rate";
/// The weight of a branch.
pub const WEIGHT: &str = "branch weight";

/// The parts of `file`; `None` if it is not a UPPAAL file. Errors in its structure go to `diagnostics`.
pub(super) fn raw_file(file: &SourceFile, diagnostics: &mut Vec<Diagnostic>) -> Option<RawFile> {
    if let Some(error) = too_many_attributes(file.text()) {
        diagnostics.push(error);
        return None;
    }
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = match roxmltree::Document::parse_with_options(file.text(), options) {
        Ok(document) => document,
        Err(error) => {
            diagnostics.push(xml_error(file, &error));
            return None;
        }
    };
    let root = document.root_element();
    if !matches!(root.tag_name().name(), "nta" | "project") {
        let message = format!("this is not a UPPAAL file: its root element is <{}>", shown(root));
        let help = "a UPPAAL file has the root element <nta>; save the model as XML in UPPAAL or Ecdar";
        diagnostics.push(Diagnostic::error(message, tag_span(root)).with_help(help));
        return None;
    }
    let mut raw = RawFile {
        root: span_of(root),
        ..RawFile::default()
    };
    stray_text(root, diagnostics);
    for child in root.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "declaration" => set(&mut raw.declaration, child, diagnostics),
            "instantiation" => set(&mut raw.instantiation, child, diagnostics),
            "system" => set(&mut raw.system, child, diagnostics),
            "template" => {
                let mut template = template(child, &mut raw.weights, diagnostics);
                raw.is_branched |= one_edge_per_branch(&mut template, diagnostics);
                raw.templates.push(template);
            }
            "queries" => raw.queries = Some(span_of(child)),
            "lsc" => diagnostics.push(
                Diagnostic::warning("a live sequence chart (<lsc>) is not read", tag_span(child))
                    .with_help("a chart is for queries: no process runs it, and games are read without it"),
            ),
            _ => unknown_element(child, diagnostics),
        }
    }
    Some(raw)
}

fn template(node: Node<'_, '_>, weights: &mut Weights, diagnostics: &mut Vec<Diagnostic>) -> RawTemplate {
    let mut raw = RawTemplate {
        element: span_of(node),
        tag: tag_span(node),
        ..RawTemplate::default()
    };
    stray_text(node, diagnostics);
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "name" => set(&mut raw.name, child, diagnostics),
            "parameter" => set(&mut raw.parameter, child, diagnostics),
            "declaration" => set(&mut raw.declaration, child, diagnostics),
            "location" => raw.locations.push(location(child, weights, diagnostics)),
            "transition" => raw.edges.push(edge(child, weights, diagnostics)),
            "init" if raw.init.is_some() => {
                let error = Diagnostic::error("a second <init>", tag_span(child));
                diagnostics.push(error.with_help("a template has one initial location; remove one of the two"));
            }
            "init" => raw.init = reference(child, diagnostics),
            "branchpoint" => raw.branchpoints.extend(child.attribute("id").map(|id| RawBranchpoint {
                id: id.to_owned(),
                place: tag_span(child),
            })),
            _ => unknown_element(child, diagnostics),
        }
    }
    raw
}

fn location(node: Node<'_, '_>, weights: &mut Weights, diagnostics: &mut Vec<Diagnostic>) -> RawLocation {
    let mut raw = RawLocation {
        element: span_of(node),
        tag: tag_span(node),
        id: node
            .attribute_node("id")
            .map(|id| (id.value().to_owned(), to_span(id.range_value()))),
        ..RawLocation::default()
    };
    stray_text(node, diagnostics);
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "name" => set(&mut raw.name, child, diagnostics),
            "urgent" => raw.urgent = true,
            "committed" => raw.committed = true,
            "label" => match kind(child, diagnostics) {
                Some("invariant") => set(&mut raw.invariant, child, diagnostics),
                Some("exponentialrate") => weights.push((RATE, tag_span(child))),
                Some("comments" | "feature") => raw.notes.push(note(child)),
                Some("testcodeEnter" | "testcodeExit" | "testcode") | None => {}
                Some(kind) => unknown_label(kind, "location", child, diagnostics),
            },
            _ => unknown_element(child, diagnostics),
        }
    }
    raw
}

fn edge(node: Node<'_, '_>, weights: &mut Weights, diagnostics: &mut Vec<Diagnostic>) -> RawEdge {
    let attribute = node.attribute_node("controllable");
    let mut raw = RawEdge {
        element: span_of(node),
        tag: tag_span(node),
        controllable: attribute.map(|found| (found.value() == "true", to_span(found.range()))),
        ..RawEdge::default()
    };
    if let Some(action) = node
        .attribute_node("action")
        .filter(|action| !action.value().is_empty())
    {
        let warning = Diagnostic::warning("the attribute `action` is not read", to_span(action.range()));
        diagnostics.push(warning.with_help("the edge's action is its synchronisation label"));
    }
    stray_text(node, diagnostics);
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "source" => set_end(&mut raw.source, child, diagnostics),
            "target" => set_end(&mut raw.target, child, diagnostics),
            "nail" => {}
            "label" => match kind(child, diagnostics) {
                Some("select") => set(&mut raw.select, child, diagnostics),
                Some("guard") => set(&mut raw.guard, child, diagnostics),
                Some("synchronisation") => set(&mut raw.sync, child, diagnostics),
                Some("assignment") => set(&mut raw.update, child, diagnostics),
                Some("comments" | "feature") => raw.notes.push(note(child)),
                Some("testcode") | None => {}
                Some("probability") => weights.push((WEIGHT, tag_span(child))),
                Some(kind) => unknown_label(kind, "transition", child, diagnostics),
            },
            _ => unknown_element(child, diagnostics),
        }
    }
    for (end, name) in [(&raw.source, "source"), (&raw.target, "target")] {
        if end.is_none() && !node.children().any(|child| child.has_tag_name(name)) {
            let error = Diagnostic::error(format!("this transition has no <{name}>"), raw.tag);
            diagnostics.push(error.with_help(format!("add <{name} ref=\"…\"/> with a location's id")));
        }
    }
    raw
}

fn note(node: Node<'_, '_>) -> RawNote {
    RawNote {
        element: span_of(node),
        text: text_of(node),
        is_label: node.attribute("kind") == Some("feature"),
    }
}

/// The `kind` of a label.
fn kind<'a>(node: Node<'a, '_>, diagnostics: &mut Vec<Diagnostic>) -> Option<&'a str> {
    let kind = node.attribute("kind");
    if kind.is_none() {
        let error = Diagnostic::error("this label has no kind", tag_span(node));
        diagnostics.push(error.with_help("add kind=\"guard\", \"synchronisation\", \"assignment\" or \"invariant\""));
    }
    kind
}

/// Reports a label of a kind that is unknown here: an error if it looks like a misspelt kind, since skipping that would
/// change the meaning.
fn unknown_label(kind: &str, place: &str, node: Node<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let span = node
        .attribute_node("kind")
        .map_or(tag_span(node), |kind| to_span(kind.range_value()));
    let meant = match kind.to_ascii_lowercase().as_str() {
        "synchronization" | "synchronisation" | "sync" | "synchronise" | "synchronize" | "channel" => "synchronisation",
        "guards" | "guard" | "condition" => "guard",
        "update" | "updates" | "assign" | "assignments" | "assignment" | "reset" => "assignment",
        "inv" | "invariants" | "invariant" => "invariant",
        "selects" | "select" | "selection" => "select",
        "probability" => "probability",
        "exponentialrate" => "exponentialrate",
        _ => {
            let message = format!("labels of kind `{kind}` are not known; it is kept, and ignored");
            diagnostics.push(Diagnostic::warning(message, span));
            return;
        }
    };
    let (message, help) = if meant == kind {
        (
            format!("a <{place}> has no label of kind `{kind}`"),
            "move the label to the element it belongs to".to_owned(),
        )
    } else {
        (
            format!("unknown label kind `{kind}`"),
            format!("did you mean kind=\"{meant}\"? UPPAAL itself ignores `{kind}`"),
        )
    };
    diagnostics.push(Diagnostic::error(message, span).with_help(help));
}

fn set(place: &mut Option<RawText>, node: Node<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(inner) = node.children().find(Node::is_element) {
        let error = Diagnostic::error(format!("<{}> inside a text", shown(inner)), tag_span(inner));
        diagnostics.push(error.with_help("write `<` as `&lt;` if the character is meant"));
    }
    let found = RawText {
        element: span_of(node),
        text: text_of(node),
    };
    if let Some(first) = place {
        let what = node
            .attribute("kind")
            .map_or_else(|| format!("<{}>", shown(node)), |kind| format!("{kind} label"));
        let error = Diagnostic::error(format!("a second {what}"), tag_span(node))
            .with_secondary(first.element, "the first one")
            .with_help("join the two, or remove one");
        diagnostics.push(error);
        return;
    }
    *place = Some(found);
}

fn set_end(place: &mut Option<(String, Span)>, node: Node<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    if place.is_some() {
        let error = Diagnostic::error(format!("a second <{}>", shown(node)), tag_span(node));
        diagnostics.push(error.with_help("a transition has one source and one target"));
        return;
    }
    *place = reference(node, diagnostics);
}

fn reference(node: Node<'_, '_>, diagnostics: &mut Vec<Diagnostic>) -> Option<(String, Span)> {
    let Some(target) = node.attribute_node("ref") else {
        let error = Diagnostic::error(format!("<{}> has no attribute `ref`", shown(node)), tag_span(node));
        diagnostics.push(error.with_help("add ref=\"…\" with the id of a location"));
        return None;
    };
    Some((target.value().to_owned(), to_span(target.range_value())))
}

fn unknown_element(node: Node<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    let message = format!(
        "the element <{}> is not known here; it is kept, and ignored",
        shown(node)
    );
    diagnostics.push(Diagnostic::warning(message, tag_span(node)));
}

/// Text directly inside an element that holds only elements.
fn stray_text(node: Node<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    for text in node.children().filter(Node::is_text) {
        let stray = text.text().unwrap_or_default();
        if !stray.trim().is_empty() {
            let start = text.range().start + (stray.len() - stray.trim_start().len());
            let span = Span::new(start.min(text.range().end), text.range().end);
            let message = format!("text directly inside <{}> is not read", shown(node));
            diagnostics.push(Diagnostic::warning(message, span).with_help("put it into the element it belongs to"));
        }
    }
}

fn shown(node: Node<'_, '_>) -> String {
    crate::grammar::lexer::shorten(node.tag_name().name())
}

fn span_of(node: Node<'_, '_>) -> Span {
    to_span(node.range())
}

fn to_span(range: std::ops::Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

/// The opening tag of `node`.
pub(super) fn tag_span(node: Node<'_, '_>) -> Span {
    Span::new(node.range().start, content_span(node).start as usize)
}

fn xml_error(file: &SourceFile, error: &roxmltree::Error) -> Diagnostic {
    let position = error.pos();
    let text = file.text();
    let message = error.to_string();
    let message = message.replace(&format!(" at {position}"), "");
    let at_end = matches!(
        error,
        roxmltree::Error::UnclosedRootNode | roxmltree::Error::UnexpectedEndOfStream | roxmltree::Error::NoRootNode
    );
    let offset = if at_end {
        text.trim_end().len().saturating_sub(1)
    } else {
        offset_of(text, position)
    };
    let help = match error {
        roxmltree::Error::EntityReferenceLoop(_) => "entities that expand without bound are refused",
        roxmltree::Error::UnknownEntityReference(..) => {
            "declare the entity in the file itself (nothing is fetched), or write `&amp;` for `&`"
        }
        roxmltree::Error::MalformedEntityReference(_) => "write `&amp;` for `&`",
        roxmltree::Error::InvalidChar2(..) | roxmltree::Error::InvalidName(_) => "write `&lt;` for `<`",
        _ => "the file is not well-formed XML; save it again with UPPAAL, or correct this place",
    };
    Diagnostic::error(format!("not well-formed XML: {message}"), Span::new(offset, offset + 1)).with_help(help)
}

/// The byte offset of a row and column (in characters), both from 1.
fn offset_of(text: &str, position: roxmltree::TextPos) -> usize {
    let row = position.row.saturating_sub(1) as usize;
    let column = position.col.saturating_sub(1) as usize;
    let start: usize = text.split_inclusive('\n').take(row).map(str::len).sum();
    let rest = &text[start.min(text.len())..];
    start + rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at)
}
