//! The second mutation of a sequence as a mutation of the original.

use super::{Mutation, Site};
use crate::model::{Automaton, EdgeId, LocId, SimpleConstraint};
use tamper_text::Id;

impl Mutation {
    /// This mutation, of the mutant that `earlier` makes of `original`, as a mutation of `original` itself: the same
    /// operator at the same place, with the same change of a constant. `None` if `earlier` added the place, if the original
    /// has no corresponding mutation (a constant below 0, a negated equality), or if one of them is of an operator beyond
    /// the six.
    pub fn on_original(&self, earlier: &Self, original: &Automaton) -> Option<Self> {
        if matches!(earlier, Self::Alter { .. } | Self::Again(_)) {
            return None;
        }
        let place = OriginalIds { earlier, original };
        Some(match *self {
            Self::RemoveEdge { edge } => Self::RemoveEdge {
                edge: place.edge(edge)?,
            },
            Self::RemoveLocation { location } => Self::RemoveLocation {
                location: place.location(location),
            },
            Self::AddEdge {
                source,
                target,
                role,
                cloned,
            } => Self::AddEdge {
                source: place.location(source),
                target: place.location(target),
                role,
                cloned: cloned.and(original.edges().ids().next()),
            },
            Self::LargerConstant { site, atom, old, new } => {
                let (site, old, new) = place.shifted(site, atom, new.constant - old.constant)?;
                Self::LargerConstant { site, atom, old, new }
            }
            Self::SmallerConstant { site, atom, old, new } => {
                let (site, old, new) = place.shifted(site, atom, new.constant - old.constant)?;
                Self::SmallerConstant { site, atom, old, new }
            }
            Self::NegateGuard { edge, atom, .. } => {
                let (Site::Guard(edge), old, _) = place.shifted(Site::Guard(edge), atom, 0)? else {
                    return None;
                };
                let cmp = old.cmp.negated()?;
                let new = SimpleConstraint { cmp, ..old };
                Self::NegateGuard { edge, atom, old, new }
            }
            Self::Alter { .. } | Self::Again(_) => return None,
        })
    }
}

/// Maps ids of a mutant to ids of the original.
struct OriginalIds<'a> {
    earlier: &'a Mutation,
    original: &'a Automaton,
}

impl OriginalIds<'_> {
    fn location(&self, id: LocId) -> LocId {
        match *self.earlier {
            Mutation::RemoveLocation { location } if id >= location => LocId::from_index(id.index() + 1),
            _ => id,
        }
    }

    fn edge(&self, id: EdgeId) -> Option<EdgeId> {
        let edges = self.original.edges();
        match *self.earlier {
            Mutation::RemoveEdge { edge } if id >= edge => Some(EdgeId::from_index(id.index() + 1)),
            Mutation::RemoveLocation { location } => {
                let mut kept = edges
                    .iter_enumerated()
                    .filter(|(_, edge)| edge.source != location && edge.target != location);
                kept.nth(id.index()).map(|(id, _)| id)
            }
            _ => (id.index() < edges.len()).then_some(id),
        }
    }

    fn shifted(&self, site: Site, atom: u32, by: i64) -> Option<(Site, SimpleConstraint, SimpleConstraint)> {
        let (site, guard) = match site {
            Site::Guard(edge) => {
                let edge = self.edge(edge)?;
                (Site::Guard(edge), &self.original.edges()[edge].guard)
            }
            Site::Invariant(location) => {
                let location = self.location(location);
                (
                    Site::Invariant(location),
                    &self.original.locations()[location].invariant,
                )
            }
        };
        let constraint = guard.clocks.get(atom as usize)?;
        let old = SimpleConstraint {
            clock: constraint.left,
            cmp: constraint.cmp,
            constant: constraint.bound.as_const()?,
        };
        let constant = old.constant.checked_add(by).filter(|constant| *constant >= 0)?;
        let new = SimpleConstraint { constant, ..old };
        (constraint.right.is_none()).then_some((site, old, new))
    }
}
