//! The possible contents of an added edge: a clone of the first edge that is left after some mutations.

use std::collections::BTreeSet;

use super::key::{AtomChanges, ClonedContent};
use super::states::{ConjunctionKind, atom_states, guard_states};
use crate::model::{Automaton, EdgeId, Guard, LocId};
use crate::mutation::{MutationOptions, Operator, TadGuard};
use tamper_text::Id;

/// A content, and the least number of mutations that leads to it.
#[derive(Clone, Debug)]
pub struct Reachable {
    pub content: ClonedContent,
    pub guard: Guard,
    /// Mutations before the edge is added.
    pub cost: usize,
}

/// A mutation that removes an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Remover {
    /// TMI of the edge.
    Edge(EdgeId),
    /// SMI of one of its ends.
    Location(LocId),
}

/// The ways in which the edges of an automaton can be removed.
#[derive(Clone, Copy, Debug)]
pub struct Removals<'a> {
    pub base: &'a Automaton,
    pub options: &'a MutationOptions,
}

impl Removals<'_> {
    fn uses(&self, operator: Operator) -> bool {
        self.options.operators.contains(&operator)
    }

    /// The mutations that remove `edge` while the locations `kept` stay.
    pub fn removers(&self, edge: EdgeId, kept: &BTreeSet<LocId>) -> Vec<Remover> {
        let ends = &self.base.edges()[edge];
        let mut removers = Vec::new();
        if self.uses(Operator::Tmi) {
            removers.push(Remover::Edge(edge));
        }
        if self.uses(Operator::Smi) {
            let locations = BTreeSet::from([ends.source, ends.target]);
            let removable = locations
                .into_iter()
                .filter(|end| *end != self.base.initial() && !kept.contains(end));
            removers.extend(removable.map(Remover::Location));
        }
        removers
    }

    /// The edges that must be removed before `edge` is the first (all edges, if none is to be left).
    pub fn before(&self, edge: Option<EdgeId>) -> impl Iterator<Item = EdgeId> + use<> {
        let none_needed = self.options.tad_guard == TadGuard::None;
        let n_before = edge.map_or(self.base.edges().len(), Id::index);
        (0..if none_needed { 0 } else { n_before }).map(EdgeId::from_index)
    }

    /// The locations that must exist when `edge` is cloned for a new edge between `ends`.
    pub fn kept(&self, edge: Option<EdgeId>, ends: [LocId; 2]) -> BTreeSet<LocId> {
        let cloned = edge.map(|edge| &self.base.edges()[edge]);
        let cloned_ends = cloned.into_iter().flat_map(|edge| [edge.source, edge.target]);
        ends.into_iter().chain(cloned_ends).collect()
    }

    /// The fewest mutations after which `edge` is the first and the locations `kept` exist; `None` if more than `budget`
    /// are needed. Exponential in `budget`, which is at most two.
    fn cost(&self, edge: Option<EdgeId>, kept: &BTreeSet<LocId>, budget: usize) -> Option<usize> {
        let mut gone = Vec::new();
        self.cost_after(edge, kept, budget, &mut gone)
    }

    fn cost_after(
        &self,
        edge: Option<EdgeId>,
        kept: &BTreeSet<LocId>,
        budget: usize,
        gone: &mut Vec<Remover>,
    ) -> Option<usize> {
        let is_gone = |edge: &EdgeId| {
            let ends = &self.base.edges()[*edge];
            gone.iter().any(|remover| match remover {
                Remover::Edge(removed) => removed == edge,
                Remover::Location(location) => *location == ends.source || *location == ends.target,
            })
        };
        let Some(next) = self.before(edge).find(|edge| !is_gone(edge)) else {
            return Some(0);
        };
        let budget = budget.checked_sub(1)?;
        let removers = self.removers(next, kept);
        let costs = removers.into_iter().filter_map(|remover| {
            gone.push(remover);
            let cost = self.cost_after(edge, kept, budget, gone);
            gone.pop();
            cost.map(|cost| cost + 1)
        });
        costs.min()
    }

    /// Every content that an edge added between `ends` can clone after at most `budget` mutations, in the order of the
    /// edges; for each edge, all its possible changes.
    pub fn contents(&self, ends: [LocId; 2], budget: usize) -> Vec<Reachable> {
        let mut contents = Vec::new();
        if self.options.tad_guard == TadGuard::FirstEdge {
            for (id, edge) in self.base.edges().iter_enumerated() {
                // If removing the edges before this one takes too many mutations, so it does for later edges.
                if self.cost(Some(id), &self.kept(None, ends), budget).is_none() {
                    break;
                }
                let Some(cost) = self.cost(Some(id), &self.kept(Some(id), ends), budget) else {
                    continue;
                };
                let states = atom_states(&edge.guard, ConjunctionKind::Guard, self.options, budget - cost);
                for (guard, changes) in guard_states(&edge.guard, &states, budget - cost) {
                    let n_changes: usize = changes.values().map(Vec::len).sum();
                    contents.push(Reachable {
                        content: ClonedContent {
                            edge: Some(id),
                            changes,
                        },
                        guard,
                        cost: cost + n_changes,
                    });
                }
            }
        }
        if let Some(cost) = self.cost(None, &self.kept(None, ends), budget) {
            contents.push(Reachable {
                content: ClonedContent {
                    edge: None,
                    changes: AtomChanges::new(),
                },
                guard: Guard::always(),
                cost,
            });
        }
        contents
    }
}
