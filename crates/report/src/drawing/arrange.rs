//! Arrangement of a game without places: layers from left to right, as dagre arranges them, with room for every text.
//!
//! For a game that is too large for dagre, the locations stand in layers by their distance from the initial one, and edges and texts go
//! where there is room.

use std::collections::VecDeque;

use dugong::graphlib::{Graph, GraphOptions};
use dugong::{EdgeLabel, GraphLabel, NodeLabel, RankDir, WorkControl, WorkError, layout_controlled};

use super::geometry::{LINE, RADIUS, Rect, direction, distance, number};
use super::labels::{block, block_size};
use super::scene::{ArrangedRoute, PlacedLocation, Scene};
use tamper_uppaal::Point;

/// The distance between layers, and between the locations of a layer, if they are placed without their edges.
const STEP: Point = (230.0, 150.0);

/// Maximal work of arranging, in units of dagre's library: a million units take about a second. A game of 65 locations and some 250 edges
/// costs 0.8 million.
pub(super) const WORK: usize = 4_000_000;

/// Places every location and, unless that exceeds the work limit, every edge with its labels.
pub(super) fn arrange(scene: &mut Scene) {
    if laid_out(scene).is_none() {
        let centres = layers(scene);
        for (node, centre) in scene.nodes.iter_mut().zip(centres) {
            node.centre = centre;
        }
    }
}

type Drawn = Graph<NodeLabel, EdgeLabel, GraphLabel>;

/// Places everything with dagre; `None` if that costs too much.
fn laid_out(scene: &mut Scene) -> Option<()> {
    let joined = scene.joined();
    let mut graph = graph(scene, &joined);
    layout_controlled(&mut graph, &mut LayoutBudget { left: WORK }).ok()?;
    let centre = |at: usize| {
        let node = graph.node(&at.to_string())?;
        Some((node.x?, node.y?))
    };
    let centres: Vec<Point> = (0..scene.nodes.len()).map(centre).collect::<Option<_>>()?;
    let mut courses = Vec::new();
    for (at, arrow) in scene.arrows.iter().enumerate().filter(|(at, _)| joined[*at] == *at) {
        let name = at.to_string();
        let edge = graph.edge(&arrow.source.to_string(), &arrow.target.to_string(), Some(&name))?;
        let labels = edge.x.zip(edge.y).filter(|_| edge.width > 0.0);
        let corner = labels.map(|(x, y)| (x - edge.width / 2.0, y - edge.height / 2.0));
        let points = edge.points.iter().map(|point| (point.x, point.y));
        // The ends of an edge are on the boxes around the locations with their texts.
        let inner = || points.clone().skip(1).take(edge.points.len().saturating_sub(2));
        let bends = match (arrow.source == arrow.target, corner) {
            (false, _) => inner().collect(),
            (true, Some(corner)) => vec![before(centres[arrow.source], corner, (edge.width, edge.height))],
            (true, None) => inner()
                .nth(edge.points.len().saturating_sub(2) / 2)
                .into_iter()
                .collect(),
        };
        courses.push((at, ArrangedRoute { bends, labels: corner }));
    }
    for (node, centre) in scene.nodes.iter_mut().zip(centres) {
        node.centre = centre;
    }
    for (at, course) in courses {
        scene.arrows[at].course = Some(course);
    }
    Some(())
}

/// The tip of a loop from `centre` that ends before the texts of this corner and size.
fn before(centre: Point, corner: Point, size: (f64, f64)) -> Point {
    const GAP: f64 = 3.0;
    let middle = (corner.0 + size.0 / 2.0, corner.1 + size.1 / 2.0);
    let whole = distance(centre, middle).max(1.0);
    let towards = direction(centre, middle);
    // How much of the way to the middle is inside of the texts.
    let across = (size.0 / 2.0 + GAP) / towards.0.abs().max(1e-6);
    let down = (size.1 / 2.0 + GAP) / towards.1.abs().max(1e-6);
    let length = (whole - across.min(down)).max(2.0 * RADIUS);
    (centre.0 + towards.0 * length, centre.1 + towards.1 * length)
}

