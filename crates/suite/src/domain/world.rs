//! All products of a family as one system to test: groups are sets of products.
//!
//! The end of a run is decided by what a single product can do. So each output is examined separately, whatever other outputs there
//! are, and products are distinguished by the invariant at their location, by its urgency, and by the edges that accept the input
//! in question. Only where time is stopped do all outputs matter together: a product that is silent there lacks each output that is
//! possible at some point of the end of time.

use std::rc::Rc;

use super::parts::{FamilySets, Set};
use crate::error::SuiteFailure;
use crate::execution::compiled::{CompiledAct, CompiledNode};
use crate::execution::execute::{ExecutionEnd, ExecutionWorld, TimelockPoints, Who, execute_in};
use crate::execution::subject::scaled_atoms;
use crate::view::{DiscreteState, View, ViewMove};
use crate::{CompiledTest, Kill, TestVerdict};
use tamper_features::ProductSets as _;
use tamper_game::GameError;
use tamper_game::symbolic::{Atom, atoms_of_guard, run_updates, select_values, zone_ops};
use tamper_text::{Budget, StopReason};
use tamper_timed::featured::FeaturedAutomaton;
use tamper_timed::model::{EdgeId, Guard, LocId, Role, Urgency, Valuation};

pub(super) struct DomainWorld<'d> {
    featured: &'d FeaturedAutomaton,
    parts: &'d mut FamilySets,
    n_test_clocks: usize,
    scale: i64,
    kill: Kill,
    /// The products of which nothing is known yet.
    open: Set,
    /// The products of runs that fail.
    failing: Set,
    /// The products of runs that end in another way, if they are of interest.
    surviving: Set,
    /// The first failure, which stops the execution.
    failure: Option<SuiteFailure>,
    /// The location where runs begin, and the products that begin there.
    start: (LocId, Set),
}

/// The moves that the members of a group can make at a place, and these members.
type MemberMoves = (Rc<View<DiscreteState>>, Set);

impl<'d> DomainWorld<'d> {
    /// The products in `open` that some run of the test fails, or every run, as `kill` says.
    ///
    /// # Errors
    /// The budget, which counts the states of the execution, and products without a meaning.
    pub fn killed(
        featured: &'d FeaturedAutomaton,
        parts: &'d mut FamilySets,
        open: Set,
        test: &CompiledTest,
        kill: Kill,
        budget: &Budget,
    ) -> Result<Set, SuiteFailure> {
        let none = parts.sets.none();
        let mut world = Self {
            featured,
            parts,
            n_test_clocks: test.n_clocks,
            scale: test.scale,
            kill,
            open,
            failing: none,
            surviving: none,
            failure: None,
            start: (featured.automaton().initial(), none),
        };
        for at in 0..world.parts.initial.len() {
            let (when, initial) = world.parts.initial[at];
            world.start = (initial, world.parts.sets.and(&world.open, &when)?);
            let executed = execute_in(test, &mut world, budget, &mut |_, _| ());
            if let Some(failure) = world.failure {
                return Err(failure);
            }
            executed?;
        }
        Ok(world.parts.sets.minus(&world.failing, &world.surviving)?)
    }

