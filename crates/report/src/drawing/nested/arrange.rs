//! Places for boxes and for the texts of arrows, from the inside out.

use std::collections::BTreeMap;

use dugong::graphlib::{Graph, GraphOptions};
use dugong::{EdgeLabel, GraphLabel, NodeLabel, RankDir, layout_controlled};

use super::picture::{DrawnBox, Nested};
use super::route::route;
use super::sizes::{STEP, even, size, text_size};
use crate::drawing::arrange::{LayoutBudget, WORK};
use crate::drawing::geometry::Rect;
use tamper_timed::model::Hierarchy;
use tamper_uppaal::Point;

/// The room between the border of a box and what is within it.
const ROOM: f64 = 3.0 * STEP;
/// The room between the name of a box and what is within it.
const ROOM_ABOVE: f64 = 2.0 * STEP;
/// A thing directly within a box.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Item {
    Box(usize),
    /// The beginning of what is initial.
    Dot,
    /// The text of an arrow.
    Text(usize),
}

/// The boxes of `original` and `mutant` with what differs marked, each in its place.
pub(in crate::drawing) fn nested_boxes(original: &Hierarchy, mutant: &Hierarchy) -> Nested {
    let mut nested = Nested::unplaced(original, mutant);
    arrange(&mut nested);
    nested
}

fn arrange(nested: &mut Nested) {
    let mut budget = LayoutBudget { left: WORK };
    for at in (0..nested.boxes.len()).rev() {
        let within = level(nested, Some(at), &mut budget);
        let own = &mut nested.boxes[at];
        let (width, height) = size(own);
        let within = within.map_or((0.0, 0.0), |(width, height)| {
            (width + 2.0 * ROOM, height + ROOM_ABOVE + ROOM)
        });
        own.area = Rect {
            left: 0.0,
            top: 0.0,
            right: even(width.max(within.0)),
            bottom: even(height + within.1),
        };
    }
    level(nested, None, &mut budget);
    // Places within a box are counted from its corner until now.
    for at in 0..nested.boxes.len() {
        let corner = nested.boxes[at]
            .parent
            .map_or((0.0, 0.0), |parent| inner_corner(&nested.boxes[parent]));
        let own = &mut nested.boxes[at];
        own.area = own.area.moved(corner);
        let corner = inner_corner(own);
        own.dot = own.dot.map(|(x, y)| (x + corner.0, y + corner.1));
    }
    for at in 0..nested.arrows.len() {
        let corner = nested.arrows[at]
            .level
            .map_or((0.0, 0.0), |level| inner_corner(&nested.boxes[level]));
        let arrow = &mut nested.arrows[at];
        arrow.text = arrow.text.map(|text| text.moved(corner));
    }
    route(nested);
}

/// The corner at which the things within a box begin.
fn inner_corner(own: &DrawnBox) -> Point {
    (own.area.left + ROOM, own.area.top + size(own).1 + ROOM_ABOVE)
}

type Drawn = Graph<NodeLabel, EdgeLabel, GraphLabel>;

/// Places what stands directly within `level`, and returns the size of all of it; `None` if there is nothing.
fn level(nested: &mut Nested, level: Option<usize>, budget: &mut LayoutBudget) -> Option<(f64, f64)> {
    let boxes = match level {
        Some(at) => nested.boxes[at].children.clone(),
        None => (0..nested.boxes.len().min(1)).collect(),
    };
    let mut sizes: BTreeMap<Item, (f64, f64)> = BTreeMap::new();
    for at in boxes {
        let area = nested.boxes[at].area;
        sizes.insert(Item::Box(at), (area.width(), area.height()));
    }
    // The ends of each arrow, and whether its text is a thing of its own.
    let mut ends = Vec::new();
    for (at, arrow) in nested
        .arrows
        .iter()
        .enumerate()
        .filter(|(_, arrow)| arrow.level == level)
    {
        let text = text_size(&arrow.label, arrow.mark);
        let source = match arrow.is_initial {
            true => Some(Item::Dot),
            false => nested.lifted(arrow.source, level).map(Item::Box),
        };
        let target = nested.lifted(arrow.targets[0], level).map(Item::Box);
        sizes.extend(arrow.is_initial.then_some((Item::Dot, (2.0 * STEP, 2.0 * STEP))));
        match (source, target) {
            (Some(source), Some(target)) => ends.push((at, source, target, text)),
            (source, target) if text.0 > 0.0 => {
                sizes.insert(Item::Text(at), text);
                let (source, target) = (source.unwrap_or(Item::Text(at)), target.unwrap_or(Item::Text(at)));
                ends.extend((source != target).then_some((at, source, target, (0.0, 0.0))));
            }
            _ => {}
        }
    }
    if sizes.is_empty() {
        return None;
    }
    let texts = ends.iter().filter(|(.., text)| text.0 > 0.0);
    let texts: BTreeMap<Item, (f64, f64)> = texts.map(|(at, .., text)| (Item::Text(*at), *text)).collect();
    let mut centres = layers(&sizes, &ends, budget).unwrap_or_else(|| rows(sizes.iter().chain(&texts)));
    sizes.extend(texts);
    let mut whole: Option<Rect> = None;
    for (item, centre) in &mut centres {
        let (width, height) = sizes[item];
        let on_grid = |centre: f64, length: f64| ((centre - length / 2.0) / STEP).round() * STEP;
        let corner = (on_grid(centre.0, width), on_grid(centre.1, height));
        let area = Rect {
            left: 0.0,
            top: 0.0,
            right: width,
            bottom: height,
        };
        *centre = corner;
        let area = area.moved(corner);
        whole = Some(whole.map_or(area, |whole| whole.join(area)));
    }
    let whole = whole?;
    for (item, corner) in centres {
        let (width, height) = sizes[&item];
        let (left, top) = (corner.0 - whole.left, corner.1 - whole.top);
        let area = Rect {
            left,
            top,
            right: left + width,
            bottom: top + height,
        };
        match (item, level) {
            (Item::Box(at), _) => nested.boxes[at].area = area,
            (Item::Dot, Some(level)) => nested.boxes[level].dot = Some((left + width / 2.0, top + height / 2.0)),
            (Item::Text(at), _) => nested.arrows[at].text = Some(area),
            (Item::Dot, None) => {}
        }
    }
    Some((whole.width(), whole.height()))
}