/// The locations as boxes that hold their texts, and the arrows with the sizes of their texts.
fn graph(scene: &Scene, joined: &[usize]) -> Drawn {
    let mut graph = Drawn::new(GraphOptions {
        multigraph: true,
        ..GraphOptions::default()
    });
    graph.set_graph(GraphLabel {
        rankdir: RankDir::LR,
        nodesep: 24.0,
        ranksep: 36.0,
        edgesep: 14.0,
        ..GraphLabel::default()
    });
    for (at, node) in scene.nodes.iter().enumerate() {
        let (width, height) = node_size(node);
        let label = NodeLabel {
            width,
            height,
            ..NodeLabel::default()
        };
        graph.set_node(at.to_string(), label);
    }
    for (at, arrow) in scene.arrows.iter().enumerate().filter(|(at, _)| joined[*at] == *at) {
        let (width, height) = block_size(&block(scene, joined, at));
        let label = EdgeLabel {
            width,
            height,
            weight: 1.0,
            ..EdgeLabel::default()
        };
        let (source, target) = (arrow.source.to_string(), arrow.target.to_string());
        graph.set_edge_named(source, target, Some(at.to_string()), Some(label));
    }
    graph
}

/// The box of a location: its texts stand below it, and as much room is above, so that edges meet its middle.
fn node_size(node: &PlacedLocation) -> (f64, f64) {
    let invariant = node.invariant.as_ref().map(|invariant| invariant.shown());
    let texts: Vec<String> = std::iter::once(node.name.clone()).chain(invariant).collect();
    let widths = texts.iter().map(|text| Rect::of_text(text, (0.0, 0.0)).width());
    let height = 2.0 * (RADIUS + 4.0 + number(texts.len()) * LINE);
    (widths.fold(2.0 * RADIUS, f64::max), height)
}

/// The remaining work, in the units of `WORK`.
pub(super) struct LayoutBudget {
    pub left: usize,
}

impl WorkControl for LayoutBudget {
    fn charge(&mut self, units: usize) -> Result<(), WorkError> {
        self.left = self.left.checked_sub(units).ok_or(WorkError::Interrupted)?;
        Ok(())
    }
}

/// A place for each location in layers. A layer is ordered by the places of its neighbours in the layer before.
pub(super) fn layers(scene: &Scene) -> Vec<Point> {
    let depth = depths(scene);
    let n_layers = depth.iter().max().map_or(0, |most| most + 1);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); n_layers];
    for (at, depth) in depth.iter().enumerate() {
        layers[*depth].push(at);
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); depth.len()];
    for arrow in &scene.arrows {
        for (from, to) in [(arrow.source, arrow.target), (arrow.target, arrow.source)] {
            if depth[from] < depth[to] {
                before[to].push(from);
            }
        }
    }
    let mut rank = vec![0.0; depth.len()];
    for layer in layers {
        let middle = |at: usize| {
            let sum: f64 = before[at].iter().map(|other| rank[*other]).sum();
            sum / number(before[at].len().max(1))
        };
        let mut order: Vec<(f64, usize)> = layer.into_iter().map(|at| (middle(at), at)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let half = (number(order.len()) - 1.0) / 2.0;
        for (position, (_, at)) in order.into_iter().enumerate() {
            rank[at] = number(position) - half;
        }
    }
    let place = |(at, depth): (usize, &usize)| {
        // Every second layer a little lower, so that edges across a layer do not run through its locations.
        let lower = if depth % 2 == 1 { 0.25 } else { 0.0 };
        (number(*depth) * STEP.0, (rank[at] + lower) * STEP.1)
    };
    depth.iter().enumerate().map(place).collect()
}

/// The fewest edges from the initial location; unreachable locations come last.
fn depths(scene: &Scene) -> Vec<usize> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); scene.nodes.len()];
    for arrow in &scene.arrows {
        next[arrow.source].push(arrow.target);
    }
    let mut depth: Vec<Option<usize>> = vec![None; scene.nodes.len()];
    let initial = scene.nodes.iter().position(|node| node.initial);
    let mut queue: VecDeque<(usize, usize)> = initial.map(|at| (at, 0)).into_iter().collect();
    while let Some((at, distance)) = queue.pop_front() {
        if depth[at].is_none() {
            depth[at] = Some(distance);
            queue.extend(next[at].iter().map(|target| (*target, distance + 1)));
        }
    }
    let last = depth.iter().flatten().max().map_or(0, |most| most + 1);
    depth.into_iter().map(|depth| depth.unwrap_or(last)).collect()
}
