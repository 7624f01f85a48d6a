//! A game as a scene: placed as its file says, or arranged, with the changes of mutations.

use super::arrange::arrange;
use super::marks::{Label, Mark};
use super::nested::nested_boxes;
use super::scene::{Arrow, PlacedLocation, Scene};
use tamper_text::{Id, IndexVec};
use tamper_timed::model::{Automaton, EdgeId, LocId, Role};
use tamper_timed::mutation::{AlteredPart, Mutation, Site};
use tamper_uppaal::{EdgeAt, LocationAt, Placement, Point, Spelling, guard_text, selects_text, updates_text};

impl Scene {
    /// `automaton` with the changes of `mutations`, placed by `placement` if that keeps all locations apart. The first mutation was made
    /// for `automaton`, each other one for the mutant before it. A game that its file says in boxes is drawn as these, if they show the
    /// mutant.
    pub fn of(automaton: &Automaton, placement: &Placement, mutations: &[Mutation]) -> Self {
        if let Some(scene) = Self::of_boxes(automaton, mutations) {
            return scene;
        }
        let centres = kept_centres(automaton, placement);
        let is_kept = centres.is_some();
        let place = |id: LocId| match is_kept {
            true => placement.locations.get(id).cloned().unwrap_or_default(),
            false => LocationAt::default(),
        };
        let centre = |id: LocId| centres.as_ref().map_or((0.0, 0.0), |centres| centres[id]);
        let spelling = &placement.spelling;
        let nodes = automaton
            .locations()
            .ids()
            .map(|id| node(automaton, id, centre(id), place(id), spelling));
        let arrow_place = |id: EdgeId| match is_kept {
            true => placement.edges.get(id).cloned().unwrap_or_default(),
            false => EdgeAt::default(),
        };
        let arrows = automaton
            .edges()
            .ids()
            .map(|id| arrow(automaton, id, arrow_place(id), spelling));
        let mut scene = Self {
            title: automaton.name().to_owned(),
            notes: Vec::new(),
            nodes: nodes.collect(),
            arrows: arrows.collect(),
            is_kept,
            nested: None,
        };
        scene.mutate(automaton, mutations);
        if !is_kept {
            arrange(&mut scene);
        }
        scene
    }

    fn of_boxes(automaton: &Automaton, mutations: &[Mutation]) -> Option<Self> {
        let original = automaton.hierarchy()?;
        let mut mutant = automaton.clone();
        let mut notes = Vec::new();
        for mutation in mutations {
            notes.push(format!("{}: {}", mutation.applied(), mutation.describe(&mutant)));
            mutant = mutation.apply(&mutant);
        }
        Some(Self {
            title: automaton.name().to_owned(),
            notes,
            nodes: Vec::new(),
            arrows: Vec::new(),
            is_kept: false,
            nested: Some(nested_boxes(original, mutant.hierarchy()?)),
        })
    }

    fn mutate(&mut self, automaton: &Automaton, mutations: &[Mutation]) {
        // The node and the arrow of each part of the mutant so far.
        let mut nodes: IndexVec<LocId, usize> = (0..self.nodes.len()).collect();
        let mut arrows: IndexVec<EdgeId, usize> = (0..self.arrows.len()).collect();
        let mut current = automaton.clone();
        for mutation in mutations {
            let described = mutation.describe(&current);
            self.notes.push(format!("{}: {described}", mutation.applied()));
            self.change(&mut nodes, &mut arrows, &current, mutation);
            current = mutation.apply(&current);
        }
    }

