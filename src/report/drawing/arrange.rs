//! Places for the locations of a game that has none: layers by the distance from the initial location, from left to
//! right, each ordered by where its neighbours in the layer before are.

use std::collections::VecDeque;

use crate::formats::Point;
use crate::model::{Automaton, LocId};
use crate::text::{Id, IndexVec};

/// Between layers, and between the locations of one.
const STEP: Point = (230.0, 150.0);

/// A place for each location.
pub(super) fn arrange(automaton: &Automaton) -> IndexVec<LocId, Point> {
    let depth = depths(automaton);
    let n_layers = depth.iter().max().map_or(0, |most| most + 1);
    let mut layers: Vec<Vec<LocId>> = vec![Vec::new(); n_layers];
    for (id, depth) in depth.iter_enumerated() {
        layers[*depth].push(id);
    }
    let mut rank: IndexVec<LocId, f64> = depth.iter().map(|_| 0.0).collect();
    for layer in &mut layers {
        let neighbours = |id: LocId| {
            let ends = automaton
                .edges()
                .iter()
                .filter_map(|edge| match (edge.source == id, edge.target == id) {
                    (true, false) => Some(edge.target),
                    (false, true) => Some(edge.source),
                    _ => None,
                });
            let ranks: Vec<f64> = ends
                .filter(|end| depth[*end] < depth[id])
                .map(|end| rank[end])
                .collect();
            let n = u32::try_from(ranks.len()).unwrap_or(1).max(1);
            ranks.iter().sum::<f64>() / f64::from(n)
        };
        let mut order: Vec<(f64, LocId)> = layer.iter().map(|id| (neighbours(*id), *id)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        *layer = order.into_iter().map(|(_, id)| id).collect();
        let middle = (count(layer.len()) - 1.0) / 2.0;
        for (position, id) in layer.iter().enumerate() {
            rank[*id] = count(position) - middle;
        }
    }
    depth
        .iter_enumerated()
        .map(|(id, depth)| {
            // Every second layer a little lower, so that edges across a layer do not run through its locations.
            let lower = if depth % 2 == 1 { 0.25 } else { 0.0 };
            (count(*depth) * STEP.0, (rank[id] + lower) * STEP.1)
        })
        .collect()
}

fn count(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

/// The fewest edges from the initial location; what is not reached comes last.
fn depths(automaton: &Automaton) -> IndexVec<LocId, usize> {
    let n = automaton.locations().len();
    let mut depth: Vec<Option<usize>> = vec![None; n];
    let mut queue = VecDeque::from([(automaton.initial(), 0)]);
    while let Some((id, distance)) = queue.pop_front() {
        if depth[id.index()].is_none() {
            depth[id.index()] = Some(distance);
            let next = automaton.edges().iter().filter(|edge| edge.source == id);
            queue.extend(next.map(|edge| (edge.target, distance + 1)));
        }
    }
    let last = depth.iter().flatten().max().map_or(0, |most| most + 1);
    depth.into_iter().map(|depth| depth.unwrap_or(last)).collect()
}
