//! The parts of a UPPAAL file as XML.

use crate::raw::{RawEdge, RawFile, RawLocation, RawNote, RawTemplate, RawText};
use tamper_text::Span;
use tamper_text::xml::{Declaration, Element, Layout};

/// A UPPAAL file with these parts.
pub(crate) fn spelled(raw: &RawFile) -> String {
    let declaration = Declaration {
        encoding: "utf-8",
        ..Declaration::default()
    };
    Element::new("nta")
        .block()
        .children(text("declaration", raw.declaration.as_ref()))
        .children(raw.templates.iter().map(template))
        .children(text("instantiation", raw.instantiation.as_ref()))
        .children(text("system", raw.system.as_ref()))
        .document(&declaration, &Layout::default())
}

fn text(element: &'static str, raw: Option<&RawText>) -> Option<Element> {
    raw.map(|raw| Element::new(element).text(&*raw.text.decoded))
}

fn label(kind: &str, raw: Option<&RawText>) -> Option<Element> {
    let element = text("label", raw)?;
    Some(element.with("kind", kind))
}

fn note(raw: &RawNote) -> Element {
    let kind = if raw.is_label { "feature" } else { "comments" };
    Element::new("label").with("kind", kind).text(&*raw.text.decoded)
}

fn end(element: &'static str, raw: Option<&(String, Span)>) -> Option<Element> {
    raw.map(|(id, _)| Element::new(element).with("ref", id))
}

fn template(raw: &RawTemplate) -> Element {
    Element::new("template")
        .block()
        .children(text("name", raw.name.as_ref()))
        .children(text("parameter", raw.parameter.as_ref()))
        .children(text("declaration", raw.declaration.as_ref()))
        .children(raw.locations.iter().map(location))
        .children(end("init", raw.init.as_ref()))
        .children(raw.edges.iter().map(edge))
}

fn location(raw: &RawLocation) -> Element {
    Element::new("location")
        .with_some("id", raw.id.as_ref().map(|(id, _)| id))
        .with_some("x", raw.at.map(|(x, _)| x))
        .with_some("y", raw.at.map(|(_, y)| y))
        .children(text("name", raw.name.as_ref()))
        .children(label("invariant", raw.invariant.as_ref()))
        .children(label("exponentialrate", raw.rate.as_ref()))
        .children(raw.notes.iter().map(note))
        .children(raw.urgent.then(|| Element::new("urgent")))
        .children(raw.committed.then(|| Element::new("committed")))
}

fn edge(raw: &RawEdge) -> Element {
    let nails = raw.nails.iter();
    Element::new("transition")
        .with_some("controllable", raw.controllable.map(|(is_input, _)| is_input))
        .children(end("source", raw.source.as_ref()))
        .children(end("target", raw.target.as_ref()))
        .children(label("select", raw.select.as_ref()))
        .children(label("guard", raw.guard.as_ref()))
        .children(label("synchronisation", raw.sync.as_ref()))
        .children(label("assignment", raw.update.as_ref()))
        .children(raw.notes.iter().map(note))
        .children(nails.map(|(x, y)| Element::new("nail").with("x", x).with("y", y)))
}