    fn split_up(
        &mut self,
        place: &DiscreteState,
        group: Set,
        node: &CompiledNode,
    ) -> Result<Vec<MemberMoves>, SuiteFailure> {
        let group = self.parts.sets.and(&group, &self.open)?;
        if self.parts.sets.is_empty(&group) {
            return Ok(Vec::new());
        }
        let asked: Vec<&str> = node.rules.iter().filter_map(|rule| input_of(&rule.act)).collect();
        let (inputs, outputs) = self.leaving(place.location, &asked);
        let mut classes = self.parts.decided_here(group, place.location)?;
        for edge in &inputs {
            classes = self.by_edge(classes, *edge)?;
        }
        if self.featured.automaton().is_input_enabled() {
            for action in self.alphabet(&asked) {
                classes = self.parts.decided(classes, action)?;
            }
        }
        let mut alike = Vec::new();
        for (class, urgent) in self.by_urgency(place, classes)? {
            let mut view = self.view(place, class)?;
            view.urgent |= urgent;
            for edge in &inputs {
                view.moves.extend(self.moves(*edge, place, class)?);
            }
            if self.featured.automaton().is_input_enabled() {
                self.ignore(&mut view, place, class, &asked)?;
            }
            view.rebase(self.scale, self.n_test_clocks);
            alike.push((Rc::new(view), class));
            for edge in &outputs {
                for class in self.having(class, *edge)? {
                    let mut view = self.view(place, class)?;
                    view.urgent |= urgent;
                    view.only_outputs = true;
                    view.moves = self.moves(*edge, place, class)?;
                    if !view.moves.is_empty() {
                        view.rebase(self.scale, self.n_test_clocks);
                        alike.push((Rc::new(view), class));
                    }
                }
            }
        }
        Ok(alike)
    }

