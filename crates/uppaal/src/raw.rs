//! The parts of a UPPAAL file, texts not yet parsed: read from XML, or built by readers of other formats.

use std::sync::Arc;

use super::text::Text;
use tamper_text::Span;

/// A UPPAAL file, with unparsed label texts.
#[derive(Clone, Default, Debug)]
pub struct RawFile {
    /// The root element.
    pub root: Span,
    /// The global declarations.
    pub declaration: Option<RawText>,
    /// The templates, in the order of the file.
    pub templates: Vec<RawTemplate>,
    /// The instances of templates, in old files with a separate section for them.
    pub instantiation: Option<RawText>,
    /// The system section.
    pub system: Option<RawText>,
    /// The queries, which are not read.
    pub queries: Option<Span>,
    /// Weights, by kind and place: they affect the likelihood of runs, not whether these are possible.
    pub weights: Vec<(&'static str, Span)>,
    /// Whether edges replace the branches of the file, so that the edges of the file differ.
    pub is_branched: bool,
    /// Whether each template is a separate game, not a process of a network.
    pub are_games: bool,
}

/// An element that holds text.
#[derive(Clone, Debug)]
pub struct RawText {
    /// The element.
    pub element: Span,
    /// Its text, with the way back to the file.
    pub text: Text,
}

/// A text that may hold feature expressions.
#[derive(Clone, Debug)]
pub struct RawNote {
    /// The element.
    pub element: Span,
    /// Its text, with the way back to the file.
    pub text: Text,
    /// Whether it is a label of kind `feature`: then all of it is one expression.
    pub is_label: bool,
}

/// A template, with unparsed label texts.
#[derive(Clone, Default, Debug)]
pub struct RawTemplate {
    /// The element.
    pub element: Span,
    /// Its first tag.
    pub tag: Span,
    /// The name.
    pub name: Option<RawText>,
    /// The parameters.
    pub parameter: Option<RawText>,
    /// The local declarations.
    pub declaration: Option<RawText>,
    /// The locations, in the order of the file.
    pub locations: Vec<RawLocation>,
    /// The branchpoints, until they are replaced by an edge per branch.
    pub branchpoints: Vec<RawBranchpoint>,
    /// The id of the initial location.
    pub init: Option<(String, Span)>,
    /// The edges, in the order of the file.
    pub edges: Vec<RawEdge>,
}

/// A branchpoint: a node between an edge and its branches.
#[derive(Clone, Debug)]
pub struct RawBranchpoint {
    /// The id that edges refer to.
    pub id: String,
    /// Its place.
    pub place: Span,
}

/// A location of a template.
#[derive(Clone, Default, Debug)]
pub struct RawLocation {
    /// The element.
    pub element: Span,
    /// Its first tag.
    pub tag: Span,
    /// The id that edges refer to.
    pub id: Option<(String, Span)>,
    /// The name.
    pub name: Option<RawText>,
    /// The invariant.
    pub invariant: Option<RawText>,
    /// Whether time may not pass here.
    pub urgent: bool,
    /// Whether the next step must leave a committed location.
    pub committed: bool,
    /// Texts that may hold feature expressions.
    pub notes: Vec<RawNote>,
    /// The rate, only in other formats; it is kept without a meaning.
    pub rate: Option<RawText>,
    /// The position in the drawing, only in other formats.
    pub at: Option<(i64, i64)>,
}

/// An edge of a template.
#[derive(Clone, Default, Debug)]
pub struct RawEdge {
    /// The element.
    pub element: Span,
    /// Its first tag.
    pub tag: Span,
    /// Whether the tester controls it, if the file has the attribute.
    pub controllable: Option<(bool, Span)>,
    /// The id of the location or branchpoint that it leaves.
    pub source: Option<(String, Span)>,
    /// The id of the location or branchpoint that it enters.
    pub target: Option<(String, Span)>,
    /// The select label.
    pub select: Option<RawText>,
    /// The guard.
    pub guard: Option<RawText>,
    /// The synchronisation.
    pub sync: Option<RawText>,
    /// The updates.
    pub update: Option<RawText>,
    /// Texts that may hold feature expressions.
    pub notes: Vec<RawNote>,
    /// The bends in the drawing, only in other formats.
    pub nails: Vec<(i64, i64)>,
}

/// The parts of a file of another format, or of a file whose edges differ from the edges of the game; and the processes
/// that were asked for.
#[derive(Clone, Debug)]
pub(super) struct ForeignParts {
    pub raw: Arc<RawFile>,
    pub only: Option<Vec<String>>,
}

/// The id of the location at that position of a template.
pub fn location_id(position: usize) -> String {
    format!("id{position}")
}

impl RawText {
    /// A text at `place`; `None` if it is blank.
    pub fn of(text: impl Into<Text>, place: Span) -> Option<Self> {
        let mut text = text.into();
        text.content = place;
        (!text.is_blank()).then_some(Self { element: place, text })
    }
    /// A generated text that stands for the text at `place`.
    pub fn made(text: &str, place: Span) -> Option<Self> {
        Self::of(Text::at(text, place), place)
    }
}

impl RawTemplate {
    /// A template for the text at `place`.
    pub fn new(name: Option<RawText>, place: Span) -> Self {
        Self {
            element: place,
            tag: place,
            name,
            ..Self::default()
        }
    }
}

impl RawLocation {
    /// The location at that position of its template, for the text at `place`.
    pub fn new(position: usize, name: Option<RawText>, place: Span) -> Self {
        Self {
            element: place,
            tag: place,
            id: Some((location_id(position), place)),
            name,
            ..Self::default()
        }
    }
}

impl RawEdge {
    /// An edge between the locations at these positions, for the text at `place`.
    pub fn new(source: usize, target: usize, place: Span) -> Self {
        Self {
            element: place,
            tag: place,
            source: Some((location_id(source), place)),
            target: Some((location_id(target), place)),
            ..Self::default()
        }
    }
}
