//! The parts of a process that mutations have left, and where they stand in it.

use tamper_text::Id;
use tamper_timed::model::{Automaton, EdgeId, LocId};
use tamper_timed::mutation::{Alteration, Mutation, Site};
use tamper_timed::network;

/// The parts of a process that mutations have left, by their positions there: a removed part stays in the process,
/// where no positions change, but is hidden from the operators.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RemainingParts {
    pub locations: Vec<usize>,
    pub edges: Vec<usize>,
    /// Number of locations of the process, including removed ones.
    n_locations: usize,
    /// Number of edges of the process, including removed ones.
    n_edges: usize,
}

impl RemainingParts {
    /// All parts of `process`.
    pub fn all(process: &network::Process) -> Self {
        Self {
            locations: (0..process.locations.len()).collect(),
            edges: (0..process.edges.len()).collect(),
            n_locations: process.locations.len(),
            n_edges: process.edges.len(),
        }
    }

    /// The same parts in a second copy of the process, whose parts come behind all others.
    pub fn in_copy(&self) -> Self {
        let behind = |parts: &[usize], n: usize| parts.iter().map(|at| at + n).collect();
        Self {
            locations: behind(&self.locations, self.n_locations),
            edges: behind(&self.edges, self.n_edges),
            n_locations: 2 * self.n_locations,
            n_edges: 2 * self.n_edges,
        }
    }

    /// The parts left after `mutation`; `automaton` is the view before it.
    pub fn after(&self, mutation: &Mutation, automaton: &Automaton) -> Self {
        let mut left = self.clone();
        match *mutation {
            Mutation::RemoveEdge { edge } => {
                left.edges.remove(edge.index());
            }
            Mutation::RemoveLocation { location } => {
                left.locations.remove(location.index());
                left.edges = kept(&self.edges, |edge| !touches(automaton, edge, location));
            }
            Mutation::AddEdge { .. } => {
                left.edges.push(self.n_edges);
                left.n_edges += 1;
            }
            Mutation::LargerConstant { .. } | Mutation::SmallerConstant { .. } | Mutation::NegateGuard { .. } => {}
            Mutation::Alter { alteration, .. } => {
                if let Alteration::OldTimer { .. } = alteration {
                    left.edges.push(self.n_edges);
                    left.n_edges += 1;
                }
            }
            Mutation::Again(memory) => {
                let copy = self.in_copy().after(&memory.once(), automaton);
                left.locations.extend(copy.locations);
                left.edges.extend(copy.edges);
                (left.n_locations, left.n_edges) = (copy.n_locations, copy.n_edges);
            }
        }
        left
    }

    /// Position in the process of a location of the view.
    pub fn location(&self, location: LocId) -> usize {
        self.locations[location.index()]
    }

    /// Position in the process of an edge of the view.
    pub fn edge(&self, edge: EdgeId) -> usize {
        self.edges[edge.index()]
    }

    /// The mutation by positions in the process. Alterations by operators beyond the six, and mutations with memory, are returned
    /// unchanged.
    pub fn in_process(&self, mutation: &Mutation) -> Mutation {
        let in_edge = |edge: EdgeId| EdgeId::from_index(self.edge(edge));
        let in_location = |location: LocId| LocId::from_index(self.location(location));
        let in_site = |site: Site| match site {
            Site::Guard(edge) => Site::Guard(in_edge(edge)),
            Site::Invariant(location) => Site::Invariant(in_location(location)),
        };
        let mut moved = *mutation;
        match &mut moved {
            Mutation::RemoveEdge { edge } | Mutation::NegateGuard { edge, .. } => *edge = in_edge(*edge),
            Mutation::AddEdge {
                source, target, cloned, ..
            } => (*source, *target, *cloned) = (in_location(*source), in_location(*target), cloned.map(in_edge)),
            Mutation::RemoveLocation { location } => *location = in_location(*location),
            Mutation::LargerConstant { site, .. } | Mutation::SmallerConstant { site, .. } => *site = in_site(*site),
            Mutation::Alter { .. } | Mutation::Again(_) => {}
        }
        moved
    }
}

/// The elements of `parts` whose positions satisfy `is_kept`.
pub(super) fn kept<T: Clone>(parts: &[T], is_kept: impl Fn(usize) -> bool) -> Vec<T> {
    let parts = parts.iter().enumerate().filter(|(at, _)| is_kept(*at));
    parts.map(|(_, part)| part.clone()).collect()
}

pub(super) fn touches(automaton: &Automaton, edge: usize, location: LocId) -> bool {
    let edge = &automaton.edges()[EdgeId::from_index(edge)];
    edge.source == location || edge.target == location
}
