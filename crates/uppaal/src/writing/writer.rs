//! The state of writing a file again: its text, its elements, and the template to copy for mutants; and the reasons why
//! a file cannot be written.

use roxmltree::{Node, ParsingOptions};

use crate::document::{AutomatonOrigin, Document};
use crate::text::content_span;
use crate::writing::patch::Patches;
use tamper_text::xml::Element;
use tamper_text::{Span, declared_encoding};
use tamper_timed::model::Automaton;
use tamper_timed::mutation::AppliedOperator;

/// The file's XML. It parses, since the file was read; refused are files that declare entities, whose texts have no
/// places.
pub(crate) fn parse(text: &str) -> Result<roxmltree::Document<'_>, WriteError> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    if text.contains("<!ENTITY") {
        return Err(WriteError::Entities);
    }
    roxmltree::Document::parse_with_options(text, options).map_err(|_| WriteError::Entities)
}

/// The text with the patches, declared as UTF-8.
pub(crate) fn in_utf8(mut patches: Patches, text: &str) -> String {
    if let Some(span) = declared_encoding(text.as_bytes())
        && !matches!(text[span.range()].to_ascii_lowercase().as_str(), "utf-8" | "utf8")
    {
        patches.replace(span, "utf-8");
    }
    patches.apply(text, Span::new(0, text.len()))
}

/// The end of the transition's target element.
pub(crate) fn end_of_target(template: Node<'_, '_>, transition: Span) -> u32 {
    let node = child_at(template, transition);
    let target = node.and_then(|node| node.children().find(|child| child.has_tag_name("target")));
    target.map_or(transition.end, end)
}

/// The place for a new transition: behind the last one, or behind the initial location.
pub(crate) fn behind_edges(template: Node<'_, '_>) -> Option<u32> {
    let last = |name: &str| template.children().rfind(|node| node.has_tag_name(name));
    last("transition").or_else(|| last("init")).map(end)
}

/// The child of the template at this place.
pub(crate) fn child_at<'x>(template: Node<'x, 'x>, element: Span) -> Option<Node<'x, 'x>> {
    let mut children = template.children();
    children.find(|node| node.range().start == element.start as usize)
}

fn end(node: Node<'_, '_>) -> u32 {
    Span::new(0, node.range().end).end
}

pub(crate) struct TemplateWriter<'a> {
    pub document: &'a Document,
    pub index: usize,
    pub text: &'a str,
    pub template: Node<'a, 'a>,
    pub newline: &'static str,
}

impl<'a> TemplateWriter<'a> {
    /// A writer for automaton `index` of `document`, whose elements are `xml`.
    pub(crate) fn new(
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
    pub(crate) fn automaton(&self) -> &'a Automaton {
        &self.document.automata()[self.index]
    }
    pub(crate) fn origin(&self) -> &'a AutomatonOrigin {
        &self.document.origins[self.index]
    }
    /// The white space before `node` on its line.
    pub(crate) fn indent(&self, node: Node<'_, '_>) -> &'a str {
        let before = &self.text[..node.range().start];
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        let blank = before[line..].trim_start_matches([' ', '\t']).is_empty();
        if blank { &before[line..] } else { "" }
    }
    /// Adds `addition` (escaped) at the end of the content of `node`.
    pub(crate) fn append(&self, patches: &mut Patches, node: Node<'_, '_>, addition: &str) {
        let (content, range) = (content_span(node), node.range());
        if content.start as usize == range.end {
            let whole = Element::new(node.tag_name().name().to_owned()).markup(addition);
            patches.replace(Span::new(range.start, range.end), whole.to_string());
        } else {
            patches.insert(content.end, addition);
        }
    }
}

/// The reason why a mutant cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file declares entities: the text they expand to has no place that could be patched.
    #[error("the file declares XML entities of its own: replace them by what they stand for")]
    Entities,
    /// The name of a new action is already declared as something else.
    #[error("the new action `{0}` is declared as something else: rename that")]
    NameTaken(String),
    /// A parameter passes a global variable to the template by reference, and the template writes it: the mutant would
    /// share it.
    #[error(
        "the parameter `{0}` is a variable handed over by reference that the mutant would share: declare it \
        in the template"
    )]
    SharedReference(String),
    /// A label of a network whose text in the file differs from the text that is read (comments of XML, character
    /// data), or without a single comparison that has the constant.
    #[error("`{0}` cannot be changed in the file: write it as comparisons of one clock, without comments and CDATA")]
    NotSingleAutomaton(String),
    /// A process of a network that neither an instantiation of its template nor its parameters identify.
    #[error(
        "the file cannot change `{0}` alone: instantiate it from its template (`P = T(…);`), or use --scope \
        template"
    )]
    Instance(String),
    /// A mutant in which a channel is urgent and the original, which shares the channel, in which it is not; or
    /// conversely.
    #[error(
        "the mutant and the original share the channel `{0}`, which is urgent in one of them only: write it as Ecdar or \
        TChecker file"
    )]
    SharedChannel(String),
    /// A mutant in which a variable has another range or begins with another value.
    #[error("a variable of the mutant has another range than in the original: write it as Ecdar or TChecker file")]
    OtherVariables,
    /// A mutant that assigns a value other than 0 and 1 to a variable with this range: for a boolean, UPPAAL turns it
    /// into 1.
    #[error(
        "the mutant gives `{0}` a value that is neither 0 nor 1, which UPPAAL takes for 1 if it is a boolean: write it as \
        Ecdar or TChecker file"
    )]
    NoTruthValue(String),
    /// An operator whose changes to a network cannot be written into its file.
    #[error("what {0} changes is not written into the file of a network: leave it out, or export the composition")]
    Operator(AppliedOperator),
    /// A network whose processes synchronise by vectors.
    #[error("UPPAAL has no synchronisation vectors: export mutants of the composition (--network)")]
    Vectors,
    /// An edit refers to a location or edge that does not exist.
    #[error("an edit is about a location or edge that is not there")]
    NoSuchPart,
}
