//! A scene: the content of a picture of a game.

use std::collections::BTreeMap;

use super::geometry::Rect;
use super::marks::{Label, Mark};
use super::nested::Nested;
use tamper_timed::model::Urgency;
use tamper_uppaal::{EdgeAt, LocationAt, Point};

#[derive(Clone, Debug)]
pub(super) struct PlacedLocation {
    pub name: String,
    pub invariant: Option<Label>,
    pub centre: Point,
    pub at: LocationAt,
    pub initial: bool,
    pub urgency: Urgency,
    pub mark: Mark,
}

impl PlacedLocation {
    /// The area of the name, if its place is in the file.
    pub fn kept_name(&self) -> Option<Rect> {
        self.at.name.map(|at| Rect::of_text(&self.name, at))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Arrow {
    pub source: usize,
    pub target: usize,
    pub labels: Vec<Label>,
    pub at: EdgeAt,
    pub mark: Mark,
    pub is_input: bool,
    /// The course, if the arrow was arranged.
    pub course: Option<ArrangedRoute>,
}

/// The way of an arrow that was arranged.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ArrangedRoute {
    /// The points at which the arrow bends, between its ends.
    pub bends: Vec<Point>,
    /// The top left corner of the block of labels, which stand on the arrow.
    pub labels: Option<Point>,
}

/// A game with places, and the changes of mutations.
#[derive(Clone, Debug)]
pub struct Scene {
    pub(super) title: String,
    pub(super) notes: Vec<String>,
    pub(super) nodes: Vec<PlacedLocation>,
    pub(super) arrows: Vec<Arrow>,
    /// Whether the places come from the file.
    pub(super) is_kept: bool,
    /// The boxes that are drawn in place of the nodes and arrows.
    pub(super) nested: Option<Nested>,
}

impl Arrow {
    /// Whether the arrow is a curve: a loop, or an arrow whose corners are not those of the file.
    pub fn is_curved(&self) -> bool {
        self.source == self.target || self.at.nails.is_empty()
    }
}

impl Scene {
    /// Whether some part that is drawn has that mark.
    pub(super) fn has(&self, mark: Mark) -> bool {
        let has_node = || self.nodes.iter().any(|node| node.mark == mark);
        let has_arrow = || self.arrows.iter().any(|arrow| arrow.mark == mark);
        self.nested
            .as_ref()
            .map_or_else(|| has_node() || has_arrow(), |nested| nested.has(mark))
    }
    /// For each arrow, the index of the first one that is drawn at the same place. Unchanged edges with the same ends, which the file does
    /// not bend, are one arrow with the labels of all. An arrow with a full head and one with an open head stay two.
    pub(super) fn joined(&self) -> Vec<usize> {
        let mut firsts = BTreeMap::new();
        let joins = |arrow: &Arrow| arrow.mark == Mark::Plain && arrow.at.nails.is_empty();
        let first = |(at, arrow): (usize, &Arrow)| match joins(arrow) {
            true => *firsts.entry((arrow.source, arrow.target, arrow.is_input)).or_insert(at),
            false => at,
        };
        self.arrows.iter().enumerate().map(first).collect()
    }
}
