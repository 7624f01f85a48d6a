//! The surroundings of a product: the part of the superposition that it explores, and the properties that other products share with it there.

use std::collections::BTreeSet;

use super::parts::{FamilySets, Set};
use crate::error::SuiteFailure;
use crate::{Subject, Tester};
use tamper_features::{FeatureExpr, Product, ProductSets as _};
use tamper_text::{Budget, StopReason};
use tamper_timed::featured::{Conditions, FeaturedAutomaton};
use tamper_timed::model::{Automaton, EdgeId, LocId, Role};

/// The surroundings of a product that no test kills.
pub(super) struct Around<'d> {
    pub featured: &'d FeaturedAutomaton,
    pub tester: &'d Tester,
    pub product: &'d Product,
    pub budget: &'d Budget,
}

/// The presence of an edge that leaves the explored part, in other products.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EdgePresence {
    Kept,
    Absent,
    Free,
}

impl Around<'_> {
    /// The product under these conditions in place of its family's conditions; `None` if it is not a game.
    pub fn under(&self, conditions: Conditions) -> Option<Automaton> {
        let (whole, model) = (self.featured.automaton(), self.featured.model());
        let other = FeaturedAutomaton::new(whole.clone(), model.clone(), conditions);
        let other = other.expect("the conditions have the superposition's shape");
        other.project(self.product).ok()
    }

    /// The game as a subject; `None` if it has no meaning: it is then no product, so it tells nothing about products.
    pub fn subject(&self, game: Option<Automaton>) -> Result<Option<Subject>, SuiteFailure> {
        match game.map(|game| Subject::new(&game, self.budget)).transpose() {
            Err(SuiteFailure::Game(_)) => Ok(None),
            subject => subject,
        }
    }

    /// The edges of this product.
    pub fn own(&self) -> BTreeSet<EdgeId> {
        let ids = self.featured.automaton().edges().ids();
        ids.filter(|id| self.has(*id)).collect()
    }
    pub fn has(&self, edge: EdgeId) -> bool {
        self.featured.edge_condition(edge).holds(self.product)
    }
    pub fn role(&self, edge: EdgeId) -> Role {
        let automaton = self.featured.automaton();
        automaton.actions()[automaton.edges()[edge].action].role
    }
    /// Whether this product has both ends of the edge.
    pub fn has_ends(&self, edge: EdgeId) -> bool {
        let ends = &self.featured.automaton().edges()[edge];
        let locations = &self.featured.conditions().locations;
        [ends.source, ends.target]
            .iter()
            .all(|end| locations[*end].holds(self.product))
    }
    /// Whether the edge is on an urgent channel: time is stopped where it can be taken.
    pub fn is_urgent(&self, edge: EdgeId) -> bool {
        let automaton = self.featured.automaton();
        automaton.actions()[automaton.edges()[edge].action].urgent
    }
    fn initial(&self) -> LocId {
        let mut initial = self.featured.conditions().initial.iter();
        let own = initial.find(|(when, _)| when.holds(self.product));
        own.map_or(self.featured.automaton().initial(), |(_, location)| *location)
    }
    /// The edges that leave `explored`.
    pub fn leaving<'s>(&'s self, explored: &'s BTreeSet<LocId>) -> impl Iterator<Item = EdgeId> + 's {
        let automaton = self.featured.automaton();
        let ids = automaton.edges().ids();
        ids.filter(move |id| explored.contains(&automaton.edges()[*id].source))
    }

    /// The locations that the mutant with these edges can be in while the specification follows: by labels only, which
    /// overestimates the locations that time allows.
    pub fn explored(&self, edges: &BTreeSet<EdgeId>) -> BTreeSet<LocId> {
        let (right, own) = (self.tester.automaton(), self.featured.automaton());
        let start = (right.initial(), self.initial());
        let (mut known, mut agenda) = (BTreeSet::from([start]), vec![start]);
        while let Some((expected, at)) = agenda.pop() {
            let mut next = Vec::new();
            for edge in edges
                .iter()
                .map(|id| &own.edges()[*id])
                .filter(|edge| edge.source == at)
            {
                let label = own.actions()[edge.action].to_string();
                let follows = right.edges().iter().filter(|other| other.source == expected);
                let follows = follows.filter(|other| right.actions()[other.action].to_string() == label);
                next.extend(follows.map(|other| (other.target, edge.target)));
                // An input that one side ignores.
                if own.is_input_enabled() || right.is_input_enabled() {
                    next.push((expected, edge.target));
                }
            }
            if own.is_input_enabled() || right.is_input_enabled() {
                let alone = right.edges().iter().filter(|other| other.source == expected);
                next.extend(alone.map(|other| (other.target, at)));
            }
            agenda.extend(next.into_iter().filter(|pair| known.insert(*pair)));
        }
        known.into_iter().map(|(_, at)| at).collect()
    }

    /// The products that begin where this one does, have the same invariants and urgency in `explored` and in the locations that
    /// `edges` lead to from there, and have the edges that leave `explored` as `fate` says. Edges with inputs that the
    /// specification does not have are never taken: they matter only on urgent channels.
    pub fn alike(
        &self,
        explored: &BTreeSet<LocId>,
        edges: &BTreeSet<EdgeId>,
        fate: impl Fn(EdgeId) -> EdgePresence,
        parts: &mut FamilySets,
    ) -> Result<Set, StopReason> {
        let automaton = self.featured.automaton();
        let mut fixed = explored.clone();
        let mut alike = parts.sets.all();
        for id in self.leaving(explored) {
            let fate = match self.is_urgent(id) {
                true if self.has(id) => EdgePresence::Kept,
                true => EdgePresence::Absent,
                false if self.role(id) == Role::Input && !self.is_expected(id) => continue,
                false => fate(id),
            };
            if edges.contains(&id) {
                fixed.insert(automaton.edges()[id].target);
            }
            alike = match fate {
                EdgePresence::Kept => parts.sets.and(&alike, &parts.edges[id])?,
                EdgePresence::Absent => parts.sets.minus(&alike, &parts.edges[id])?,
                EdgePresence::Free => alike,
            };
        }
        let mut same: Vec<Set> = parts.initial.iter().map(|(when, _)| *when).collect();
        for location in fixed {
            let invariant = &parts.invariants[location];
            same.extend(invariant.clocks.iter().chain(&invariant.data));
            same.extend(parts.urgency[location].iter().map(|(when, _)| *when));
        }
        if automaton.is_input_enabled() {
            same.extend(parts.actions.iter());
        }
        for condition in same {
            alike = parts.like(alike, condition, self.product)?;
        }
        Ok(alike)
    }
    /// Whether the specification has that input; other inputs are never given.
    pub fn is_expected(&self, edge: EdgeId) -> bool {
        let automaton = self.featured.automaton();
        let label = automaton.actions()[automaton.edges()[edge].action].to_string();
        self.tester
            .automaton()
            .actions()
            .iter()
            .any(|action| action.to_string() == label)
    }
}

/// The condition that always holds, or never.
pub(super) fn constant(holds: bool) -> FeatureExpr {
    if holds { FeatureExpr::True } else { FeatureExpr::False }
}

/// Adds the edges of `more` that may join `edges` together: all of them, or else, recursively, the edges of each half.
pub(super) fn widen(
    edges: &mut BTreeSet<EdgeId>,
    more: &[EdgeId],
    may: &dyn Fn(&BTreeSet<EdgeId>) -> Result<bool, SuiteFailure>,
) -> Result<(), SuiteFailure> {
    if more.is_empty() {
        return Ok(());
    }
    let wider: BTreeSet<EdgeId> = edges.iter().chain(more).copied().collect();
    if may(&wider)? {
        *edges = wider;
    } else if more.len() > 1 {
        let (first, second) = more.split_at(more.len() / 2);
        widen(edges, first, may)?;
        widen(edges, second, may)?;
    }
    Ok(())
}
