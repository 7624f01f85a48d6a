//! All mutants of a game as one system to test: a run of the test follows all of them together until it reaches a state in which
//! some behave differently (\[003\] Definition 4, executed instead of projected).
//!
//! Members are alike in a location if they have the same edges from it, the same invariants in it and in the targets of these
//! edges, and the same urgency. Every location has its classes of alike members, computed once, and a view per class.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::TestVerdict;
use super::error::SuiteFailure;
use super::view::{DiscreteState, View, ViewMove};
use crate::execution::compiled::{CompiledNode, CompiledTest};
use crate::execution::execute::{ExecutionEnd, ExecutionWorld, execute_in};
use tamper_features::{FeatureExpr, Product};
use tamper_game::GameError;
use tamper_game::symbolic::{atoms_of_guard, run_updates, select_values, zone_ops};
use tamper_text::{Budget, Id as _};
use tamper_timed::model::{Automaton, EdgeId, Guard, LocId, Role, Urgency, Valuation};
use tamper_timed::mutation::FeaturedMutants;

/// The members that have each part of a superposition. Members are numbered from 0.
pub struct Family {
    automaton: Automaton,
    n_members: usize,
    edges: Vec<FixedBitSet>,
    /// For each location and conjunct of its invariant: clock atoms, integer conditions.
    invariants: Vec<(Vec<FixedBitSet>, Vec<FixedBitSet>)>,
    urgency: Vec<Vec<(FixedBitSet, Urgency)>>,
    actions: Vec<FixedBitSet>,
    /// For each location, its classes of members that are alike there.
    classes: Vec<Vec<FixedBitSet>>,
}

impl Family {
    /// The mutants that are `products` of `mutants`.
    pub fn new(mutants: &FeaturedMutants, products: &[Product]) -> Self {
        let featured = mutants.automaton();
        let automaton = featured.automaton().clone();
        let conditions = featured.conditions();
        let holding = |when: &FeatureExpr| {
            let mut members = FixedBitSet::with_capacity(products.len());
            members.extend((0..products.len()).filter(|member| when.holds(&products[*member])));
            members
        };
        let all = |conditions: &[FeatureExpr]| conditions.iter().map(holding).collect::<Vec<_>>();
        let mut family = Self {
            n_members: products.len(),
            edges: automaton
                .edges()
                .ids()
                .map(|edge| holding(&featured.edge_condition(edge)))
                .collect(),
            invariants: conditions
                .invariants
                .iter()
                .map(|invariant| (all(&invariant.clocks), all(&invariant.data)))
                .collect(),
            urgency: conditions
                .urgency
                .iter()
                .map(|cases| cases.iter().map(|(when, urgency)| (holding(when), *urgency)).collect())
                .collect(),
            actions: conditions.actions.iter().map(holding).collect(),
            classes: Vec::new(),
            automaton,
        };
        family.classes = family
            .automaton
            .locations()
            .ids()
            .map(|location| family.alike(location))
            .collect();
        family
    }

    /// Number of mutants in the family.
    pub fn n_members(&self) -> usize {
        self.n_members
    }

    fn alike(&self, location: LocId) -> Vec<FixedBitSet> {
        let mut everyone = FixedBitSet::with_capacity(self.n_members);
        everyone.insert_range(..);
        let mut classes = vec![everyone];
        let mut split = |by: &FixedBitSet| {
            classes = classes
                .iter()
                .flat_map(|class| [class & by, difference(class, by)])
                .filter(|class| !class.is_clear())
                .collect();
        };
        let mut parts = |location: LocId| {
            let (clocks, data) = &self.invariants[location.index()];
            clocks.iter().chain(data).for_each(&mut split);
        };
        parts(location);
        let leaving = self.leaving(location).collect::<Vec<_>>();
        for (_, edge) in &leaving {
            parts(edge.target);
        }
        for (id, _) in &leaving {
            split(&self.edges[id.index()]);
        }
        for (members, _) in &self.urgency[location.index()] {
            split(members);
        }
        if self.automaton.is_input_enabled() {
            self.actions.iter().for_each(&mut split);
        }
        classes
    }

