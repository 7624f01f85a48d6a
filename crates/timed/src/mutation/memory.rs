//! Mutations with memory: a change that holds only after its place was passed once.
//!
//! Programs get much wrong only the second time: a timer that is set again is not cancelled, and the old deadline comes. A
//! mutant of the first order shows such a fault in the first round, where a test that looks for the second one never comes.
//! Source: none of the papers; `docs/notes/0023-memory.md` has the meaning, and what holds of the guidelines.

use super::{AlteredPart, ConstraintChange, MemoryMutation, Mutation, Operator, Site};
use crate::model::{Automaton, EdgeId, LocId};

impl Operator {
    /// The operators whose mutations with memory are worth a test of a program: a timer that is not set again, or whose old time-out
    /// still comes.
    pub const SECOND_TIME: [Self; 2] = [Self::Rrs, Self::Otm];

    /// Whether its mutations have a place that a run can pass: an added edge, a removed location, a channel and a chart have none.
    pub fn has_memory(self) -> bool {
        !matches!(self, Self::Tad | Self::Smi | Self::Chu) && !Self::CHART.contains(&self)
    }
}

impl Mutation {
    /// The same change, without memory if it has one.
    #[must_use]
    pub fn once(&self) -> Self {
        match self {
            Self::Again(memory) => memory.once(),
            _ => *self,
        }
    }

    /// The part of the automaton that the mutation changes; `None` if it adds one.
    pub fn part(&self) -> Option<AlteredPart> {
        match self.once() {
            Self::AddEdge { .. } => None,
            Self::RemoveEdge { edge } => Some(AlteredPart::Edge(edge)),
            Self::RemoveLocation { location } => Some(AlteredPart::Location(location)),
            Self::Alter { alteration, .. } => Some(alteration.part()),
            changed => changed.constraint().map(|change| AlteredPart::Constraint(change.site)),
        }
    }
}

impl MemoryMutation {
    /// `mutation` with memory; `None` if it has no place that a run can pass, or has memory already.
    pub fn of(mutation: Mutation) -> Option<Self> {
        match mutation {
            _ if !mutation.operator().has_memory() => None,
            Mutation::RemoveEdge { edge } => Some(Self::RemoveEdge(edge)),
            Mutation::Alter { operator, alteration } => Some(Self::Alter(operator, alteration)),
            _ => Some(Self::Constraint(mutation.operator(), mutation.constraint()?)),
        }
    }

    /// The same change without memory.
    pub fn once(&self) -> Mutation {
        match *self {
            Self::RemoveEdge(edge) => Mutation::RemoveEdge { edge },
            Self::Alter(operator, alteration) => Mutation::Alter { operator, alteration },
            Self::Constraint(operator, ConstraintChange { site, atom, old, new }) => match (operator, site) {
                (Operator::Ccn, Site::Guard(edge)) => Mutation::NegateGuard { edge, atom, old, new },
                (Operator::Cxs, _) => Mutation::SmallerConstant { site, atom, old, new },
                _ => Mutation::LargerConstant { site, atom, old, new },
            },
        }
    }

    /// The operator of the change.
    pub fn operator(&self) -> Operator {
        match *self {
            Self::RemoveEdge(_) => Operator::Tmi,
            Self::Constraint(operator, _) | Self::Alter(operator, _) => operator,
        }
    }

    /// The part that a run passes.
    pub fn part(&self) -> AlteredPart {
        self.once().part().expect("an added edge has no memory")
    }

    /// The edges of `automaton` by which a run passes the part.
    pub fn passing(&self, automaton: &Automaton) -> Vec<EdgeId> {
        let leaving = |location: LocId| {
            let edges = automaton.edges().iter_enumerated();
            let leaving = edges.filter(|(_, edge)| edge.source == location);
            leaving.map(|(id, _)| id).collect()
        };
        match self.part() {
            AlteredPart::Edge(edge) | AlteredPart::Constraint(Site::Guard(edge)) => vec![edge],
            AlteredPart::Location(location) | AlteredPart::Constraint(Site::Invariant(location)) => leaving(location),
            AlteredPart::Action(_) | AlteredPart::Whole => Vec::new(),
        }
    }

    /// The mutant of `automaton`.
    pub(super) fn apply(&self, automaton: &Automaton) -> Automaton {
        automaton.continued_as(&self.once().apply(automaton), &self.passing(automaton))
    }

    /// The time from which the change holds, for a reader.
    pub(super) fn since(&self) -> &'static str {
        match self.part() {
            AlteredPart::Location(_) | AlteredPart::Constraint(Site::Invariant(_)) => "once it has been left",
            _ => "once it has been taken",
        }
    }
}
