//! States that runs reach, none of which simulates another, and the runs.

use rustc_hash::FxHashMap;
use tamper_zones::Dbm;

/// A step of a run: the node that it leaves, and its number there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RunStep {
    pub node: usize,
    pub at: usize,
}

/// A state, and the state and step that led there.
pub(super) struct Entry {
    pub node: usize,
    pub zone: Dbm,
    by: Option<(usize, usize)>,
    /// Whether a later one simulates it.
    pub is_covered: bool,
}

/// The states that were reached, in the order in which they were found.
#[derive(Default)]
pub(super) struct Reached {
    pub entries: Vec<Entry>,
    /// Per node, its entries that no other one simulates.
    of_nodes: FxHashMap<usize, Vec<usize>>,
}

impl Reached {
    /// The zones of the node.
    pub fn zones(&self, node: usize) -> impl Iterator<Item = &Dbm> {
        let known = self.of_nodes.get(&node).into_iter().flatten();
        known.map(|at| &self.entries[*at].zone)
    }

    /// Adds a state unless a known one simulates it under these constants. Returns whether it does not.
    pub fn add(
        &mut self,
        node: usize,
        zone: Dbm,
        by: Option<(usize, usize)>,
        (lower, upper): (&[i64], &[i64]),
    ) -> bool {
        if self.zones(node).any(|other| zone.is_simulated_in(other, lower, upper)) {
            return false;
        }
        let (entries, known) = (&mut self.entries, self.of_nodes.entry(node).or_default());
        known.retain(|at| {
            entries[*at].is_covered = entries[*at].zone.is_simulated_in(&zone, lower, upper);
            !entries[*at].is_covered
        });
        known.push(entries.len());
        entries.push(Entry {
            node,
            zone,
            by,
            is_covered: false,
        });
        true
    }

    /// The steps to an entry.
    pub fn steps_to(&self, mut entry: usize) -> Vec<RunStep> {
        let mut steps = Vec::new();
        while let Some((before, at)) = self.entries[entry].by {
            entry = before;
            let node = self.entries[entry].node;
            steps.push(RunStep { node, at });
        }
        steps.reverse();
        steps
    }
}
