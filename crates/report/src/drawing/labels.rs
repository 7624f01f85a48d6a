//! Places of texts: the places in the file, or else the place beside the text's owner that covers the least.

use super::geometry::{LINE, RADIUS, Rect, number};
use super::marks::{Label, Mark};
use super::route::{EdgeRoute, along};
use super::scene::Scene;
use tamper_uppaal::Point;

/// A text, and the place of its top left corner.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub text: String,
    /// The old text, shown struck before the new one.
    pub old: Option<String>,
    pub at: Point,
    pub kind: &'static str,
    pub mark: Mark,
    /// The index of the arrow that it belongs to; after all arrows, of the node.
    pub owner: usize,
}

impl Placed {
    /// The text as measured: the struck old text, an arrow, and the new text.
    pub fn shown(&self) -> String {
        match &self.old {
            Some(old) => format!("{old} \u{2192} {}", self.text),
            None => self.text.clone(),
        }
    }
    pub fn area(&self) -> Rect {
        Rect::of_text(&self.shown(), self.at)
    }
}

/// The names and invariants of the locations and the labels of the edges.
pub(super) fn labels(scene: &Scene, ways: &[EdgeRoute]) -> Vec<Placed> {
    let mut placer = Placer {
        taken: scene
            .nodes
            .iter()
            .map(|node| Rect::around(node.centre, RADIUS + 1.0))
            .collect(),
        samples: ways.iter().map(samples).collect(),
        placed: Vec::new(),
    };
    let n_arrows = scene.arrows.len();
    // Texts with a place in the file stay there; the others go where there is room.
    for (owner, node) in (n_arrows..).zip(&scene.nodes) {
        let name = Label {
            kind: "name",
            text: node.name.clone(),
            old: None,
        };
        placer.keep(&name, node.at.name, node.mark, owner);
        if let Some(invariant) = &node.invariant {
            placer.keep(invariant, node.at.invariant, node.mark, owner);
        }
    }
    for (owner, arrow) in scene.arrows.iter().enumerate() {
        for label in &arrow.labels {
            placer.keep(label, arrow.at.labels.get(label.kind).copied(), arrow.mark, owner);
        }
    }
    let joined = scene.joined();
    for (at, arrow) in scene.arrows.iter().enumerate() {
        if let (true, Some(corner)) = (joined[at] == at, arrow.course.as_ref().and_then(|course| course.labels)) {
            placer.put_block(&block(scene, &joined, at), corner, arrow.mark);
        }
    }
    for (owner, node) in (n_arrows..).zip(&scene.nodes) {
        let name = (node.at.name.is_none()).then(|| Label {
            kind: "name",
            text: node.name.clone(),
            old: None,
        });
        let invariant = node.invariant.clone().filter(|_| node.at.invariant.is_none());
        let block = name.into_iter().chain(invariant).map(|label| (label, owner));
        placer.beside_node(&block.collect::<Vec<_>>(), node.centre, node.mark);
    }
    for (at, (arrow, way)) in scene.arrows.iter().zip(ways).enumerate() {
        if joined[at] == at && arrow.course.is_none() {
            placer.beside_way(&block(scene, &joined, at), way, arrow.mark);
        }
    }
    placer.placed
}

/// The labels of an arrow that have no place in the file: a line each, or a line per edge if the arrow stands for several edges.
pub(super) fn block(scene: &Scene, joined: &[usize], first: usize) -> Vec<(Label, usize)> {
    let members: Vec<usize> = (first..joined.len()).filter(|at| joined[*at] == first).collect();
    let free = |at: usize| {
        let arrow = &scene.arrows[at];
        let is_free = |label: &&Label| !arrow.at.labels.contains_key(label.kind);
        arrow
            .labels
            .iter()
            .filter(is_free)
            .cloned()
            .map(move |label| (label, at))
    };
    if let [only] = members[..] {
        return free(only).collect();
    }
    let line = |at: usize| {
        let texts: Vec<String> = free(at).map(|(label, _)| label.text).collect();
        let text = texts.join("; ");
        (!text.is_empty()).then_some((
            Label {
                kind: "edge",
                text,
                old: None,
            },
            at,
        ))
    };
    members.into_iter().filter_map(line).collect()
}

/// The width and height of the block.
pub(super) fn block_size(block: &[(Label, usize)]) -> (f64, f64) {
    let width = |(label, _): &(Label, usize)| Rect::of_text(&label.shown(), (0.0, 0.0)).width();
    (block.iter().map(width).fold(0.0, f64::max), number(block.len()) * LINE)
}

struct Placer {
    taken: Vec<Rect>,
    /// Points along each way, with the box around them.
    samples: Vec<(Rect, Vec<Point>)>,
    placed: Vec<Placed>,
}

