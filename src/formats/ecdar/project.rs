//! An Ecdar project as its files have it, every text with the place that it came from.

use super::super::transcript::Mapped;
use crate::text::Span;

/// What the files of a project say.
#[derive(Default, Debug)]
pub(super) struct Project {
    pub globals: Option<Mapped>,
    pub system: Option<Mapped>,
    pub components: Vec<Component>,
}

#[derive(Debug)]
pub(super) struct Component {
    /// The position of its file.
    pub file: usize,
    pub name: Mapped,
    /// Where the name stands.
    pub place: Span,
    pub declarations: Mapped,
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
}

#[derive(Debug)]
pub(super) struct Location {
    pub id: Mapped,
    pub place: Span,
    pub invariant: Mapped,
    pub initial: bool,
    /// Everything may happen here, for ever.
    pub universal: bool,
    pub urgency: &'static str,
    pub at: Option<(i64, i64)>,
}

#[derive(Debug)]
pub(super) struct Edge {
    pub place: Span,
    pub source: (String, Span),
    pub target: (String, Span),
    pub is_input: bool,
    pub select: Mapped,
    pub guard: Mapped,
    pub update: Mapped,
    pub sync: Mapped,
    pub nails: Vec<(i64, i64)>,
}
