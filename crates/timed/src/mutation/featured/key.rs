//! What a mutation feature is, independent of the order in which mutations are applied.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::{EdgeId, LocId, Role};
use crate::mutation::Operator;

/// The changes of clock atoms by their position: which of CXL, CXS, CCN were applied, in order. No empty ones.
pub type Changes = BTreeMap<u32, Vec<Operator>>;

/// What an added edge is a clone of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Content {
    /// The edge of the base automaton; none if there was no edge to clone (or none was asked for).
    pub edge: Option<EdgeId>,
    /// How that edge was changed when it was cloned.
    pub changes: Changes,
}

/// An edge that TAD adds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AddedEdge {
    /// Where it starts, in the base automaton.
    pub source: LocId,
    /// The location that the edge enters.
    pub target: LocId,
    /// Whether its action is an input or an output.
    pub role: Role,
    /// What it is a clone of.
    pub content: Content,
    /// 1 for the first such edge, 2 for another one like it, and so on.
    pub copy: u32,
}

/// An edge of the base automaton or an added one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeRef {
    /// An edge of the base automaton.
    Base(EdgeId),
    /// An edge that a mutation added.
    Added(Arc<AddedEdge>),
}

/// Where a changed constraint stands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SiteRef {
    /// In the guard of an edge.
    Guard(EdgeRef),
    /// In the invariant of a location of the base automaton.
    Invariant(LocId),
}

/// A mutation by its content, which its feature stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MutationKey {
    /// TMI, transition missing: removes the edge.
    RemoveEdge(EdgeRef),
    /// TAD, transition add: adds the edge.
    AddEdge(Arc<AddedEdge>),
    /// SMI, state missing: removes the location.
    RemoveLocation(LocId),
    /// The last of some CXL, CXS and CCN of one clock atom.
    Change {
        /// The guard or invariant that holds the constraint.
        site: SiteRef,
        /// The position of the constraint there.
        atom: u32,
        /// All changes of the atom up to and with this one; not empty.
        path: Vec<Operator>,
    },
}

impl MutationKey {
    /// The operator it is an instance of.
    pub fn operator(&self) -> Operator {
        match self {
            Self::RemoveEdge(_) => Operator::Tmi,
            Self::AddEdge(_) => Operator::Tad,
            Self::RemoveLocation(_) => Operator::Smi,
            // Paths are not empty.
            Self::Change { path, .. } => path.last().copied().unwrap_or(Operator::Cxl),
        }
    }
}

/// A feature that is a mutation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MutationFeature {
    /// What is mutated, and how.
    pub key: MutationKey,
    /// For a mutation of the automaton itself its [id](crate::mutation::Mutation::id); for others the ids of what they are applied
    /// to and their own, joined by `;`. Unique.
    pub id: String,
    /// The size of the smallest product that has it.
    pub order: usize,
}

impl MutationFeature {
    /// The operator it is an instance of.
    pub fn operator(&self) -> Operator {
        self.key.operator()
    }
}