    /// Draws the change of `mutation`. `nodes` and `arrows` belong to the mutant so far, which is `current`.
    fn change(
        &mut self,
        nodes: &mut IndexVec<LocId, usize>,
        arrows: &mut IndexVec<EdgeId, usize>,
        current: &Automaton,
        mutation: &Mutation,
    ) {
        let mutant = mutation.apply(current);
        match *mutation {
            Mutation::RemoveEdge { edge } => self.arrows[arrows.remove(edge)].mark = Mark::Removed,
            Mutation::RemoveLocation { location } => {
                let gone = nodes.remove(location);
                self.nodes[gone].mark = Mark::Removed;
                let ends_there = |arrow: &Arrow| arrow.source == gone || arrow.target == gone;
                arrows.retain(|at| !ends_there(&self.arrows[*at]));
                for arrow in self.arrows.iter_mut().filter(|arrow| ends_there(arrow)) {
                    arrow.mark = Mark::Removed;
                }
            }
            Mutation::AddEdge { .. } => {
                let id = EdgeId::from_index(mutant.edges().len() - 1);
                let edge = &mutant.edges()[id];
                let mut added = arrow(&mutant, id, EdgeAt::default(), &Spelling::default());
                (added.source, added.target) = (nodes[edge.source], nodes[edge.target]);
                added.mark = Mark::Added;
                arrows.push(self.arrows.len());
                self.arrows.push(added);
            }
            Mutation::LargerConstant { .. } | Mutation::SmallerConstant { .. } | Mutation::NegateGuard { .. } => {}
            Mutation::Alter { alteration, .. } if alteration.part() == AlteredPart::Whole => {
                self.replace(nodes, arrows, &mutant);
            }
            Mutation::Alter { alteration, .. } => self.alter(nodes, arrows, current, &mutant, alteration.part()),
            // The second copy is drawn upon the first.
            Mutation::Again(memory) => {
                let (mut copies, mut copied) = (nodes.clone(), arrows.clone());
                self.change(&mut copies, &mut copied, current, &memory.once());
                copies.iter().for_each(|node| {
                    nodes.push(*node);
                });
                copied.iter().for_each(|arrow| {
                    arrows.push(*arrow);
                });
            }
        }
        match mutation.constraint().map(|change| change.site) {
            Some(Site::Guard(edge)) => self.change_guard(arrows[edge], &mutant, edge),
            Some(Site::Invariant(location)) => self.change_invariant(nodes[location], &mutant, location),
            None => {}
        }
    }

    /// Draws another game upon this one: what both have stays, locations by their names.
    fn replace(
        &mut self,
        nodes: &mut IndexVec<LocId, usize>,
        arrows: &mut IndexVec<EdgeId, usize>,
        mutant: &Automaton,
    ) {
        let below = self.nodes.iter().map(|node| node.centre.1).fold(0.0, f64::max) + 120.0;
        let (old_nodes, old_arrows) = (std::mem::take(nodes), std::mem::take(arrows));
        for id in mutant.locations().ids() {
            let made = node(mutant, id, (0.0, below), LocationAt::default(), &Spelling::default());
            let known = old_nodes.iter().find(|old| self.nodes[**old].name == made.name);
            nodes.push(known.copied().unwrap_or(self.nodes.len()));
            if known.is_none() {
                self.nodes.push(PlacedLocation {
                    mark: Mark::Added,
                    ..made
                });
            }
        }
        let mut left: Vec<usize> = old_arrows.iter().copied().collect();
        for (id, edge) in mutant.edges().iter_enumerated() {
            let mut made = arrow(mutant, id, EdgeAt::default(), &Spelling::default());
            (made.source, made.target) = (nodes[edge.source], nodes[edge.target]);
            let is_it = |old: &Arrow| (old.source, old.target, &old.labels) == (made.source, made.target, &made.labels);
            match left.iter().position(|old| is_it(&self.arrows[*old])) {
                Some(known) => {
                    arrows.push(left.remove(known));
                }
                None => {
                    arrows.push(self.arrows.len());
                    self.arrows.push(Arrow {
                        mark: Mark::Added,
                        ..made
                    });
                }
            }
        }
        for node in old_nodes.iter().filter(|old| nodes.iter().all(|new| new != *old)) {
            self.nodes[*node].mark = Mark::Removed;
        }
        left.iter().for_each(|arrow| self.arrows[*arrow].mark = Mark::Removed);
    }

    /// Marks the changes of an alteration, and adds new parts. `nodes` and `arrows` belong to the mutant so far; `current` and `mutant` are
    /// the automata before and after the alteration.
    fn alter(
        &mut self,
        nodes: &mut IndexVec<LocId, usize>,
        arrows: &mut IndexVec<EdgeId, usize>,
        current: &Automaton,
        mutant: &Automaton,
        part: AlteredPart,
    ) {
        let below = self.nodes.iter().map(|node| node.centre.1).fold(0.0, f64::max) + 120.0;
        for id in mutant.locations().ids().skip(current.locations().len()) {
            let left = self.nodes.first().map_or(0.0, |node| node.centre.0);
            let mut added = node(mutant, id, (left, below), LocationAt::default(), &Spelling::default());
            added.mark = Mark::Added;
            nodes.push(self.nodes.len());
            self.nodes.push(added);
        }
        let placed = |id: EdgeId, nodes: &IndexVec<LocId, usize>, mark: Mark| {
            let edge = &mutant.edges()[id];
            let mut new = arrow(mutant, id, EdgeAt::default(), &Spelling::default());
            (new.source, new.target) = (nodes[edge.source], nodes[edge.target]);
            new.mark = mark;
            new
        };
        for id in mutant.edges().ids().skip(current.edges().len()) {
            arrows.push(self.arrows.len());
            self.arrows.push(placed(id, nodes, Mark::Added));
        }
        match part {
            AlteredPart::Constraint(Site::Guard(edge)) => self.change_guard(arrows[edge], mutant, edge),
            AlteredPart::Constraint(Site::Invariant(location)) => {
                self.change_invariant(nodes[location], mutant, location);
            }
            AlteredPart::Edge(edge) => {
                self.arrows[arrows[edge]].mark = Mark::Removed;
                arrows[edge] = self.arrows.len();
                self.arrows.push(placed(edge, nodes, Mark::Added));
            }
            AlteredPart::Location(location) => {
                let node = &mut self.nodes[nodes[location]];
                (node.urgency, node.mark) = (mutant.locations()[location].urgency, Mark::Changed);
            }
            AlteredPart::Whole => unreachable!("another game is drawn as a whole"),
            AlteredPart::Action(action) => {
                for id in mutant.edges().ids().filter(|id| mutant.edges()[*id].action == action) {
                    self.arrows[arrows[id]].mark = Mark::Changed;
                }
            }
        }
    }

