//! The ways of edges: through their nails, or bent so that edges between the same locations do not hide each other.

use std::collections::BTreeMap;

use super::geometry::{RADIUS, Rect, between, direction, distance};
use super::scene::{PlacedLocation, Scene};
use tamper_uppaal::Point;

/// The way of an edge from border to border, as points that are close to each other or on straight lines.
pub(super) type EdgeRoute = Vec<Point>;

/// Points per curve.
const STEPS: u32 = 8;

/// The way of each arrow.
pub(super) fn routes(scene: &Scene) -> Vec<EdgeRoute> {
    let joined = scene.joined();
    let mut parallel = BTreeMap::<(usize, usize), Vec<usize>>::new();
    for (at, arrow) in scene.arrows.iter().enumerate() {
        if arrow.at.nails.is_empty() && arrow.course.is_none() && joined[at] == at {
            let ends = (arrow.source.min(arrow.target), arrow.source.max(arrow.target));
            parallel.entry(ends).or_default().push(at);
        }
    }
    let mut ways: Vec<EdgeRoute> = scene
        .arrows
        .iter()
        .map(|arrow| {
            let ends = [scene.nodes[arrow.source].centre, scene.nodes[arrow.target].centre];
            let through = |points: &[Point]| {
                let points = points.iter().copied();
                [ends[0]]
                    .into_iter()
                    .chain(points)
                    .chain([ends[1]])
                    .collect::<EdgeRoute>()
            };
            let bends = arrow.course.as_ref().map_or(&arrow.at.nails, |course| &course.bends);
            clipped(match &bends[..] {
                [tip] if arrow.source == arrow.target => loop_towards(ends[0], *tip),
                bends if arrow.is_curved() => rounded(&through(bends)),
                bends => through(bends),
            })
        })
        .collect();
    for ((first, second), arrows) in parallel {
        if first == second {
            for (number, arrow) in arrows.iter().enumerate() {
                ways[*arrow] = self_loop(scene, first, number, &ways);
            }
            continue;
        }
        let straight = |arrows: &[usize]| arrows.len() == 1 && !crosses_a_node(scene, first, second);
        let taken = scene.arrows.iter().any(|arrow| {
            let ends = (arrow.source.min(arrow.target), arrow.source.max(arrow.target));
            ends == (first, second) && !arrow.at.nails.is_empty()
        });
        if straight(&arrows) && !taken {
            continue;
        }
        let n = f64::from(u32::try_from(arrows.len()).unwrap_or(1));
        for (number, arrow) in (0u32..).zip(&arrows) {
            let place = f64::from(number) - (n - 1.0) / 2.0;
            let out = 64.0 * if arrows.len() == 1 { 1.0 } else { place };
            // The curve is on the same side for both directions of the edge.
            let (from, to) = (scene.nodes[first].centre, scene.nodes[second].centre);
            let mut way = bent(from, to, out);
            if scene.arrows[*arrow].source != first {
                way.reverse();
            }
            ways[*arrow] = clipped(way);
        }
    }
    for (at, first) in joined.into_iter().enumerate() {
        ways[at] = ways[first].clone();
    }
    ways
}

/// Whether another location lies on the straight line between two.
fn crosses_a_node(scene: &Scene, first: usize, second: usize) -> bool {
    let (a, b) = (scene.nodes[first].centre, scene.nodes[second].centre);
    let others = scene
        .nodes
        .iter()
        .enumerate()
        .filter(|(at, _)| *at != first && *at != second);
    let near = |centre: Point| {
        let length = distance(a, b).max(1.0);
        let along = direction(a, b);
        let part = ((centre.0 - a.0) * along.0 + (centre.1 - a.1) * along.1) / length;
        (0.0..1.0).contains(&part) && distance(centre, between(a, b, part)) < RADIUS + 6.0
    };
    others.into_iter().any(|(_, node)| near(node.centre))
}

/// A curve from `a` to `b`, with its middle `out` beside the straight line.
fn bent(a: Point, b: Point, out: f64) -> EdgeRoute {
    let along = direction(a, b);
    let middle = between(a, b, 0.5);
    // Twice as far: the curve goes half way to its control point.
    let control = (middle.0 - along.1 * out * 2.0, middle.1 + along.0 * out * 2.0);
    let point = |step: u32| {
        let part = f64::from(step) / f64::from(STEPS);
        between(between(a, control, part), between(control, b, part), part)
    };
    (0..=STEPS).map(point).collect()
}

