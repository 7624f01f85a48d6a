//! All products as one thing to test: groups are cubes of conditions.
//!
//! How a run ends is decided by what one product can do: so an output is looked at by itself, whatever other outputs
//! there are, and products are told apart by the invariant where they are, by how urgent it is, and by the edges that
//! accept the input in question. Only where time is stopped all outputs matter together: a product that is silent there
//! lacks each output that some point of the end of time has.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::knowledge::{Cube, Knowledge, Known};
use crate::base::Budget;
use crate::featured::FeaturedAutomaton;
use crate::features::{FeatureExpr, Lit};
use crate::game::{Atom, GameError, atoms_of_guard, run_updates, select_values, zone_ops};
use crate::model::{EdgeId, Guard, LocId, Role, Urgency, Valuation};
use crate::suite::compiled::{CompiledAct, CompiledNode};
use crate::suite::error::SuiteFailure;
use crate::suite::execute::{End, Stuck, World, execute_in};
use crate::suite::subject::{enabled_before, ignored_inputs, scaled_atoms};
use crate::suite::view::{View, ViewMove};
use crate::suite::{CompiledTest, Kill, TestVerdict};
use crate::zones::Variable;

type Place = (LocId, Rc<[i32]>);

pub(super) struct DomainWorld<'d> {
    pub featured: &'d FeaturedAutomaton,
    pub knowledge: &'d mut Knowledge,
    n_test_clocks: usize,
    scale: i64,
    kill: Kill,
    /// The cubes of runs that fail.
    pub failing: BTreeSet<Cube>,
    /// The cubes of runs that end in another way, if these are of interest.
    pub surviving: BTreeSet<Cube>,
    /// What stops the execution: the first one counts.
    pub failure: Option<SuiteFailure>,
    /// Where runs begin, and for which products.
    start: (LocId, Cube),
}

/// What the members of a cube can do at a place.
type Part = (Rc<View<Place>>, Rc<[Lit]>);

impl<'d> DomainWorld<'d> {
    /// For which products some run fails, or every run.
    pub fn new(featured: &'d FeaturedAutomaton, knowledge: &'d mut Knowledge, test: &CompiledTest, kill: Kill) -> Self {
        Self {
            featured,
            knowledge,
            n_test_clocks: test.n_clocks,
            scale: test.scale,
            kill,
            failing: BTreeSet::new(),
            surviving: BTreeSet::new(),
            failure: None,
            start: (featured.automaton().initial(), Cube::new()),
        }
    }

    /// Executes the test on all products, those that begin in one location after the other.
    pub fn execute(&mut self, test: &CompiledTest, budget: &Budget) -> Result<(), SuiteFailure> {
        for (begin, initial) in &self.featured.conditions().initial {
            let who = match self.knowledge.of(begin) {
                Known::Always(false) => continue,
                Known::Always(true) => Cube::new(),
                Known::Open(lit) => vec![lit],
            };
            self.start = (*initial, who);
            execute_in(test, self, budget, &mut |_, _| ())?;
        }
        Ok(())
    }

    fn parts(&mut self, place: &Place, group: &[Lit], node: &CompiledNode) -> Result<Vec<Part>, SuiteFailure> {
        if !self.knowledge.is_possible(group)? {
            return Ok(Vec::new());
        }
        let asked: Vec<&str> = node.rules.iter().filter_map(|rule| input_of(&rule.act)).collect();
        let (inputs, outputs) = self.leaving(place.0, &asked);
        let mut classes = self.knowledge.decided(group.to_vec(), &self.here(place.0))?;
        for edge in &inputs {
            let mut next = Vec::new();
            for cube in classes {
                next.extend(self.with_edge(cube, *edge)?);
            }
            classes = next;
        }
        if self.featured.automaton().is_input_enabled() {
            let mut next = Vec::new();
            for cube in classes {
                next.extend(self.knowledge.decided(cube, &self.alphabet(&asked))?);
            }
            classes = next;
        }
        let mut parts = Vec::new();
        for (cube, urgent) in self.by_urgency(place, classes)? {
            let mut view = self.view(place, &cube)?;
            view.urgent |= urgent;
            for edge in &inputs {
                view.moves.extend(self.moves(*edge, place, &cube)?);
            }
            if self.featured.automaton().is_input_enabled() {
                self.ignore(&mut view, place, (&cube, &asked))?;
            }
            self.rebase(&mut view);
            parts.push((Rc::new(view), Rc::from(cube.as_slice())));
            for edge in &outputs {
                for cube in self.with_edge(cube.clone(), *edge)? {
                    let mut view = self.view(place, &cube)?;
                    view.urgent |= urgent;
                    view.only_outputs = true;
                    view.moves = self.moves(*edge, place, &cube)?;
                    if !view.moves.is_empty() {
                        self.rebase(&mut view);
                        parts.push((Rc::new(view), Rc::from(cube.as_slice())));
                    }
                }
            }
        }
        Ok(parts)
    }

