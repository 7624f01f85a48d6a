//! A file that is written again: its text, its elements, and the template that mutants are copies of.

use roxmltree::{Node, ParsingOptions};

use super::document::{Document, Origin};
use super::patch::Patches;
use super::text::content_span;
use super::write_error::WriteError;
use crate::model::Automaton;
use crate::text::Span;
use crate::text::xml::Element;

/// The file's elements.
pub(super) fn parse(document: &Document) -> Result<roxmltree::Document<'_>, WriteError> {
    let text = document.source().text();
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    if text.contains("<!ENTITY") {
        return Err(WriteError::Entities);
    }
    roxmltree::Document::parse_with_options(text, options).map_err(|_| WriteError::Entities)
}

pub(super) struct Writer<'a> {
    pub document: &'a Document,
    pub index: usize,
    pub text: &'a str,
    pub template: Node<'a, 'a>,
    pub newline: &'static str,
}

impl<'a> Writer<'a> {
    /// For automaton `index` of `document`, whose elements are `xml`.
    pub(super) fn new(
        document: &'a Document,
        index: usize,
        xml: &'a roxmltree::Document<'a>,
    ) -> Result<Self, WriteError> {
        let text = document.source().text();
        let start = document.layout(index).template.start as usize;
        let mut elements = xml.root_element().children();
        let template = elements.find(|node| node.has_tag_name("template") && node.range().start == start);
        Ok(Self {
            document,
            index,
            text,
            template: template.ok_or(WriteError::Entities)?,
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
        })
    }
    pub(super) fn automaton(&self) -> &'a Automaton {
        &self.document.automata()[self.index]
    }
    pub(super) fn origin(&self) -> &'a Origin {
        &self.document.origins[self.index]
    }
    /// The white space before `node` on its line.
    pub(super) fn indent(&self, node: Node<'_, '_>) -> &'a str {
        let before = &self.text[..node.range().start];
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        let blank = before[line..].trim_start_matches([' ', '\t']).is_empty();
        if blank { &before[line..] } else { "" }
    }
    /// Adds `addition` (escaped) at the end of what `node` holds.
    pub(super) fn append(&self, patches: &mut Patches, node: Node<'_, '_>, addition: &str) {
        let (content, range) = (content_span(node), node.range());
        if content.start as usize == range.end {
            let whole = Element::new(node.tag_name().name().to_owned()).markup(addition);
            patches.replace(Span::new(range.start, range.end), whole.to_string());
        } else {
            patches.insert(content.end, addition);
        }
    }
}
