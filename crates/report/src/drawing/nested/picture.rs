//! The content of a picture of nested boxes: the boxes of a game's file, with the changes of a mistake.

use crate::drawing::geometry::Rect;
use crate::drawing::marks::{Label, Mark};
use tamper_text::Id;
use tamper_timed::model::{BoxKind, Hierarchy, NestedArrow};
use tamper_uppaal::Point;

/// A line of what a state does.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub label: Label,
    pub mark: Mark,
}

#[derive(Clone, Debug)]
pub(super) struct DrawnBox {
    pub name: String,
    /// The names of the boxes around it and its own.
    pub path: String,
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    pub kind: BoxKind,
    pub lines: Vec<Line>,
    /// The locations that it stands for, numbered after the edges.
    pub parts: Vec<usize>,
    pub area: Rect,
    /// The middle of the dot at which the initial arrow begins.
    pub dot: Option<Point>,
}

#[derive(Clone, Debug)]
pub(super) struct DrawnArrow {
    pub source: usize,
    pub targets: Vec<usize>,
    pub is_initial: bool,
    pub label: Label,
    pub mark: Mark,
    /// The edges that take it.
    pub parts: Vec<usize>,
    /// The box that the arrow does not leave: it goes between boxes that stand directly within it.
    pub level: Option<usize>,
    pub text: Option<Rect>,
    pub ways: Vec<Vec<Point>>,
}

/// Boxes and arrows with places.
#[derive(Clone, Debug)]
pub(in crate::drawing) struct Nested {
    pub(super) boxes: Vec<DrawnBox>,
    pub(super) arrows: Vec<DrawnArrow>,
}

fn label(text: &str, old: Option<&str>) -> Label {
    Label {
        kind: "label",
        text: text.to_owned(),
        old: old.map(str::to_owned),
    }
}

impl Nested {
    /// The boxes of `original` as far as `mutant` has them, and of `mutant`, with what differs marked, all without places. Both have
    /// the same boxes.
    pub(super) fn unplaced(original: &Hierarchy, mutant: &Hierarchy) -> Self {
        let mut nested = Self {
            boxes: (0..original.boxes.len())
                .map(|at| drawn_box(original, mutant, at))
                .collect(),
            arrows: Vec::new(),
        };
        for at in 1..nested.boxes.len() {
            if let Some(parent) = nested.boxes[at].parent {
                nested.boxes[parent].children.push(at);
            }
        }
        let mut added: Vec<&NestedArrow> = mutant.arrows.iter().collect();
        let mut take = |is_it: &dyn Fn(&NestedArrow) -> bool| {
            let found = added.iter().position(|arrow| is_it(arrow))?;
            Some(added.remove(found))
        };
        let kept = original.arrows.iter().map(|old| take(&|new| new == old).is_some());
        let kept: Vec<bool> = kept.collect();
        for (at, old) in original.arrows.iter().enumerate() {
            let ends = |arrow: &NestedArrow| (arrow.source, arrow.is_initial, arrow.targets.clone());
            let (label, mark) = match kept[at] {
                true => (label(&old.label, None), Mark::Plain),
                false => match take(&|new| ends(new) == ends(old)) {
                    Some(new) => (label(&new.label, Some(&old.label)), Mark::Changed),
                    None => (label(&old.label, None), Mark::Removed),
                },
            };
            let taken = original.taken.iter_enumerated();
            let taken = taken.filter(|(_, arrow)| **arrow == Some(at));
            let parts = taken.map(|(edge, _)| edge.index()).collect();
            nested.add(old, label, mark, parts);
        }
        for new in added {
            nested.add(new, label(&new.label, None), Mark::Added, Vec::new());
        }
        nested
    }

    fn add(&mut self, arrow: &NestedArrow, label: Label, mark: Mark, parts: Vec<usize>) {
        if arrow.targets.is_empty() {
            self.boxes[arrow.source].lines.push(Line { label, mark });
            self.boxes[arrow.source].parts.extend(parts);
            return;
        }
        self.arrows.push(DrawnArrow {
            source: arrow.source,
            targets: arrow.targets.clone(),
            is_initial: arrow.is_initial,
            label,
            mark,
            parts,
            level: self.level(arrow),
            text: None,
            ways: Vec::new(),
        });
    }

    /// The innermost box that holds both ends of the arrow, or is one of them and holds the others.
    fn level(&self, arrow: &NestedArrow) -> Option<usize> {
        if arrow.is_initial {
            return Some(arrow.source);
        }
        let is_loop = arrow.targets.iter().all(|target| *target == arrow.source);
        let mut around = self.around(arrow.source).skip(usize::from(is_loop));
        around.find(|around| {
            arrow
                .targets
                .iter()
                .all(|target| self.around(*target).any(|at| at == *around))
        })
    }

    /// The box and those around it, from the inside out.
    pub fn around(&self, at: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(at), |at| self.boxes[*at].parent)
    }

    /// The box directly within `level` that is `at` or around it; if any is.
    pub fn lifted(&self, at: usize, level: Option<usize>) -> Option<usize> {
        self.around(at).find(|around| self.boxes[*around].parent == level)
    }

    /// Whether the box is active together with those beside it.
    pub(super) fn is_region(&self, own: &DrawnBox) -> bool {
        let parent = own.parent.map(|parent| self.boxes[parent].kind);
        parent == Some(BoxKind::Parallel) && !matches!(own.kind, BoxKind::History { .. })
    }

    /// Whether some part has that mark.
    pub fn has(&self, mark: Mark) -> bool {
        let mut lines = self.boxes.iter().flat_map(|one| &one.lines);
        self.arrows.iter().any(|arrow| arrow.mark == mark) || lines.any(|line| line.mark == mark)
    }
}

fn drawn_box(original: &Hierarchy, mutant: &Hierarchy, at: usize) -> DrawnBox {
    let own = &original.boxes[at];
    let mut path = own.name.to_string();
    let mut parent = own.parent;
    while let Some(around) = parent {
        path = format!("{}.{path}", original.boxes[around].name);
        parent = original.boxes[around].parent;
    }
    // A note is known by its first word: a mistake leaves out some of what follows, or all of it.
    let word = |note: &str| note.split(' ').next().map(str::to_owned);
    let after = mutant.boxes.get(at).map_or(&[][..], |after| &after.notes);
    let lines = own.notes.iter().map(|note| {
        let left = after
            .iter()
            .any(|other| other == note)
            .then(|| (label(note, None), Mark::Plain));
        let changed = after
            .iter()
            .find(|other| word(other) == word(note) && !own.notes.contains(other));
        let changed = || changed.map(|changed| (label(changed, Some(note)), Mark::Changed));
        let (label, mark) = left
            .or_else(changed)
            .unwrap_or_else(|| (label(note, None), Mark::Removed));
        Line { label, mark }
    });
    let n_edges = original.taken.len();
    let located = original.located.iter().enumerate();
    let located = located.filter(|(_, boxes)| boxes.contains(&at));
    DrawnBox {
        name: own.name.to_string(),
        path,
        parent: own.parent,
        children: Vec::new(),
        kind: own.kind,
        lines: lines.collect(),
        parts: located.map(|(location, _)| n_edges + location).collect(),
        area: Rect::around((0.0, 0.0), 0.0),
        dot: None,
    }
}