type Ends = (usize, Item, Item, (f64, f64));

/// Centres in layers from top to bottom; `None` if that costs too much.
fn layers(
    sizes: &BTreeMap<Item, (f64, f64)>,
    ends: &[Ends],
    budget: &mut LayoutBudget,
) -> Option<BTreeMap<Item, Point>> {
    let mut graph = Drawn::new(GraphOptions {
        multigraph: true,
        ..GraphOptions::default()
    });
    graph.set_graph(GraphLabel {
        rankdir: RankDir::TB,
        nodesep: 5.0 * STEP,
        ranksep: 4.0 * STEP,
        edgesep: 3.0 * STEP,
        ..GraphLabel::default()
    });
    let name = |item: &Item| format!("{item:?}");
    // A dot is above everything.
    let items = sizes.iter().filter(|(item, _)| **item == Item::Dot);
    for (item, (width, height)) in items.chain(sizes.iter().filter(|(item, _)| **item != Item::Dot)) {
        let label = NodeLabel {
            width: *width,
            height: *height,
            ..NodeLabel::default()
        };
        graph.set_node(name(item), label);
    }
    for (at, source, target, (width, height)) in ends {
        let label = EdgeLabel {
            width: *width,
            height: *height,
            weight: if *source == Item::Dot { 4.0 } else { 1.0 },
            ..EdgeLabel::default()
        };
        graph.set_edge_named(name(source), name(target), Some(at.to_string()), Some(label));
    }
    layout_controlled(&mut graph, budget).ok()?;
    let mut centres = BTreeMap::new();
    for item in sizes.keys() {
        let node = graph.node(&name(item))?;
        centres.insert(*item, (node.x?, node.y?));
    }
    for (at, source, target, (width, _)) in ends.iter().filter(|(.., text)| text.0 > 0.0) {
        let edge = graph.edge(&name(source), &name(target), Some(&at.to_string()))?;
        let (x, y) = (edge.x?, edge.y?);
        // A loop's text stands beside it, behind the room that the loop takes.
        let beside = match (source == target, centres[source].0, sizes[source].0) {
            (true, middle, of_box) => (middle + of_box / 2.0 + 3.0 * STEP + width / 2.0 - x).max(0.0),
            (false, ..) => 0.0,
        };
        centres.insert(Item::Text(*at), (x + beside, y));
    }
    Some(centres)
}

/// Centres in rows, whatever the arrows are.
fn rows<'s>(sizes: impl Iterator<Item = (&'s Item, &'s (f64, f64))>) -> BTreeMap<Item, Point> {
    const GAP: f64 = 5.0 * STEP;
    let sizes: Vec<_> = sizes.collect();
    let area: f64 = sizes.iter().map(|(_, size)| (size.0 + GAP) * (size.1 + GAP)).sum();
    let wide = 1.4 * area.sqrt();
    let (mut left, mut top, mut bottom) = (0.0, 0.0, 0.0_f64);
    let mut centres = BTreeMap::new();
    for (item, (width, height)) in sizes {
        if left > 0.0 && left + width > wide {
            (left, top) = (0.0, bottom + GAP);
        }
        centres.insert(*item, (left + width / 2.0, top + height / 2.0));
        left += width + GAP;
        bottom = bottom.max(top + height);
    }
    centres
}
