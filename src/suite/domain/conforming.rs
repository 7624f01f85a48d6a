//! Products that no test can kill, many at a time.

use std::collections::BTreeSet;

use super::knowledge::{Cube, Knowledge, Known};
use crate::base::Budget;
use crate::featured::{Conditions, FeaturedAutomaton};
use crate::features::{FeatureExpr, Product};
use crate::model::{EdgeId, LocId, Role};
use crate::suite::error::SuiteFailure;
use crate::suite::{Pick, Potential, Style, Subject, Tester};

/// Around a product that conforms.
pub(super) struct Around<'d> {
    pub featured: &'d FeaturedAutomaton,
    pub tester: &'d Tester,
    pub product: &'d Product,
    pub budget: &'d Budget,
}

impl Around<'_> {
    /// A cube of products that conform, this one among them.
    ///
    /// The product's outputs are first joined by as many other edges with outputs as the superposition has without
    /// anything to be seen; the result is no product, but conforms. All products with the same invariants and inputs in
    /// the part that it explores, and with no other outputs there, can do nothing that it cannot.
    pub fn cube(&self, knowledge: &mut Knowledge) -> Result<Cube, SuiteFailure> {
        let mut edges: BTreeSet<EdgeId> = self
            .featured
            .automaton()
            .edges()
            .ids()
            .filter(|id| self.has(*id))
            .collect();
        // What is explored grows with the edges: until no further edge can join.
        loop {
            let explored = self.explored(&edges);
            let candidates: Vec<EdgeId> = self
                .outputs(&explored)
                .filter(|id| self.can_join(*id, &edges))
                .collect();
            let before = edges.len();
            self.join(&mut edges, &candidates)?;
            if edges.len() == before {
                return Ok(self.bounds(&explored, &edges, knowledge));
            }
        }
    }

    fn has(&self, edge: EdgeId) -> bool {
        self.featured.edge_condition(edge).holds(self.product)
    }
    fn role(&self, edge: EdgeId) -> Role {
        let automaton = self.featured.automaton();
        automaton.actions()[automaton.edges()[edge].action].role
    }
    fn can_join(&self, edge: EdgeId, edges: &BTreeSet<EdgeId>) -> bool {
        let ends = &self.featured.automaton().edges()[edge];
        let locations = &self.featured.conditions().locations;
        let has_ends = [ends.source, ends.target]
            .iter()
            .all(|end| locations[*end].holds(self.product));
        has_ends && !edges.contains(&edge)
    }
    /// The outputs that leave explored locations.
    fn outputs<'s>(&'s self, explored: &'s BTreeSet<LocId>) -> impl Iterator<Item = EdgeId> + 's {
        let automaton = self.featured.automaton();
        let leaves = |id: &EdgeId| explored.contains(&automaton.edges()[*id].source);
        automaton
            .edges()
            .ids()
            .filter(move |id| leaves(id) && self.role(*id) != Role::Input)
    }

    /// Adds as many of `more` as keep it conforming: all, or by halves.
    fn join(&self, edges: &mut BTreeSet<EdgeId>, more: &[EdgeId]) -> Result<(), SuiteFailure> {
        if more.is_empty() {
            return Ok(());
        }
        let joined: BTreeSet<EdgeId> = edges.iter().chain(more).copied().collect();
        if self.conforms(&joined)? {
            *edges = joined;
        } else if more.len() > 1 {
            let (first, second) = more.split_at(more.len() / 2);
            self.join(edges, first)?;
            self.join(edges, second)?;
        }
        Ok(())
    }
    fn conforms(&self, edges: &BTreeSet<EdgeId>) -> Result<bool, SuiteFailure> {
        let automaton = self.featured.automaton();
        let own = self.featured.conditions();
        let constant = |holds| if holds { FeatureExpr::True } else { FeatureExpr::False };
        let conditions = Conditions {
            edges: automaton
                .edges()
                .ids()
                .map(|id| constant(edges.contains(&id)))
                .collect(),
            // An output that joins brings its action.
            actions: automaton
                .actions()
                .iter_enumerated()
                .map(|(id, action)| match action.role {
                    Role::Input => own.actions[id].clone(),
                    Role::Output | Role::Internal => FeatureExpr::True,
                })
                .collect(),
            ..own.clone()
        };
        let joined = FeaturedAutomaton::new(automaton.clone(), self.featured.model().clone(), conditions);
        let joined = joined.expect("the conditions have the superposition's shape");
        let Ok(mutant) = joined.project(self.product) else {
            return Ok(false);
        };
        let subject = Subject::new(&mutant, self.budget)?;
        let found = self
            .tester
            .potential(&subject, Style::Adaptive, Pick::Earliest, self.budget)?;
        Ok(found == Potential::NotKillable)
    }

    /// The locations that the mutant with these edges can be in while the specification follows: by labels only,
    /// which is more than what time allows.
    fn explored(&self, edges: &BTreeSet<EdgeId>) -> BTreeSet<LocId> {
        let (right, own) = (self.tester.automaton(), self.featured.automaton());
        let start = (right.initial(), own.initial());
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
                // Inputs that one side ignores.
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

    /// What a product must have in common with this one.
    fn bounds(&self, explored: &BTreeSet<LocId>, edges: &BTreeSet<EdgeId>, knowledge: &mut Knowledge) -> Cube {
        let own = self.featured.conditions();
        let automaton = self.featured.automaton();
        let mut same: Vec<FeatureExpr> = Vec::new();
        let mut fixed = explored.clone();
        let mut absent = Vec::new();
        for (id, edge) in automaton.edges().iter_enumerated() {
            if !explored.contains(&edge.source) {
                continue;
            }
            let is_there = edges.contains(&id);
            if is_there {
                fixed.insert(edge.target);
            }
            if self.role(id) != Role::Input {
                absent.extend((!is_there).then(|| self.featured.edge_condition(id)));
            } else if self.is_expected(id) {
                same.push(self.featured.edge_condition(id));
            }
        }
        for location in fixed {
            let invariant = &own.invariants[location];
            same.extend(invariant.clocks.iter().chain(&invariant.data).cloned());
            same.extend(own.urgency[location].iter().map(|(when, _)| when.clone()));
        }
        if automaton.is_input_enabled() {
            same.extend(own.actions.iter().cloned());
        }
        let mut cube = knowledge.as_in(self.product, &same);
        for condition in absent {
            if let Known::Open(lit) = knowledge.of(&condition) {
                cube.insert(!lit);
            }
        }
        cube.into_iter().collect()
    }
    /// Whether the specification has that input; others are never given.
    fn is_expected(&self, edge: EdgeId) -> bool {
        let automaton = self.featured.automaton();
        let label = automaton.actions()[automaton.edges()[edge].action].to_string();
        self.tester
            .automaton()
            .actions()
            .iter()
            .any(|action| action.to_string() == label)
    }
}