    /// The classes, those apart in which some edge on an urgent channel can be taken: it can be wherever the invariant
    /// holds, or nowhere.
    fn by_urgency(&mut self, place: &Place, classes: Vec<Cube>) -> Result<Vec<(Cube, bool)>, SuiteFailure> {
        let automaton = self.featured.automaton();
        let leaving = automaton.edges().iter_enumerated();
        let urgent: Vec<EdgeId> = leaving
            .filter(|(_, edge)| edge.source == place.0 && automaton.actions()[edge.action].urgent)
            .map(|(id, _)| id)
            .collect();
        // Every literal that was decided stays: so what follows holds for products that are not left, too.
        let (mut open, mut parts) = (classes, Vec::new());
        for edge in urgent {
            let mut next = Vec::new();
            for class in open {
                for cube in self.with_edge(class, edge)? {
                    match self.is_enabled(edge, place, &cube)? {
                        true => parts.push((cube, true)),
                        false => next.push(cube),
                    }
                }
            }
            open = next;
        }
        parts.extend(open.into_iter().map(|cube| (cube, false)));
        Ok(parts)
    }
    /// Whether the edge, which is on an urgent channel, is there and can be taken.
    fn is_enabled(&mut self, edge: EdgeId, place: &Place, cube: &Cube) -> Result<bool, SuiteFailure> {
        let automaton = self.featured.automaton();
        let dim = automaton.clocks().len() + 1;
        let all = zone_ops::federation(dim, [self.view(place, cube)?.invariant.as_slice()]);
        let mut is_enabled = false;
        for step in self.moves(edge, place, cube)? {
            let mut enabled = zone_ops::federation(dim, step.enabled.iter().map(Vec::as_slice));
            enabled.intersect(&all);
            if enabled.includes(&all) {
                is_enabled = true;
            } else if !enabled.is_empty() {
                let edge = crate::mutation::edge_name(automaton, edge);
                return Err(GameError::UrgentDependsOnClocks { edge }.into());
            }
        }
        Ok(is_enabled)
    }
    /// Those of `group`, which decides the invariant, that have no output at some point of `stuck`: every output that
    /// is possible at some of its points leaves the other points to all, and its own to those without it.
    fn without_output(&mut self, place: &Place, group: &[Lit], stuck: Stuck) -> Result<Vec<Cube>, SuiteFailure> {
        let mut cells = vec![(group.to_vec(), stuck)];
        for edge in self.leaving(place.0, &[]).1 {
            for cube in self.with_edge(group.to_vec(), edge)? {
                let moves = self.moves(edge, place, &cube)?;
                let enabled = moves.iter().flat_map(|step| &step.enabled);
                let speech: Vec<Vec<Atom>> = enabled.map(|atoms| self.placed(atoms)).collect();
                let case = self.knowledge.meaning(&beyond(&cube, group));
                for atoms in &speech {
                    let mut next = Vec::new();
                    for (who, stuck) in cells {
                        let inside = stuck.clone().within(atoms);
                        if inside.is_empty() {
                            next.push((who, stuck));
                            continue;
                        }
                        let outside = stuck.without(std::iter::once(atoms.as_slice()));
                        for cube in self.knowledge.decided(who.clone(), std::slice::from_ref(&case))? {
                            if !self.knowledge.holds(&cube, &case) {
                                next.push((cube, inside.clone()));
                            }
                        }
                        if !outside.is_empty() {
                            next.push((who, outside));
                        }
                    }
                    cells = next;
                }
            }
        }
        Ok(cells.into_iter().map(|(who, _)| who).collect())
    }