    fn leaving(&self, location: LocId) -> impl Iterator<Item = (EdgeId, &tamper_timed::model::Edge)> {
        let edges = self.automaton.edges().iter_enumerated();
        edges
            .map(|(id, edge)| (id, &**edge))
            .filter(move |(_, edge)| edge.source == location)
    }

    fn invariant(&self, location: LocId, member: usize) -> Guard {
        let whole = &self.automaton.locations()[location].invariant;
        let (clocks, data) = &self.invariants[location.index()];
        Guard {
            clocks: present(&whole.clocks, clocks, member),
            data: present(&whole.data, data, member),
        }
    }
}

fn difference(of: &FixedBitSet, without: &FixedBitSet) -> FixedBitSet {
    let mut rest = of.clone();
    rest.difference_with(without);
    rest
}

fn present<T: Clone>(items: &[T], members: &[FixedBitSet], member: usize) -> Vec<T> {
    let pairs = items.iter().zip(members);
    pairs
        .filter(|(_, who)| who.contains(member))
        .map(|(item, _)| item.clone())
        .collect()
}

/// A family in the unit of time of some tests, with its clocks behind the tests' clocks.
pub(super) struct FamilyWorld<'f> {
    family: &'f Family,
    n_test_clocks: usize,
    scale: i64,
    views: FxHashMap<(DiscreteState, usize), Rc<View<DiscreteState>>>,
    /// For each kind of end, the members with a run that ends in this way.
    ends: [FixedBitSet; 4],
    /// Whether only the members that can fail are of interest.
    only_fails: bool,
}

/// The results of one test: the members with a failing run, and the members whose every run fails.
pub(super) struct FamilyEnds {
    pub can_fail: FixedBitSet,
    pub must_fail: FixedBitSet,
}

fn kind(end: ExecutionEnd) -> usize {
    match end {
        ExecutionEnd::Verdict(TestVerdict::Fail) => 0,
        ExecutionEnd::Verdict(TestVerdict::Pass) => 1,
        ExecutionEnd::Verdict(TestVerdict::Inconclusive) => 2,
        ExecutionEnd::Stalled => 3,
    }
}

impl<'f> FamilyWorld<'f> {
    /// The family for tests with that number of clocks and that scale.
    pub fn new(family: &'f Family, n_test_clocks: usize, scale: i64, only_fails: bool) -> Self {
        let none = || FixedBitSet::with_capacity(family.n_members);
        Self {
            family,
            n_test_clocks,
            scale,
            views: FxHashMap::default(),
            ends: [none(), none(), none(), none()],
            only_fails,
        }
    }

    pub fn execute(&mut self, test: &CompiledTest, budget: &Budget) -> Result<FamilyEnds, SuiteFailure> {
        assert_eq!(
            (test.n_clocks, test.scale),
            (self.n_test_clocks, self.scale),
            "the test's unit"
        );
        self.ends.iter_mut().for_each(FixedBitSet::clear);
        execute_in(test, self, budget, &mut |_, _| ())?;
        let can_fail = self.ends[0].clone();
        let mut must_fail = can_fail.clone();
        for other in &self.ends[1..] {
            must_fail.difference_with(other);
        }
        Ok(FamilyEnds { can_fail, must_fail })
    }

    fn view(&mut self, place: &DiscreteState, class: usize) -> Rc<View<DiscreteState>> {
        if let Some(view) = self.views.get(&(place.clone(), class)) {
            return Rc::clone(view);
        }
        let view = self.make_view(place, class);
        // Members without a meaning do not count as members, so a view without a meaning belongs to no run of a member.
        let view = Rc::new(view.unwrap_or_else(|_| View {
            urgent: false,
            invariant: Vec::new(),
            only_outputs: false,
            moves: Vec::new(),
        }));
        self.views.insert((place.clone(), class), Rc::clone(&view));
        view
    }

