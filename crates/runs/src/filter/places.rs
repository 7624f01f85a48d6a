//! Places of a mutant's mutations in the game.

use std::collections::BTreeSet;

use tamper_text::Id;
use tamper_timed::model::{Automaton, EdgeId, LocId};
use tamper_timed::mutation::{AlteredPart, Mutation, Site, edge_name};

/// The kinds of places that mutations change.
pub(super) const SITES: [&str; 4] = ["edge", "location", "guard", "invariant"];

/// The parts of the game that mutations touch, by name.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Places {
    /// The edges removed, added or changed, by [`edge_name`].
    pub edges: BTreeSet<String>,
    /// The locations that are removed or whose invariants are changed, and the end locations of the edges.
    pub locations: BTreeSet<String>,
    /// The source locations of the edges.
    pub sources: BTreeSet<String>,
    /// The target locations of the edges.
    pub targets: BTreeSet<String>,
    /// The actions of the edges, with their direction.
    pub actions: BTreeSet<String>,
    /// The clocks whose constraints are changed.
    pub clocks: BTreeSet<String>,
    /// The kinds of places: `edge`, `location`, `guard`, `invariant`.
    pub sites: BTreeSet<&'static str>,
}

impl Places {
    /// Adds the places of `mutation`, made for `automaton`.
    pub fn add(&mut self, automaton: &Automaton, mutation: &Mutation) {
        match mutation.part() {
            Some(part) => self.part(automaton, part),
            None => {
                let mutant = mutation.apply(automaton);
                let added = EdgeId::from_index(mutant.edges().len() - 1);
                self.part(&mutant, AlteredPart::Edge(added));
            }
        }
        if let Some(change) = mutation.once().constraint() {
            let clock = &automaton.clocks()[change.old.clock];
            self.clocks.insert(clock.name.to_string());
        }
    }

    fn part(&mut self, automaton: &Automaton, part: AlteredPart) {
        let site = match part {
            AlteredPart::Constraint(Site::Guard(edge)) => {
                self.edge(automaton, edge);
                "guard"
            }
            AlteredPart::Constraint(Site::Invariant(location)) => {
                self.location(automaton, location);
                "invariant"
            }
            AlteredPart::Edge(edge) => {
                self.edge(automaton, edge);
                "edge"
            }
            AlteredPart::Location(location) => {
                self.location(automaton, location);
                "location"
            }
            AlteredPart::Action(action) => {
                let edges = automaton.edges().iter_enumerated();
                let with_it = edges.filter(|(_, edge)| edge.action == action);
                with_it.for_each(|(id, _)| self.edge(automaton, id));
                "edge"
            }
            // The file is mistaken, which may show anywhere.
            AlteredPart::Whole => return,
        };
        self.sites.insert(site);
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
