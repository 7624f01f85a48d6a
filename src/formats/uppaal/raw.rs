//! The parts of a UPPAAL file, texts not yet parsed: what XML is read to, and what readers of other formats build.

use std::sync::Arc;

use super::text::Text;
use crate::text::Span;

/// A UPPAAL file, label texts as they are.
#[derive(Clone, Default, Debug)]
pub(in crate::formats) struct RawFile {
    pub root: Span,
    pub declaration: Option<RawText>,
    pub templates: Vec<RawTemplate>,
    pub instantiation: Option<RawText>,
    pub system: Option<RawText>,
    pub queries: Option<Span>,
    /// What says how likely something is, not what is possible, and where it stands.
    pub weights: Vec<(&'static str, Span)>,
    /// Whether edges were put in the place of branches, so that the edges of the file are others.
    pub is_branched: bool,
    /// Whether each template is a game by itself, and none a process of a network.
    pub are_games: bool,
}

/// An element that holds text.
#[derive(Clone, Debug)]
pub(in crate::formats) struct RawText {
    pub element: Span,
    pub text: Text,
}

/// A text that may hold feature expressions.
#[derive(Clone, Debug)]
pub(in crate::formats) struct RawNote {
    pub element: Span,
    pub text: Text,
    /// Whether it is a label of kind `feature`: then all of it is one expression.
    pub is_label: bool,
}

#[derive(Clone, Default, Debug)]
pub(in crate::formats) struct RawTemplate {
    pub element: Span,
    pub tag: Span,
    pub name: Option<RawText>,
    pub parameter: Option<RawText>,
    pub declaration: Option<RawText>,
    pub locations: Vec<RawLocation>,
    /// The branchpoints, until there is an edge per branch.
    pub branchpoints: Vec<RawBranchpoint>,
    pub init: Option<(String, Span)>,
    pub edges: Vec<RawEdge>,
}

/// A node between the edge that chooses and its branches.
#[derive(Clone, Debug)]
pub(in crate::formats) struct RawBranchpoint {
    pub id: String,
    pub place: Span,
}

#[derive(Clone, Default, Debug)]
pub(in crate::formats) struct RawLocation {
    pub element: Span,
    pub tag: Span,
    pub id: Option<(String, Span)>,
    pub name: Option<RawText>,
    pub invariant: Option<RawText>,
    pub urgent: bool,
    pub committed: bool,
    pub notes: Vec<RawNote>,
    /// Of other formats: what is kept without a meaning, and where it is drawn.
    pub rate: Option<RawText>,
    pub at: Option<(i64, i64)>,
}

#[derive(Clone, Default, Debug)]
pub(in crate::formats) struct RawEdge {
    pub element: Span,
    pub tag: Span,
    pub controllable: Option<(bool, Span)>,
    pub source: Option<(String, Span)>,
    pub target: Option<(String, Span)>,
    pub select: Option<RawText>,
    pub guard: Option<RawText>,
    pub sync: Option<RawText>,
    pub update: Option<RawText>,
    pub notes: Vec<RawNote>,
    /// Of other formats: where it bends.
    pub nails: Vec<(i64, i64)>,
}

/// What was built by the reader of another format, or from a file whose edges are not those of the game, and which of its processes were asked for.
#[derive(Clone, Debug)]
pub(super) struct Foreign {
    pub raw: Arc<RawFile>,
    pub only: Option<Vec<String>>,
}

/// The id of the location at that position of a template.
pub(in crate::formats) fn location_id(position: usize) -> String {
    format!("id{position}")
}

impl RawText {
    /// A text that stands at `place`; none if it is blank.
    pub fn of(text: impl Into<Text>, place: Span) -> Option<Self> {
        let mut text = text.into();
        text.content = place;
        (!text.is_blank()).then_some(Self { element: place, text })
    }
    /// A text that is written nowhere and stands for what is at `place`.
    pub fn made(text: &str, place: Span) -> Option<Self> {
        Self::of(Text::at(text, place), place)
    }
}

impl RawTemplate {
    /// A template for what stands at `place`.
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
    /// The location at that position of its template, for what stands at `place`.
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
    /// An edge between the locations at these positions, for what stands at `place`.
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
