//! Where in the game the mutations of a mutant are.

use std::collections::BTreeSet;

use crate::model::{Automaton, EdgeId, LocId};
use crate::mutation::{Alteration, AlteredPart, Mutation, Site, edge_name};
use crate::text::Id;

/// What a mutation can change.
pub(super) const SITES: [&str; 4] = ["edge", "location", "guard", "invariant"];

/// The parts of the game that some mutations touch, by name.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Places {
    /// The edges removed, added or changed, as [`edge_name`] calls them.
    pub edges: BTreeSet<String>,
    /// The locations removed or whose invariant is changed, and the ends of the edges.
    pub locations: BTreeSet<String>,
    /// Where the edges start.
    pub sources: BTreeSet<String>,
    /// Where they lead.
    pub targets: BTreeSet<String>,
    /// Their actions, with their direction.
    pub actions: BTreeSet<String>,
    /// The clocks whose constraints are changed.
    pub clocks: BTreeSet<String>,
    /// What is changed: `edge`, `location`, `guard`, `invariant`.
    pub sites: BTreeSet<&'static str>,
}

impl Places {
    /// The places of `mutations`, the first made for `base`, each other one for the mutant before it.
    pub fn of(base: &Automaton, mutations: &[Mutation]) -> Self {
        let mut places = Self::default();
        let Some((last, earlier)) = mutations.split_last() else {
            return places;
        };
        let mut automaton = base.clone();
        for mutation in earlier {
            places.add(&automaton, mutation);
            automaton = mutation.apply(&automaton);
        }
        places.add(&automaton, last);
        places
    }

    /// Adds the places of `mutation`, made for `automaton`.
    pub fn add(&mut self, automaton: &Automaton, mutation: &Mutation) {
        match *mutation {
            Mutation::RemoveEdge { edge } => {
                self.sites.insert("edge");
                self.edge(automaton, edge);
            }
            Mutation::AddEdge { .. } => {
                self.sites.insert("edge");
                let mutant = mutation.apply(automaton);
                self.edge(&mutant, EdgeId::from_index(mutant.edges().len() - 1));
            }
            Mutation::RemoveLocation { location } => {
                self.sites.insert("location");
                self.location(automaton, location);
            }
            Mutation::LargerConstant { .. } | Mutation::SmallerConstant { .. } | Mutation::NegateGuard { .. } => {}
            Mutation::Alter { alteration, .. } => self.alteration(automaton, &alteration),
        }
        let Some(change) = mutation.constraint() else { return };
        self.clocks
            .insert(automaton.clocks()[change.old.clock].name.to_string());
        match change.site {
            Site::Guard(edge) => {
                self.sites.insert("guard");
                self.edge(automaton, edge);
            }
            Site::Invariant(location) => {
                self.sites.insert("invariant");
                self.location(automaton, location);
            }
        }
    }

    fn alteration(&mut self, automaton: &Automaton, alteration: &Alteration) {
        match alteration.part() {
            AlteredPart::Constraint(Site::Guard(edge)) => {
                self.sites.insert("guard");
                self.edge(automaton, edge);
            }
            AlteredPart::Constraint(Site::Invariant(location)) => {
                self.sites.insert("invariant");
                self.location(automaton, location);
            }
            AlteredPart::Edge(edge) => {
                self.sites.insert("edge");
                self.edge(automaton, edge);
            }
            AlteredPart::Location(location) => {
                self.sites.insert("location");
                self.location(automaton, location);
            }
            AlteredPart::Action(action) => {
                self.sites.insert("edge");
                let edges = automaton.edges().iter_enumerated();
                let with_it: Vec<_> = edges
                    .filter(|(_, edge)| edge.action == action)
                    .map(|(id, _)| id)
                    .collect();
                with_it.into_iter().for_each(|edge| self.edge(automaton, edge));
            }
        }
    }

    fn edge(&mut self, automaton: &Automaton, id: EdgeId) {
        let edge = &automaton.edges()[id];
        self.edges.insert(edge_name(automaton, id));
        self.actions.insert(automaton.actions()[edge.action].to_string());
        self.sources.insert(automaton.locations()[edge.source].name.to_string());
        self.targets.insert(automaton.locations()[edge.target].name.to_string());
        self.location(automaton, edge.source);
        self.location(automaton, edge.target);
    }

    fn location(&mut self, automaton: &Automaton, id: LocId) {
        self.locations.insert(automaton.locations()[id].name.to_string());
    }
}
