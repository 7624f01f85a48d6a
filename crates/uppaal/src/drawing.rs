//! The positions of locations in a drawing.

use roxmltree::ParsingOptions;

use super::document::Document;
use tamper_text::Id;
use tamper_timed::model::{Automaton, Edge, LocId};

/// Positions of an automaton's locations, x to the right and y downwards; a location without one gets a place on a grid.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Drawing {
    locations: Vec<Option<(i32, i32)>>,
}

impl Drawing {
    /// Locations on a grid.
    pub fn grid() -> Self {
        Self::default()
    }

    /// The positions in the file of `document`, for the locations of automaton `index`.
    ///
    /// # Panics
    /// If there is no automaton of that index.
    pub fn of(document: &Document, index: usize) -> Self {
        let document = document.in_xml();
        let options = ParsingOptions {
            allow_dtd: true,
            ..ParsingOptions::default()
        };
        let Ok(xml) = roxmltree::Document::parse_with_options(document.source().text(), options) else {
            return Self::grid();
        };
        let starts = document
            .layout(index)
            .locations
            .iter()
            .map(|place| place.element.start as usize);
        let elements: std::collections::BTreeMap<usize, _> = xml
            .descendants()
            .filter(|node| node.has_tag_name("location"))
            .map(|node| (node.range().start, node))
            .collect();
        let position = |start: usize| {
            let node = elements.get(&start)?;
            let coordinate = |name: &str| node.attribute(name)?.trim().parse().ok();
            Some((coordinate("x")?, coordinate("y")?))
        };
        Self {
            locations: starts.map(position).collect(),
        }
    }

    /// The same drawing of only the locations `kept`, renumbered in that order.
    #[must_use]
    pub fn restricted(&self, kept: impl IntoIterator<Item = LocId>) -> Self {
        let place = |id: LocId| self.locations.get(id.index()).copied().flatten();
        Self {
            locations: kept.into_iter().map(place).collect(),
        }
    }

    /// The position of `location`.
    pub fn place(&self, location: LocId) -> (i32, i32) {
        let index = location.index();
        let on_grid = || {
            let cell = |n: usize| i32::try_from(n).unwrap_or(i32::MAX / 1000);
            (cell(index % 6) * 200, cell(index / 6) * 150)
        };
        self.locations.get(index).copied().flatten().unwrap_or_else(on_grid)
    }

    /// A bend for each edge, so that edges between the same two locations do not hide each other; `None` for a straight
    /// edge.
    pub(super) fn bends(&self, automaton: &Automaton) -> Vec<Option<(i32, i32)>> {
        let mut seen = std::collections::BTreeMap::new();
        let mut bend = |edge: &Edge| {
            let ends = (edge.source.min(edge.target), edge.source.max(edge.target));
            let number: &mut i32 = seen.entry(ends).or_default();
            *number += 1;
            self.bend(ends.0, ends.1, *number - 1)
        };
        automaton.edges().iter().map(|edge| bend(edge)).collect()
    }

    /// The bend of edge number `number` between two locations; alternately on both sides, further and further out.
    fn bend(&self, one: LocId, other: LocId, number: i32) -> Option<(i32, i32)> {
        let ((x1, y1), (x2, y2)) = (self.place(one), self.place(other));
        if one == other {
            return Some((x1.saturating_add(40 + 12 * number), y1.saturating_sub(40 + 12 * number)));
        }
        if number == 0 {
            return None;
        }
        let middle = |a: i32, b: i32| a.midpoint(b);
        let side = if number % 2 == 1 { 1 } else { -1 };
        let out = side * ((number + 1) / 2) * 12;
        // Away from the edge.
        let flat = (x2 - x1).unsigned_abs() >= (y2 - y1).unsigned_abs();
        let (dx, dy) = if flat { (0, out) } else { (out, 0) };
        Some((middle(x1, x2).saturating_add(dx), middle(y1, y2).saturating_add(dy)))
    }
}