/// Points along a way in equal steps, and the box around them.
fn samples(way: &EdgeRoute) -> (Rect, Vec<Point>) {
    let parts = (0..=24u32).map(|step| f64::from(step) / 24.0);
    let points: Vec<Point> = parts.map(|part| along(way, part).0).collect();
    let boxes = points.iter().map(|point| Rect::around(*point, 0.0));
    (
        boxes.reduce(Rect::join).unwrap_or(Rect::around((0.0, 0.0), 0.0)),
        points,
    )
}

impl Placer {
    fn put(&mut self, label: &Label, at: Point, mark: Mark, owner: usize) {
        let placed = Placed {
            text: label.text.clone(),
            old: label.old.clone(),
            at,
            kind: label.kind,
            mark,
            owner,
        };
        self.taken.push(placed.area());
        self.placed.push(placed);
    }

    fn keep(&mut self, label: &Label, at: Option<Point>, mark: Mark, owner: usize) {
        let Some(mut at) = at else { return };
        // A changed text is longer than the place its file gives it.
        if label.old.is_some() {
            let area = Rect::of_text(&label.shown(), at);
            let moves = [
                (0.0, 0.0),
                (0.0, -LINE),
                (0.0, LINE),
                (-area.width() / 2.0, 0.0),
                (-area.width() / 2.0, -LINE),
            ];
            let best = moves
                .into_iter()
                .min_by(|a, b| self.cost(&area.moved(*a)).total_cmp(&self.cost(&area.moved(*b))));
            let by = best.unwrap_or_default();
            at = (at.0 + by.0, at.1 + by.1);
        }
        self.put(label, at, mark, owner);
    }

    /// The cost of a text at `area`: the area of other texts and locations that it covers, and 25 for each covered point of an edge.
    fn cost(&self, area: &Rect) -> f64 {
        let covered: f64 = self.taken.iter().map(|taken| taken.overlap(area)).sum();
        let near = self.samples.iter().filter(|(around, _)| around.touches(area));
        let crossing = near.map(|(_, points)| {
            let inside = points.iter().filter(|point| area.contains(**point));
            f64::from(u32::try_from(inside.count()).unwrap_or(u32::MAX))
        });
        covered + crossing.sum::<f64>() * 25.0
    }

    fn best(&self, width: f64, height: f64, places: impl Iterator<Item = Point>) -> Point {
        let cost = |(number, at): (u32, Point)| {
            let area = Rect {
                left: at.0,
                top: at.1,
                right: at.0 + width,
                bottom: at.1 + height,
            };
            // Of equally good places, the first one counts.
            (self.cost(&area) + f64::from(number) * 0.5, at)
        };
        let best = (0..).zip(places).map(cost).min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or((0.0, 0.0), |(_, at)| at)
    }

    fn put_block(&mut self, block: &[(Label, usize)], at: Point, mark: Mark) {
        for (line, (label, owner)) in (0u32..).zip(block) {
            self.put(label, (at.0, at.1 + f64::from(line) * LINE), mark, *owner);
        }
    }

    fn beside_node(&mut self, block: &[(Label, usize)], centre: Point, mark: Mark) {
        if block.is_empty() {
            return;
        }
        let (width, height) = block_size(block);
        let gap = RADIUS + 4.0;
        let places = [
            (centre.0 - width / 2.0, centre.1 + gap),
            (centre.0 - width / 2.0, centre.1 - gap - height),
            (centre.0 + gap, centre.1 + 3.0),
            (centre.0 + gap, centre.1 - height - 3.0),
            (centre.0 - gap - width, centre.1 + 3.0),
            (centre.0 - gap - width, centre.1 - height - 3.0),
        ];
        let at = self.best(width, height, places.into_iter());
        self.put_block(block, at, mark);
    }

    fn beside_way(&mut self, block: &[(Label, usize)], way: &EdgeRoute, mark: Mark) {
        if block.is_empty() {
            return;
        }
        let (width, height) = block_size(block);
        let parts = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78];
        let places = parts.into_iter().flat_map(|part| {
            let (point, towards) = along(way, part);
            let normal = (-towards.1, towards.0);
            [1.0, -1.0].into_iter().flat_map(move |side| {
                [5.0, 14.0].into_iter().map(move |gap| {
                    let out = (normal.0 * side, normal.1 * side);
                    // The near corner or edge of the block touches the gap.
                    let centre = (
                        point.0 + out.0 * (gap + width / 2.0),
                        point.1 + out.1 * (gap + height / 2.0),
                    );
                    (centre.0 - width / 2.0, centre.1 - height / 2.0)
                })
            })
        });
        let at = self.best(width, height, places);
        self.put_block(block, at, mark);
    }
}
