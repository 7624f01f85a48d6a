//! The way from a sequence of mutations to its product: the target of each mutation, in terms of the base automaton.

use std::sync::Arc;

use super::key::{AddedEdgeKey, AtomChanges, ClonedContent, EdgeRef, MutationKey, SiteRef};
use crate::model::{Automaton, EdgeId, LocId};
use crate::mutation::{Mutation, Operator, Site};
use tamper_text::{Id, IndexVec};

/// The origin of every part of a mutant in the base automaton.
#[derive(Clone, Debug)]
pub struct Tracker {
    locations: IndexVec<LocId, (LocId, AtomChanges)>,
    edges: IndexVec<EdgeId, TrackedEdge>,
    added: Vec<Arc<AddedEdgeKey>>,
}

#[derive(Clone, Debug)]
struct TrackedEdge {
    ends: [LocId; 2],
    origin: EdgeRef,
    changes: AtomChanges,
}

impl Tracker {
    pub fn new(base: &Automaton) -> Self {
        let edges = base.edges().iter_enumerated().map(|(id, edge)| TrackedEdge {
            ends: [edge.source, edge.target],
            origin: EdgeRef::Base(id),
            changes: AtomChanges::new(),
        });
        Self {
            locations: base.locations().ids().map(|id| (id, AtomChanges::new())).collect(),
            edges: edges.collect(),
            added: Vec::new(),
        }
    }

    /// The key of `mutation`, which is made for the mutant tracked so far; the tracked mutant changes accordingly. `None`
    /// if no key describes the mutation: a clone of an added edge that was changed since, or an operator beyond the six.
    pub fn apply(&mut self, mutation: &Mutation) -> Option<MutationKey> {
        match *mutation {
            Mutation::RemoveEdge { edge } => Some(MutationKey::RemoveEdge(self.edges.remove(edge).origin)),
            Mutation::RemoveLocation { location } => {
                let key = MutationKey::RemoveLocation(self.locations[location].0);
                self.remove_location(location);
                Some(key)
            }
            Mutation::AddEdge {
                source,
                target,
                role,
                cloned,
            } => {
                let content = self.content(cloned)?;
                let [from, to] = [source, target].map(|end| self.locations[end].0);
                let mut added = AddedEdgeKey {
                    source: from,
                    target: to,
                    role,
                    content,
                    copy: 1,
                };
                while self.added.iter().any(|other| **other == added) {
                    added.copy += 1;
                }
                let added = Arc::new(added);
                self.added.push(Arc::clone(&added));
                self.edges.push(TrackedEdge {
                    ends: [source, target],
                    origin: EdgeRef::Added(Arc::clone(&added)),
                    changes: AtomChanges::new(),
                });
                Some(MutationKey::AddEdge(added))
            }
            Mutation::Alter { .. } | Mutation::Again(_) => None,
            Mutation::LargerConstant { site, atom, .. } => Some(self.change(site, atom, Operator::Cxl)),
            Mutation::SmallerConstant { site, atom, .. } => Some(self.change(site, atom, Operator::Cxs)),
            Mutation::NegateGuard { edge, atom, .. } => Some(self.change(Site::Guard(edge), atom, Operator::Ccn)),
        }
    }

    fn content(&self, cloned: Option<EdgeId>) -> Option<ClonedContent> {
        let Some(cloned) = cloned else {
            return Some(ClonedContent {
                edge: None,
                changes: AtomChanges::new(),
            });
        };
        let edge = &self.edges[cloned];
        match &edge.origin {
            EdgeRef::Base(id) => Some(ClonedContent {
                edge: Some(*id),
                changes: edge.changes.clone(),
            }),
            EdgeRef::Added(added) => edge.changes.is_empty().then(|| added.content.clone()),
        }
    }

    fn change(&mut self, site: Site, atom: u32, operator: Operator) -> MutationKey {
        let (changes, site) = match site {
            Site::Guard(edge) => {
                let edge = &mut self.edges[edge];
                (&mut edge.changes, SiteRef::Guard(edge.origin.clone()))
            }
            Site::Invariant(location) => {
                let (id, changes) = &mut self.locations[location];
                (changes, SiteRef::Invariant(*id))
            }
        };
        let path = changes.entry(atom).or_default();
        path.push(operator);
        MutationKey::Change {
            site,
            atom,
            path: path.clone(),
        }
    }

    fn remove_location(&mut self, location: LocId) {
        self.locations.remove(location);
        self.edges.retain(|edge| !edge.ends.contains(&location));
        let moved = |end: LocId| {
            if end > location {
                LocId::from_index(end.index() - 1)
            } else {
                end
            }
        };
        self.edges = self
            .edges
            .iter()
            .map(|edge| TrackedEdge {
                ends: edge.ends.map(moved),
                ..edge.clone()
            })
            .collect();
    }
}
