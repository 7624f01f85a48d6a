//! The identity of a mutation feature, independent of the order in which mutations are applied.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::{EdgeId, LocId, Role};
use crate::mutation::Operator;

/// The changes of clock atoms by their position: the sequence of CXL, CXS, CCN applied to each. Without empty entries.
pub type AtomChanges = BTreeMap<u32, Vec<Operator>>;

/// The content that an added edge clones.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClonedContent {
    /// The edge of the base automaton; `None` if there was no edge to clone (or TAD is to add plain edges).
    pub edge: Option<EdgeId>,
    /// The changes of that edge when it was cloned.
    pub changes: AtomChanges,
}

/// An edge that TAD adds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AddedEdgeKey {
    /// Its source, in the base automaton.
    pub source: LocId,
    /// The location that the edge enters.
    pub target: LocId,
    /// Whether its action is an input or an output.
    pub role: Role,
    /// The content that it clones.
    pub content: ClonedContent,
    /// 1 for the first added edge of this kind, 2 for another one like it, and so on.
    pub copy: u32,
}

/// An edge of the base automaton or an added one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeRef {
    /// An edge of the base automaton.
    Base(EdgeId),
    /// An edge that a mutation added.
    Added(Arc<AddedEdgeKey>),
}

/// The place of a changed constraint.
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
    AddEdge(Arc<AddedEdgeKey>),
    /// SMI, state missing: removes the location.
    RemoveLocation(LocId),
    /// The last of some CXL, CXS and CCN of one clock atom.
    Change {
        /// The guard or invariant that holds the constraint.
        site: SiteRef,
        /// The position of the constraint there.
        atom: u32,
        /// All changes of the atom up to and including this one; not empty.
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
    /// The mutation and the thing that it is applied to.
    pub key: MutationKey,
    /// For a mutation of the automaton itself its [id](crate::mutation::Mutation::id); for other mutations the ids of the
    /// things that they are applied to, and their own id, joined by `;`. Unique.
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
