//! The part of the original game that a mutation changes, also for a mutation of one of its mutants.

use std::collections::HashMap;

use tamper_text::IndexVec;
use tamper_timed::model::{Automaton, EdgeId, Hierarchy, LocId, NestedArrow};
use tamper_timed::mutation::{Alteration, AlteredPart, Mutation, Site};

/// A part of a game: its edges come first, then its locations.
pub(super) type PartIndex = usize;

/// The parts of a game that the parts of one of its mutants come from.
#[derive(Clone)]
pub(super) struct Origins {
    locations: IndexVec<LocId, PartIndex>,
    /// For an added edge, the location where it starts.
    edges: IndexVec<EdgeId, PartIndex>,
}

impl Origins {
    /// The origins of the game's own parts.
    pub fn of(game: &Automaton) -> Self {
        let n_edges = game.edges().len();
        let n_parts = n_edges + game.locations().len();
        Self {
            locations: (n_edges..n_parts).collect(),
            edges: (0..n_edges).collect(),
        }
    }

    /// The part that `mutation` of the mutant changes. An added edge belongs to the location where it starts; an action belongs to the
    /// first edge that has it.
    pub fn part(&self, automaton: &Automaton, mutation: &Mutation) -> PartIndex {
        let part = match *mutation {
            Mutation::AddEdge { source, .. } => Some(AlteredPart::Location(source)),
            _ => mutation.part(),
        };
        let part = match part {
            Some(AlteredPart::Whole) => of_boxes(automaton, mutation),
            part => part,
        };
        match part {
            Some(AlteredPart::Constraint(Site::Guard(edge)) | AlteredPart::Edge(edge)) => self.edges[edge],
            Some(AlteredPart::Constraint(Site::Invariant(location)) | AlteredPart::Location(location)) => {
                self.locations[location]
            }
            Some(AlteredPart::Action(action)) => {
                let edges = automaton.edges().iter_enumerated();
                let mut with_it = edges.filter(|(_, edge)| edge.action == action);
                with_it.next().map_or(0, |(edge, _)| self.edges[edge])
            }
            Some(AlteredPart::Whole) | None => 0,
        }
    }

    /// The part that a location of the mutant comes from.
    pub fn location(&self, location: LocId) -> PartIndex {
        self.locations[location]
    }

    /// The part that an edge of the mutant comes from.
    pub fn edge(&self, edge: EdgeId) -> PartIndex {
        self.edges[edge]
    }

    /// Continues with the mutant that `mutation` makes of `automaton`.
    pub fn apply(&mut self, automaton: &Automaton, mutation: &Mutation) {
        match *mutation {
            Mutation::RemoveEdge { edge } => {
                self.edges.remove(edge);
            }
            Mutation::AddEdge { source, .. } => {
                self.edges.push(self.locations[source]);
            }
            Mutation::RemoveLocation { location } => {
                let edges = automaton.edges();
                let stays = |id: &EdgeId| edges[*id].source != location && edges[*id].target != location;
                self.edges = edges.ids().filter(stays).map(|id| self.edges[id]).collect();
                self.locations.remove(location);
            }
            Mutation::LargerConstant { .. } | Mutation::SmallerConstant { .. } | Mutation::NegateGuard { .. } => {}
            // Each part of the second copy comes from where the part of the first does.
            Mutation::Again(memory) => {
                let mut copy = self.clone();
                copy.apply(automaton, &memory.once());
                copy.locations.iter().for_each(|part| {
                    self.locations.push(*part);
                });
                copy.edges.iter().for_each(|part| {
                    self.edges.push(*part);
                });
            }
            Mutation::Alter {
                alteration: Alteration::Variant { .. },
                ..
            } => {
                let mutant = mutation.apply(automaton);
                let known = automaton.locations().iter_enumerated();
                let known: HashMap<&str, LocId> = known.map(|(id, location)| (&*location.name, id)).collect();
                let part = |name: &str| known.get(name).map_or(0, |id| self.locations[*id]);
                let locations = mutant.locations().iter().map(|location| part(&location.name));
                let locations: IndexVec<LocId, PartIndex> = locations.collect();
                // An edge of another game belongs to the location where it starts.
                self.edges = mutant.edges().iter().map(|edge| locations[edge.source]).collect();
                self.locations = locations;
            }
            // A new location, and its loops, belong to the edge that leads there.
            Mutation::Alter { .. } => {
                let mutant = mutation.apply(automaton);
                let part = self.part(automaton, mutation);
                for _ in self.locations.len()..mutant.locations().len() {
                    self.locations.push(part);
                }
                for _ in self.edges.len()..mutant.edges().len() {
                    self.edges.push(part);
                }
            }
        }
    }
}

/// The first edge or location for an arrow or a box that differs in the mutant; `None` if its file draws no boxes.
fn of_boxes(automaton: &Automaton, mutation: &Mutation) -> Option<AlteredPart> {
    let original = automaton.hierarchy()?;
    let mutant = mutation.apply(automaton);
    let mutant = mutant.hierarchy()?;
    let lacks = |all: &Hierarchy, arrow: &NestedArrow| !all.arrows.contains(arrow);
    let arrow = original.arrows.iter().position(|arrow| lacks(mutant, arrow));
    let edge = arrow.and_then(|arrow| {
        original
            .taken
            .iter_enumerated()
            .find(|(_, taken)| **taken == Some(arrow))
    });
    if let Some((edge, _)) = edge {
        return Some(AlteredPart::Edge(edge));
    }
    let mut boxes = original.boxes.iter().zip(&mutant.boxes);
    let added = mutant.arrows.iter().find(|arrow| lacks(original, arrow));
    let source = arrow
        .map(|arrow| &original.arrows[arrow])
        .or(added)
        .map(|arrow| arrow.source);
    let differs = source.or_else(|| boxes.position(|(old, new)| old != new))?;
    let around = |at: usize| std::iter::successors(Some(at), |at| original.boxes[*at].parent);
    let is_within = |boxes: &Vec<usize>| boxes.iter().any(|at| around(*at).any(|around| around == differs));
    let mut located = original.located.iter_enumerated();
    let (location, _) = located.find(|(_, boxes)| is_within(boxes))?;
    Some(AlteredPart::Location(location))
}
