//! Changes of a template, applied in sequence: each is about the automaton that the ones before it left.

use super::print::{guard_text, selects_text, updates_text};
use crate::base::Id;
use crate::model::{Automaton, EdgeId, LocId, Role};
use crate::mutation::{Mutation, Site};

/// One change of a template, in the terms of its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Removes the edge; later edges move down by one.
    RemoveEdge(EdgeId),
    /// Removes the location and its edges; later locations and edges move down.
    RemoveLocation(LocId),
    /// Replaces the guard.
    SetGuard(EdgeId, String),
    /// Replaces the invariant.
    SetInvariant(LocId, String),
    /// Adds an edge after the others.
    AddEdge(AddedEdge),
}

/// An edge to add; empty texts give no label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddedEdge {
    /// Where it starts.
    pub source: LocId,
    /// Where it leads.
    pub target: LocId,
    /// The channel.
    pub action: String,
    /// Its direction.
    pub role: Role,
    /// The select label.
    pub select: String,
    /// The guard.
    pub guard: String,
    /// The assignments.
    pub assignment: String,
}

impl Edit {
    /// The edit that does to the template of `automaton` what `mutation` does to `automaton`.
    ///
    /// # Panics
    /// If the mutation was not made for an automaton with these parts.
    pub fn of(mutation: &Mutation, automaton: &Automaton) -> Self {
        let mutant = mutation.apply(automaton);
        let site = match *mutation {
            Mutation::RemoveEdge { edge } => return Self::RemoveEdge(edge),
            Mutation::RemoveLocation { location } => return Self::RemoveLocation(location),
            Mutation::AddEdge { .. } => return added(&mutant),
            Mutation::LargerConstant { site, .. } | Mutation::SmallerConstant { site, .. } => site,
            Mutation::NegateGuard { edge, .. } => Site::Guard(edge),
        };
        match site {
            Site::Guard(id) => {
                let edge = &mutant.edges()[id];
                Self::SetGuard(id, guard_text(&mutant, &edge.guard, &edge.selects))
            }
            Site::Invariant(id) => Self::SetInvariant(id, guard_text(&mutant, &mutant.locations()[id].invariant, &[])),
        }
    }
}

/// The edit that adds the last edge of `mutant`.
fn added(mutant: &Automaton) -> Edit {
    let edge = &mutant.edges()[EdgeId::from_index(mutant.edges().len() - 1)];
    let action = &mutant.actions()[edge.action];
    Edit::AddEdge(AddedEdge {
        source: edge.source,
        target: edge.target,
        action: action.name.to_string(),
        role: action.role,
        select: selects_text(&edge.selects),
        guard: guard_text(mutant, &edge.guard, &edge.selects),
        assignment: updates_text(mutant, &edge.updates, &edge.selects),
    })
}

/// A template after some edits, as differences from its text in the file.
#[derive(Clone, Debug)]
pub(super) struct Edited {
    pub locations: Vec<EditedLocation>,
    pub edges: Vec<EditedEdge>,
}

#[derive(Clone, Debug)]
pub(super) struct EditedLocation {
    /// Its position in the file.
    pub origin: LocId,
    pub invariant: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) enum EditedEdge {
    Kept {
        origin: EdgeId,
        source: LocId,
        target: LocId,
        guard: Option<String>,
    },
    /// Its ends are positions in the file.
    Added(AddedEdge),
}

impl EditedEdge {
    fn touches(&self, location: LocId) -> bool {
        let (source, target) = match self {
            Self::Kept { source, target, .. } => (*source, *target),
            Self::Added(edge) => (edge.source, edge.target),
        };
        source == location || target == location
    }
}

impl Edited {
    /// The template of `automaton` as it stands.
    pub(super) fn new(automaton: &Automaton) -> Self {
        let location = |origin| EditedLocation {
            origin,
            invariant: None,
        };
        let edge = |(origin, edge): (EdgeId, &std::sync::Arc<crate::model::Edge>)| EditedEdge::Kept {
            origin,
            source: edge.source,
            target: edge.target,
            guard: None,
        };
        Self {
            locations: automaton.locations().ids().map(location).collect(),
            edges: automaton.edges().iter_enumerated().map(edge).collect(),
        }
    }

    /// Applies `edit`; false if it is about a part that is not there.
    pub(super) fn apply(&mut self, edit: &Edit) -> bool {
        match edit {
            Edit::RemoveEdge(edge) => {
                let known = edge.index() < self.edges.len();
                if known {
                    self.edges.remove(edge.index());
                }
                known
            }
            Edit::RemoveLocation(location) => {
                let Some(origin) = self.origin(*location) else {
                    return false;
                };
                self.locations.remove(location.index());
                self.edges.retain(|edge| !edge.touches(origin));
                true
            }
            Edit::SetGuard(edge, text) => match self.edges.get_mut(edge.index()) {
                Some(EditedEdge::Kept { guard, .. }) => {
                    *guard = Some(text.clone());
                    true
                }
                Some(EditedEdge::Added(edge)) => {
                    edge.guard.clone_from(text);
                    true
                }
                None => false,
            },
            Edit::SetInvariant(location, text) => {
                let found = self.locations.get_mut(location.index());
                found.map(|location| location.invariant = Some(text.clone())).is_some()
            }
            Edit::AddEdge(edge) => {
                let ends = self.origin(edge.source).zip(self.origin(edge.target));
                let Some((source, target)) = ends else {
                    return false;
                };
                self.edges.push(EditedEdge::Added(AddedEdge {
                    source,
                    target,
                    ..edge.clone()
                }));
                true
            }
        }
    }

    fn origin(&self, location: LocId) -> Option<LocId> {
        self.locations.get(location.index()).map(|location| location.origin)
    }
}
