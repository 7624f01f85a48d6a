//! The content of an Ecdar project, every text with its place in the files.

use tamper_text::{Span, Text};
use tamper_timed::model::Urgency;

/// The content of a project's files.
#[derive(Default, Debug)]
pub(super) struct Project {
    pub globals: Option<Text>,
    pub system: Option<Text>,
    pub components: Vec<ProjectComponent>,
}

#[derive(Debug)]
pub(super) struct ProjectComponent {
    pub name: Text,
    /// The place of the name.
    pub place: Span,
    pub declarations: Text,
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
}

#[derive(Debug)]
pub(super) struct Location {
    pub id: Text,
    pub place: Span,
    pub invariant: Text,
    pub initial: bool,
    /// A universal location: every action is always possible here.
    pub universal: bool,
    /// An inconsistent location: no action is possible here, and no time passes.
    pub inconsistent: bool,
    pub urgency: Urgency,
    pub at: Option<(i64, i64)>,
}

impl Location {
    /// Whether it has that id, and is universal or inconsistent, which determines its behaviour for every action.
    pub fn stands_for_all(&self, id: &str) -> bool {
        (self.universal || self.inconsistent) && self.id.decoded == id
    }
}

#[derive(Debug)]
pub(super) struct Edge {
    pub place: Span,
    pub source: (String, Span),
    pub target: (String, Span),
    pub is_input: bool,
    pub select: Text,
    pub guard: Text,
    pub update: Text,
    pub sync: Text,
    pub nails: Vec<(i64, i64)>,
}