    /// The edges that accept one of the inputs, and those of outputs.
    fn leaving(&self, location: LocId, asked: &[&str]) -> (Vec<EdgeId>, Vec<EdgeId>) {
        let automaton = self.featured.automaton();
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for (id, edge) in automaton.edges().iter_enumerated() {
            let action = &automaton.actions()[edge.action];
            if edge.source != location {
                continue;
            }
            if action.role != Role::Input {
                outputs.push(id);
            } else if asked.contains(&action.to_string().as_str()) {
                inputs.push(id);
            }
        }
        (inputs, outputs)
    }
    /// What the invariant and the urgency of a location depend on.
    fn here(&self, location: LocId) -> Vec<FeatureExpr> {
        let conditions = self.featured.conditions();
        let urgency = conditions.urgency[location].iter().map(|(when, _)| when.clone());
        self.invariant_conditions(location).into_iter().chain(urgency).collect()
    }
    fn invariant_conditions(&self, location: LocId) -> Vec<FeatureExpr> {
        let invariant = &self.featured.conditions().invariants[location];
        invariant.clocks.iter().chain(&invariant.data).cloned().collect()
    }
    fn alphabet(&self, asked: &[&str]) -> Vec<FeatureExpr> {
        let actions = self.featured.automaton().actions().iter_enumerated();
        let known = actions.filter(|(_, action)| asked.contains(&action.to_string().as_str()));
        known
            .map(|(id, _)| self.featured.conditions().actions[id].clone())
            .collect()
    }
    /// `cube`, split by whether the edge is there, and if so by where it leads.
    fn with_edge(&mut self, cube: Cube, edge: EdgeId) -> Result<Vec<Cube>, SuiteFailure> {
        let condition = self.featured.edge_condition(edge);
        let target = self.invariant_conditions(self.featured.automaton().edges()[edge].target);
        let mut cubes = Vec::new();
        for cube in self.knowledge.decided(cube, std::slice::from_ref(&condition))? {
            if self.knowledge.holds(&cube, &condition) {
                cubes.extend(self.knowledge.decided(cube, &target)?);
            } else {
                cubes.push(cube);
            }
        }
        Ok(cubes)
    }

    fn invariant(&mut self, location: LocId, cube: &Cube) -> Guard {
        let featured = self.featured;
        let whole = &featured.automaton().locations()[location].invariant;
        let conditions = &featured.conditions().invariants[location];
        let mut guard = Guard {
            clocks: Vec::new(),
            data: Vec::new(),
        };
        for (atom, when) in whole.clocks.iter().zip(&conditions.clocks) {
            if self.knowledge.holds(cube, when) {
                guard.clocks.push(atom.clone());
            }
        }
        for (condition, when) in whole.data.iter().zip(&conditions.data) {
            if self.knowledge.holds(cube, when) {
                guard.data.push(condition.clone());
            }
        }
        guard
    }
    /// The place without moves, in the family's own clocks and unit.
    fn view(&mut self, (location, ints): &Place, cube: &Cube) -> Result<View<Place>, SuiteFailure> {
        let featured = self.featured;
        let name = || featured.automaton().locations()[*location].name.to_string();
        let guard = self.invariant(*location, cube);
        let invariant = atoms_of_guard(&guard, Valuation { ints, selects: &[] }, &name)?;
        let mut urgent = false;
        for (when, urgency) in &featured.conditions().urgency[*location] {
            urgent |= *urgency != Urgency::Normal && self.knowledge.holds(cube, when);
        }
        Ok(View {
            urgent,
            invariant: invariant.unwrap_or_default(),
            only_outputs: false,
            moves: Vec::new(),
        })
    }
    /// The moves of an edge, if it is there, in the family's own clocks and unit.
    fn moves(&mut self, id: EdgeId, place: &Place, cube: &Cube) -> Result<Vec<ViewMove<Place>>, SuiteFailure> {
        let condition = self.featured.edge_condition(id);
        let mut moves = Vec::new();
        if !self.knowledge.holds(cube, &condition) {
            return Ok(moves);
        }
        let automaton = self.featured.automaton();
        let edge = &automaton.edges()[id];
        let name = || crate::mutation::edge_name(automaton, id);
        let target = self.invariant(edge.target, cube);
        let dim = automaton.clocks().len() + 1;
        for selects in select_values(automaton, edge)? {
            let valuation = Valuation {
                ints: &place.1,
                selects: &selects,
            };
            let Some(guard) = atoms_of_guard(&edge.guard, valuation, &name)? else {
                continue;
            };
            let effect = run_updates(automaton, edge, &place.1, &selects)?;
            let after = Valuation {
                ints: &effect.ints,
                selects: &[],
            };
            let Some(invariant) = atoms_of_guard(&target, after, &name)? else {
                continue;
            };
            let Some(enabled) = enabled_before(dim, &invariant, &effect.resets, &guard) else {
                continue;
            };
            let action = &automaton.actions()[edge.action];
            moves.push(ViewMove {
                label: action.to_string(),
                is_output: action.role != Role::Input,
                enabled: vec![enabled],
                resets: effect.resets,
                target: (edge.target, Rc::from(effect.ints)),
            });
        }
        Ok(moves)
    }
    /// Adds the loops of inputs that no edge accepts.
    fn ignore(
        &mut self,
        view: &mut View<Place>,
        place: &Place,
        (cube, asked): (&Cube, &[&str]),
    ) -> Result<(), SuiteFailure> {
        let featured = self.featured;
        let dim = featured.automaton().clocks().len() + 1;
        for (id, action) in featured.automaton().actions().iter_enumerated() {
            let label = action.to_string();
            let is_known = self.knowledge.holds(cube, &featured.conditions().actions[id]);
            if !is_known || action.role != Role::Input || !asked.contains(&label.as_str()) {
                continue;
            }
            let known = view.moves.iter().filter(|step| step.label == label);
            let enabled = known.flat_map(|step| step.enabled.iter().map(Vec::as_slice)).collect();
            let ignored = ignored_inputs(dim, &view.invariant, enabled);
            if !ignored.is_empty() {
                view.moves.push(ViewMove {
                    label,
                    is_output: false,
                    enabled: ignored,
                    resets: Vec::new(),
                    target: place.clone(),
                });
            }
        }
        Ok(())
    }
    fn placed(&self, atoms: &[Atom]) -> Vec<Atom> {
        scaled_atoms(atoms, self.scale, self.n_test_clocks)
    }
    /// Puts the family's clocks behind the test's, and into its unit.
    fn rebase(&self, view: &mut View<Place>) {
        view.invariant = self.placed(&view.invariant);
        for step in &mut view.moves {
            step.enabled = step.enabled.iter().map(|atoms| self.placed(atoms)).collect();
            for (clock, value) in &mut step.resets {
                *clock = Variable::new(clock.index() - 1 + self.n_test_clocks);
                *value *= self.scale;
            }
        }
    }
}