/// The way along these points, with a curve in place of each corner.
fn rounded(points: &[Point]) -> EdgeRoute {
    let Some((first, last)) = points.first().zip(points.last()) else {
        return EdgeRoute::new();
    };
    let mut way = vec![*first];
    for corner in points.windows(3) {
        let (from, to) = (between(corner[0], corner[1], 0.5), between(corner[1], corner[2], 0.5));
        let point = |step: u32| {
            let part = f64::from(step) / f64::from(STEPS);
            between(between(from, corner[1], part), between(corner[1], to, part), part)
        };
        way.extend((0..=STEPS).map(point));
    }
    way.push(*last);
    way
}

/// A loop at a location, on the side where the least is drawn already.
fn self_loop(scene: &Scene, node: usize, number: usize, ways: &[EdgeRoute]) -> EdgeRoute {
    let centre = scene.nodes[node].centre;
    let size = 46.0;
    let names: Vec<Rect> = scene.nodes.iter().filter_map(PlacedLocation::kept_name).collect();
    let free = |angle: f64| {
        let out = (angle.cos(), angle.sin());
        let tip = (centre.0 + out.0 * size, centre.1 + out.1 * size);
        let area = Rect::around(tip, 34.0);
        let crossing = ways.iter().flatten().filter(|point| area.contains(**point)).count();
        let straight = scene.arrows.iter().filter(|arrow| arrow.source != arrow.target);
        let leaving = straight
            .filter(|arrow| arrow.source == node || arrow.target == node)
            .filter(|arrow| {
                let other = if arrow.source == node {
                    arrow.target
                } else {
                    arrow.source
                };
                let towards = direction(centre, scene.nodes[other].centre);
                towards.0 * out.0 + towards.1 * out.1 > 0.7
            });
        let hidden = names.iter().filter(|name| name.overlap(&area) > 0.0).count();
        crossing * 2 + leaving.count() * 10 + hidden * 15
    };
    // Above first, then clockwise.
    let angles = (0..8u32).map(|eighth| (f64::from(eighth) * 45.0 - 90.0).to_radians());
    let mut ranked: Vec<(usize, f64)> = angles.map(|angle| (free(angle), angle)).collect();
    ranked.sort_by_key(|(taken, _)| *taken);
    let angle = ranked[number % ranked.len()].1;
    let tip = (centre.0 + angle.cos() * size, centre.1 + angle.sin() * size);
    clipped(loop_towards(centre, tip))
}

/// A loop from `centre` to `tip` and back.
fn loop_towards(centre: Point, tip: Point) -> EdgeRoute {
    let out = direction(centre, tip);
    // At the middle of the curve, three quarters of the way to its controls.
    let size = distance(centre, tip) * 4.0 / 3.0;
    let control = |side: f64| {
        let along = (out.0 - out.1 * side, out.1 + out.0 * side);
        (centre.0 + along.0 * size, centre.1 + along.1 * size)
    };
    let controls = [control(-0.6), control(0.6)];
    let point = |step: u32| {
        let part = f64::from(step) / f64::from(2 * STEPS);
        let [a, b] = [between(centre, controls[0], part), between(controls[1], centre, part)];
        let middle = between(controls[0], controls[1], part);
        between(between(a, middle, part), between(middle, b, part), part)
    };
    (0..=2 * STEPS).map(point).collect()
}

/// The part of the way outside of the locations at its ends.
fn clipped(mut way: EdgeRoute) -> EdgeRoute {
    for _ in 0..2 {
        let centre = way[0];
        while way.len() > 2 && distance(way[1], centre) < RADIUS {
            way.remove(0);
        }
        let towards = direction(centre, way[1]);
        way[0] = (centre.0 + towards.0 * RADIUS, centre.1 + towards.1 * RADIUS);
        way.reverse();
    }
    way
}

/// The point at a part of the way, from 0 to 1, and the direction there.
pub(super) fn along(way: &EdgeRoute, part: f64) -> (Point, Point) {
    let lengths: Vec<f64> = way.windows(2).map(|pair| distance(pair[0], pair[1])).collect();
    let mut left = lengths.iter().sum::<f64>() * part;
    for (pair, length) in way.windows(2).zip(&lengths) {
        if left <= *length && *length > 0.0 {
            return (between(pair[0], pair[1], left / length), direction(pair[0], pair[1]));
        }
        left -= length;
    }
    let last = way.len() - 1;
    (way[last], direction(way[last - 1], way[last]))
}
