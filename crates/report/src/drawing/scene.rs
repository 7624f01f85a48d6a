//! What a picture of a game shows.

use std::collections::BTreeMap;

use super::geometry::Rect;
use tamper_timed::model::Urgency;
use tamper_uppaal::{EdgeAt, LocationAt, Point};

/// What mutations do to a part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// No mutation changes the part.
    Plain,
    /// It is there only in the mutant.
    Added,
    /// Its guard or invariant differs.
    Changed,
    /// It is not there in the mutant.
    Removed,
}

/// A text that a mutation may have changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Label {
    /// `name`, or the kind of a UPPAAL label.
    pub kind: &'static str,
    pub text: String,
    /// What it was, where it was changed.
    pub old: Option<String>,
}

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

impl Label {
    /// What it was, if it was changed, and what it is.
    pub fn shown(&self) -> String {
        match &self.old {
            Some(old) => format!("{old} \u{2192} {}", self.text),
            None => self.text.clone(),
        }
    }
}

impl PlacedLocation {
    /// Where its name is, if its file says so.
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
    /// Where it goes, if it was arranged.
    pub course: Option<Course>,
}

/// The way of an arrow that was arranged.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Course {
    /// The points that it bends at, between its ends.
    pub bends: Vec<Point>,
    /// The top left corner of its labels, which stand on it.
    pub labels: Option<Point>,
}

/// A game with places, and what mutations change.
#[derive(Clone, Debug)]
pub struct Scene {
    pub(super) title: String,
    pub(super) notes: Vec<String>,
    pub(super) nodes: Vec<PlacedLocation>,
    pub(super) arrows: Vec<Arrow>,
    /// Whether the places are those of the file.
    pub(super) is_kept: bool,
}

impl Scene {
    /// For each arrow the first one that is drawn at the same place: unchanged edges with the same ends, that the file does not
    /// bend, are one arrow with the labels of all. An arrow with full head and one with an open one stay two.
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