    fn change_guard(&mut self, at: usize, mutant: &Automaton, edge: EdgeId) {
        let arrow = &mut self.arrows[at];
        let new = &mutant.edges()[edge];
        let text = guard_text(mutant, &new.guard, &new.selects);
        if let Some(label) = arrow.labels.iter_mut().find(|label| label.kind == "guard") {
            let old = std::mem::replace(&mut label.text, text);
            label.old.get_or_insert(old);
        } else if !text.is_empty() {
            arrow.labels.push(Label {
                kind: "guard",
                text,
                old: None,
            });
        }
        if arrow.mark == Mark::Plain {
            arrow.mark = Mark::Changed;
        }
    }

    fn change_invariant(&mut self, at: usize, mutant: &Automaton, location: LocId) {
        let node = &mut self.nodes[at];
        let text = guard_text(mutant, &mutant.locations()[location].invariant, &[]);
        if let Some(label) = &mut node.invariant {
            let old = std::mem::replace(&mut label.text, text);
            label.old.get_or_insert(old);
        }
        node.mark = Mark::Changed;
    }
}

/// The centres of the locations in the file; `None` if one is missing or two coincide.
fn kept_centres(automaton: &Automaton, placement: &Placement) -> Option<IndexVec<LocId, Point>> {
    let centres: IndexVec<LocId, Point> = automaton
        .locations()
        .ids()
        .map(|id| placement.locations.get(id)?.centre)
        .collect::<Option<Vec<Point>>>()?
        .into_iter()
        .collect();
    let all = centres.as_slice();
    let apart = |(at, a): (usize, &Point)| {
        let near = |b: &Point| (a.0 - b.0).abs() < 30.0 && (a.1 - b.1).abs() < 30.0;
        !all[..at].iter().any(near)
    };
    all.iter().enumerate().all(apart).then_some(centres)
}

fn node(automaton: &Automaton, id: LocId, centre: Point, at: LocationAt, spelling: &Spelling) -> PlacedLocation {
    let location = &automaton.locations()[id];
    let text = spelling
        .invariant(id)
        .map_or_else(|| guard_text(automaton, &location.invariant, &[]), str::to_owned);
    PlacedLocation {
        name: location.name.to_string(),
        invariant: (!text.is_empty()).then_some(Label {
            kind: "invariant",
            text,
            old: None,
        }),
        centre,
        at,
        initial: id == automaton.initial(),
        urgency: location.urgency,
        mark: Mark::Plain,
    }
}

fn arrow(automaton: &Automaton, id: EdgeId, at: EdgeAt, spelling: &Spelling) -> Arrow {
    let edge = &automaton.edges()[id];
    let action = &automaton.actions()[edge.action];
    let sync = match action.role {
        Role::Internal => String::new(),
        _ => action.to_string(),
    };
    let texts = [
        ("select", selects_text(&edge.selects)),
        ("guard", guard_text(automaton, &edge.guard, &edge.selects)),
        ("synchronisation", sync),
        ("assignment", updates_text(automaton, &edge.updates, &edge.selects)),
    ];
    let label = |(kind, text): (&'static str, String)| Label { kind, text, old: None };
    let spelled = |(kind, text): (&'static str, String)| (kind, spelling.label(id, kind).map_or(text, str::to_owned));
    Arrow {
        source: edge.source.index(),
        target: edge.target.index(),
        labels: texts
            .into_iter()
            .map(spelled)
            .filter(|(_, text)| !text.is_empty())
            .map(label)
            .collect(),
        at,
        mark: Mark::Plain,
        is_input: action.role == Role::Input,
        course: None,
    }
}