/// The literals of `cube` that are not those of `group`.
fn beyond(cube: &[Lit], group: &[Lit]) -> Cube {
    let new = cube.iter().filter(|lit| group.binary_search(lit).is_err());
    new.copied().collect()
}

fn input_of(act: &CompiledAct) -> Option<&str> {
    match act {
        CompiledAct::Input(action, _) => Some(action),
        CompiledAct::Stop(_) => None,
    }
}

impl World for DomainWorld<'_> {
    type Place = Place;
    type Group = Rc<[Lit]>;
    const IN_DEPTH: bool = true;
    fn n_clocks(&self) -> usize {
        self.featured.automaton().clocks().len()
    }
    fn start(&self) -> (Place, Rc<[Lit]>) {
        let automaton = self.featured.automaton();
        let ints: Vec<i32> = automaton.ints().iter().map(|var| var.initial).collect();
        let (initial, who) = &self.start;
        ((*initial, ints.into()), Rc::from(who.as_slice()))
    }
    fn split(&mut self, place: &Place, group: &Rc<[Lit]>, node: &CompiledNode) -> Vec<Part> {
        if self.failure.is_some() {
            return Vec::new();
        }
        self.parts(place, group, node).unwrap_or_else(|failure| {
            self.failure = Some(failure);
            Vec::new()
        })
    }
    fn includes(&self, group: &Rc<[Lit]>, other: &Rc<[Lit]>) -> bool {
        group.iter().all(|lit| other.binary_search(lit).is_ok())
    }
    fn unite(&self, group: &mut Rc<[Lit]>, other: &Rc<[Lit]>) -> bool {
        group == other
    }
    fn end(&mut self, end: End, group: &Rc<[Lit]>) {
        match (end, self.kill) {
            (End::Verdict(TestVerdict::Fail), Kill::Potential) => {
                self.knowledge.exclude(group);
                self.failing.insert(group.to_vec());
            }
            (End::Verdict(TestVerdict::Fail), Kill::Definite) => {
                self.failing.insert(group.to_vec());
            }
            (_, Kill::Definite) => {
                self.knowledge.exclude_for_now(group);
                self.surviving.insert(group.to_vec());
            }
            (_, Kill::Potential) => {}
        }
    }
    fn is_settled(&self, _: &Rc<[Lit]>) -> bool {
        false
    }
    fn heeds_silence(&self) -> bool {
        self.kill == Kill::Definite
    }
    fn silent(&mut self, place: &Place, (_, group): (&View<Place>, &Rc<[Lit]>), stuck: Stuck) -> Vec<Rc<[Lit]>> {
        if self.failure.is_some() {
            return Vec::new();
        }
        match self.without_output(place, group, stuck) {
            Ok(silent) => silent.into_iter().map(Rc::from).collect(),
            Err(failure) => {
                self.failure = Some(failure);
                Vec::new()
            }
        }
    }
}