    fn make_view(&self, place: &DiscreteState, class: usize) -> Result<View<DiscreteState>, GameError> {
        let DiscreteState { location, ints } = place;
        let family = self.family;
        let member = family.classes[location.index()][class]
            .minimum()
            .expect("no class is empty");
        let name = || family.automaton.locations()[*location].name.to_string();
        let valuation = Valuation { ints, selects: &[] };
        let invariant = atoms_of_guard(&family.invariant(*location, member), valuation, &name)?.unwrap_or_default();
        let mut moves = Vec::new();
        let mut speaks_urgently = Vec::new();
        for (id, edge) in family.leaving(*location) {
            if !family.edges[id.index()].contains(member) {
                continue;
            }
            for selects in select_values(&family.automaton, edge)? {
                let made = self.make_move(id, ints, &selects, member);
                let Some(step) = made? else { continue };
                if family.automaton.actions()[edge.action].urgent {
                    speaks_urgently.extend(step.enabled.clone());
                }
                moves.push(step);
            }
        }
        let mut urgent = family.urgency[location.index()]
            .iter()
            .any(|(members, urgency)| members.contains(member) && *urgency != Urgency::Normal);
        let dim = family.automaton.clocks().len() + 1;
        if !speaks_urgently.is_empty() {
            let all = zone_ops::federation(dim, [invariant.as_slice()]);
            urgent |= speaks_urgently
                .iter()
                .any(|enabled| zone_ops::federation(dim, [enabled.as_slice()]).includes(&all));
        }
        let mut view = View {
            urgent,
            invariant,
            only_outputs: false,
            moves,
        };
        if family.automaton.is_input_enabled() {
            for (id, action) in family.automaton.actions().iter_enumerated() {
                if action.role == Role::Input && family.actions[id.index()].contains(member) {
                    view.ignore(action.to_string(), dim, place);
                }
            }
        }
        view.rebase(self.scale, self.n_test_clocks);
        Ok(view)
    }

    /// The move of an edge in the family's clocks and unit, with its condition.
    fn make_move(
        &self,
        id: EdgeId,
        ints: &[i32],
        selects: &[i32],
        member: usize,
    ) -> Result<Option<ViewMove<DiscreteState>>, GameError> {
        let automaton = &self.family.automaton;
        let edge = &automaton.edges()[id];
        let name = || tamper_timed::mutation::edge_name(automaton, id);
        let Some(guard) = atoms_of_guard(&edge.guard, Valuation { ints, selects }, &name)? else {
            return Ok(None);
        };
        let Ok(effect) = run_updates(automaton, edge, ints, selects) else {
            return Ok(None);
        };
        let target = self.family.invariant(edge.target, member);
        ViewMove::of_edge(automaton, id, &guard, effect, &target)
    }
}

impl ExecutionWorld for FamilyWorld<'_> {
    type Place = DiscreteState;
    type Group = FixedBitSet;
    fn n_clocks(&self) -> usize {
        self.family.automaton.clocks().len()
    }
    fn start(&self) -> (DiscreteState, FixedBitSet) {
        let automaton = &self.family.automaton;
        let mut everyone = FixedBitSet::with_capacity(self.family.n_members);
        everyone.insert_range(..);
        (DiscreteState::initial(automaton), everyone)
    }
    fn split(
        &mut self,
        place: &DiscreteState,
        group: &FixedBitSet,
        _: &CompiledNode,
    ) -> Vec<(Rc<View<DiscreteState>>, FixedBitSet)> {
        let classes = &self.family.classes[place.location.index()];
        let mut parts = Vec::new();
        for (class, members) in classes.iter().enumerate() {
            let mut part = members & group;
            if self.only_fails {
                part.difference_with(&self.ends[0]);
            }
            if !part.is_clear() {
                parts.push((self.view(place, class), part));
            }
        }
        parts
    }
    fn beyond(&mut self, group: &FixedBitSet, seen: &FixedBitSet, _: bool) -> Option<FixedBitSet> {
        let mut beyond = group.clone();
        beyond.difference_with(seen);
        (!beyond.is_clear()).then_some(beyond)
    }
    fn unite(&mut self, group: &mut FixedBitSet, other: &FixedBitSet) {
        group.union_with(other);
    }
    fn end(&mut self, end: ExecutionEnd, group: &FixedBitSet) {
        self.ends[kind(end)].union_with(group);
    }
    fn is_settled(&self, group: &FixedBitSet) -> bool {
        self.only_fails && group.is_subset(&self.ends[0])
    }
    fn heeds_silence(&self) -> bool {
        !self.only_fails
    }
}