    /// The classes, separated by whether some edge on an urgent channel can be taken: it can be taken wherever the invariant holds,
    /// or nowhere.
    fn by_urgency(&mut self, place: &DiscreteState, classes: Vec<Set>) -> Result<Vec<(Set, bool)>, SuiteFailure> {
        let automaton = self.featured.automaton();
        let leaving = automaton.edges().iter_enumerated();
        let urgent: Vec<EdgeId> = leaving
            .filter(|(_, edge)| edge.source == place.location && automaton.actions()[edge.action].urgent)
            .map(|(id, _)| id)
            .collect();
        let (mut open, mut found) = (classes, Vec::new());
        for edge in urgent {
            let mut next = Vec::new();
            for class in self.by_edge(open, edge)? {
                match self.is_enabled(edge, place, class)? {
                    true => found.push((class, true)),
                    false => next.push(class),
                }
            }
            open = next;
        }
        found.extend(open.into_iter().map(|class| (class, false)));
        Ok(found)
    }
    /// Whether the edge, which is on an urgent channel, exists and can be taken.
    fn is_enabled(&mut self, edge: EdgeId, place: &DiscreteState, class: Set) -> Result<bool, SuiteFailure> {
        let automaton = self.featured.automaton();
        let dim = automaton.clocks().len() + 1;
        let all = zone_ops::federation(dim, [self.view(place, class)?.invariant.as_slice()]);
        let mut is_enabled = false;
        for step in self.moves(edge, place, class)? {
            let mut enabled = zone_ops::federation(dim, step.enabled.iter().map(Vec::as_slice));
            enabled.intersect(&all);
            if enabled.includes(&all) {
                is_enabled = true;
            } else if !enabled.is_empty() {
                let edge = tamper_timed::mutation::edge_name(automaton, edge);
                return Err(GameError::UrgentDependsOnClocks { edge }.into());
            }
        }
        Ok(is_enabled)
    }
    /// The products of `group`, which agree on the invariant, that have no output at some point of `stuck`. Each output that is
    /// possible at some of its points leaves the other points to all products, and its points to the products without it.
    fn without_output(
        &mut self,
        place: &DiscreteState,
        group: Set,
        stuck: TimelockPoints,
    ) -> Result<Vec<Set>, SuiteFailure> {
        let mut cells = vec![(group, stuck)];
        for edge in self.leaving(place.location, &[]).1 {
            for class in self.having(group, edge)? {
                let moves = self.moves(edge, place, class)?;
                for atoms in moves.iter().flat_map(|step| &step.enabled) {
                    let atoms = self.placed(atoms);
                    let mut next = Vec::new();
                    for (who, stuck) in cells {
                        let inside = stuck.clone().within(&atoms);
                        if inside.is_empty() {
                            next.push((who, stuck));
                            continue;
                        }
                        let outside = stuck.without(std::iter::once(atoms.as_slice()));
                        let silent = self.parts.sets.minus(&who, &class)?;
                        if !self.parts.sets.is_empty(&silent) {
                            next.push((silent, inside));
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

    /// The edges that accept one of the inputs, and the edges with outputs.
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
    fn alphabet(&self, asked: &[&str]) -> Vec<Set> {
        let actions = self.featured.automaton().actions().iter_enumerated();
        let known = actions.filter(|(_, action)| asked.contains(&action.to_string().as_str()));
        known.map(|(id, _)| self.parts.actions[id]).collect()
    }
    /// The classes, split by whether the edge exists, and if so by its target.
    fn by_edge(&mut self, classes: Vec<Set>, edge: EdgeId) -> Result<Vec<Set>, StopReason> {
        let mut split = Vec::new();
        for class in classes {
            split.extend(self.having(class, edge)?);
            let without = self.parts.sets.minus(&class, &self.parts.edges[edge])?;
            split.extend((!self.parts.sets.is_empty(&without)).then_some(without));
        }
        Ok(split)
    }
    /// The products of the class that have the edge, split by its target.
    fn having(&mut self, class: Set, edge: EdgeId) -> Result<Vec<Set>, StopReason> {
        let with = self.parts.sets.and(&class, &self.parts.edges[edge])?;
        match self.parts.sets.is_empty(&with) {
            true => Ok(Vec::new()),
            false => {
                let target = self.featured.automaton().edges()[edge].target;
                self.parts.decided_invariant(vec![with], target)
            }
        }
    }

    fn invariant(&mut self, location: LocId, class: Set) -> Result<Guard, StopReason> {
        let whole = &self.featured.automaton().locations()[location].invariant;
        let mut guard = Guard::always();
        for (at, atom) in whole.clocks.iter().enumerate() {
            let when = self.parts.invariants[location].clocks[at];
            if self.parts.has(class, when)? {
                guard.clocks.push(atom.clone());
            }
        }
        for (at, condition) in whole.data.iter().enumerate() {
            let when = self.parts.invariants[location].data[at];
            if self.parts.has(class, when)? {
                guard.data.push(condition.clone());
            }
        }
        Ok(guard)
    }
    /// The view of a place without moves, in the family's clocks and unit.
    fn view(
        &mut self,
        DiscreteState { location, ints }: &DiscreteState,
        class: Set,
    ) -> Result<View<DiscreteState>, SuiteFailure> {
        let featured = self.featured;
        let name = || featured.automaton().locations()[*location].name.to_string();
        let guard = self.invariant(*location, class)?;
        let invariant = atoms_of_guard(&guard, Valuation { ints, selects: &[] }, &name)?;
        let mut urgent = false;
        for at in 0..self.parts.urgency[*location].len() {
            let (when, urgency) = self.parts.urgency[*location][at];
            urgent |= urgency != Urgency::Normal && self.parts.has(class, when)?;
        }
        Ok(View {
            urgent,
            invariant: invariant.unwrap_or_default(),
            only_outputs: false,
            moves: Vec::new(),
        })
    }
    /// The moves of an edge, if it exists, in the family's clocks and unit.
    fn moves(
        &mut self,
        id: EdgeId,
        place: &DiscreteState,
        class: Set,
    ) -> Result<Vec<ViewMove<DiscreteState>>, SuiteFailure> {
        let mut moves = Vec::new();
        if !self.parts.has(class, self.parts.edges[id])? {
            return Ok(moves);
        }
        let automaton = self.featured.automaton();
        let edge = &automaton.edges()[id];
        let name = || tamper_timed::mutation::edge_name(automaton, id);
        let target = self.invariant(edge.target, class)?;
        for selects in select_values(automaton, edge)? {
            let valuation = Valuation {
                ints: &place.ints,
                selects: &selects,
            };
            let Some(guard) = atoms_of_guard(&edge.guard, valuation, &name)? else {
                continue;
            };
            let effect = run_updates(automaton, edge, &place.ints, &selects)?;
            moves.extend(ViewMove::of_edge(automaton, id, &guard, effect, &target)?);
        }
        Ok(moves)
    }
    /// Adds the loops of inputs that no edge accepts.
    fn ignore(
        &mut self,
        view: &mut View<DiscreteState>,
        place: &DiscreteState,
        class: Set,
        asked: &[&str],
    ) -> Result<(), SuiteFailure> {
        let featured = self.featured;
        let dim = featured.automaton().clocks().len() + 1;
        for (id, action) in featured.automaton().actions().iter_enumerated() {
            let label = action.to_string();
            let is_known = self.parts.has(class, self.parts.actions[id])?;
            if !is_known || action.role != Role::Input || !asked.contains(&label.as_str()) {
                continue;
            }
            view.ignore(label, dim, place);
        }
        Ok(())
    }
    fn placed(&self, atoms: &[Atom]) -> Vec<Atom> {
        scaled_atoms(atoms, self.scale, self.n_test_clocks)
    }
}

fn input_of(act: &CompiledAct) -> Option<&str> {
    match act {
        CompiledAct::Input(action, _) => Some(action),
        CompiledAct::Stop(_) => None,
    }
}

impl DomainWorld<'_> {
    fn ends(&mut self, end: ExecutionEnd, group: Set) -> Result<(), StopReason> {
        let is_failure = end == ExecutionEnd::Verdict(TestVerdict::Fail);
        if is_failure {
            self.failing = self.parts.sets.or(&self.failing, &group)?;
        } else if self.kill == Kill::Definite {
            self.surviving = self.parts.sets.or(&self.surviving, &group)?;
        }
        // For a potential kill one failing run decides, for a definite kill one run with another end.
        if is_failure == (self.kill == Kill::Potential) {
            self.open = self.parts.sets.minus(&self.open, &group)?;
        }
        Ok(())
    }
    fn without(&mut self, group: Set, seen: Set) -> Result<Option<Set>, StopReason> {
        let beyond = self.parts.sets.minus(&group, &seen)?;
        Ok((!self.parts.sets.is_empty(&beyond)).then_some(beyond))
    }
    /// The answer; after a failure, the default value, as the failure is kept.
    fn unless_stopped<T: Default>(&mut self, answer: Result<T, impl Into<SuiteFailure>>) -> T {
        answer.unwrap_or_else(|failure| {
            self.failure.get_or_insert(failure.into());
            T::default()
        })
    }
}

impl ExecutionWorld for DomainWorld<'_> {
    type Place = DiscreteState;
    type Group = Set;
    fn n_clocks(&self) -> usize {
        self.featured.automaton().clocks().len()
    }
    fn start(&self) -> (DiscreteState, Set) {
        let automaton = self.featured.automaton();
        let (initial, who) = self.start;
        (
            DiscreteState {
                location: initial,
                ..DiscreteState::initial(automaton)
            },
            who,
        )
    }
    fn split(&mut self, place: &DiscreteState, group: &Set, node: &CompiledNode) -> Vec<MemberMoves> {
        let parts = self.split_up(place, *group, node);
        self.unless_stopped(parts)
    }
    fn beyond(&mut self, group: &Set, seen: &Set, _: bool) -> Option<Set> {
        let beyond = self.without(*group, *seen);
        self.unless_stopped(beyond)
    }
    fn unite(&mut self, group: &mut Set, other: &Set) {
        match self.parts.sets.or(group, other) {
            Ok(both) => *group = both,
            Err(reason) => self.unless_stopped(Err(reason)),
        }
    }
    fn end(&mut self, end: ExecutionEnd, group: &Set) {
        let ended = self.ends(end, *group);
        self.unless_stopped(ended);
    }
    fn is_settled(&self, _: &Set) -> bool {
        self.failure.is_some()
    }
    fn heeds_silence(&self) -> bool {
        self.kill == Kill::Definite
    }
    fn silent(&mut self, who: Who<'_, Self>, stuck: TimelockPoints) -> Vec<Set> {
        let silent = self.without_output(who.place, *who.group, stuck);
        self.unless_stopped(silent)
    }
}
