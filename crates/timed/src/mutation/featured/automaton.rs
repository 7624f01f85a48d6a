//! The superposition of all mutants.
//!
//! As in \[003\] section 3.3: a changed edge is another edge beside the original, each with the condition under which it is
//! the one that exists; a changed conjunct of an invariant is another conjunct. Equal parts are merged.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::key::{AtomChanges, EdgeRef, MutationKey, SiteRef};
use super::model::{FeatureIds, FeaturePlan, PlannedEdge};
use super::states::{AtomState, ConjunctionKind, atom_states, clock_atom, guard_states};
use crate::featured::{FeaturedAutomaton, FeaturedError, GuardConditions};
use crate::model::{Automaton, AutomatonBuilder, ClockConstraint, Edge, Guard, LocId, Location};
use crate::mutation::MutationOptions;
use tamper_features::{FeatureExpr, FeatureModel};

/// The input to the construction of the superposition.
#[derive(Clone, Copy, Debug)]
pub struct Merge<'a> {
    pub base: &'a FeaturedAutomaton,
    pub options: &'a MutationOptions,
    pub plan: &'a FeaturePlan,
    /// The numbers of the features.
    pub ids: &'a FeatureIds,
    /// Greatest number of mutations that build on each other.
    pub reach: usize,
}

impl Merge<'_> {
    fn var(&self, key: &MutationKey) -> FeatureExpr {
        self.ids.get(key).map_or(FeatureExpr::False, |id| FeatureExpr::Var(*id))
    }

    pub fn build(&self, model: FeatureModel) -> Result<FeaturedAutomaton, FeaturedError> {
        let base = self.base.automaton();
        let mut conditions = self.base.conditions().clone();
        let mut builder = AutomatonBuilder::new(base.name());
        for clock in base.clocks() {
            builder.clock_like(clock, Arc::clone(&clock.name));
        }
        for int in base.ints() {
            builder.int(int.clone());
        }
        for action in base.actions() {
            builder.action(&action.name, action.role, action.urgent);
        }
        builder.input_enabled(base.is_input_enabled());
        builder.initial(base.initial());
        for (id, location) in base.locations().iter_enumerated() {
            let removed = self.var(&MutationKey::RemoveLocation(id));
            conditions.locations[id] = conditions.locations[id].clone().and(!removed);
            let (invariant, when) = self.invariant(id, location, &conditions.invariants[id]);
            conditions.invariants[id] = when;
            builder.location(Location {
                invariant,
                ..(**location).clone()
            });
        }
        let base_edges = std::mem::take(&mut conditions.edges);
        for (id, edge) in base.edges().iter_enumerated() {
            let states = atom_states(&edge.guard, ConjunctionKind::Guard, self.options, self.reach);
            let origin = EdgeRef::Base(id);
            for (guard, when) in self.guards(&edge.guard, &states, &origin, self.reach) {
                builder.edge(Edge {
                    guard,
                    ..(**edge).clone()
                });
                conditions.edges.push(base_edges[id].clone().and(when));
            }
        }
        let mut dummies = Dummies::of(base);
        for planned in &self.plan.added {
            let added = self.var(&MutationKey::AddEdge(Arc::clone(&planned.edge)));
            let action = builder.action(&dummies.next(), planned.edge.role, false);
            conditions.actions.push(added.clone());
            let cloned = planned.edge.content.edge.map(|edge| &base.edges()[edge]);
            for (guard, when) in self.added_guards(planned) {
                builder.edge(Edge {
                    source: planned.edge.source,
                    target: planned.edge.target,
                    action,
                    guard,
                    updates: cloned.map_or_else(Vec::new, |edge| edge.updates.clone()),
                    selects: cloned.map_or_else(Vec::new, |edge| edge.selects.clone()),
                });
                conditions.edges.push(added.clone().and(when));
            }
        }
        let automaton = builder.build().map_err(|_| FeaturedError::WrongShape)?;
        let automaton = automaton.with_propositions(Arc::clone(base.propositions()));
        FeaturedAutomaton::new(automaton, model, conditions)
    }

    fn added_guards(&self, planned: &PlannedEdge) -> Vec<(Guard, FeatureExpr)> {
        let states = atom_states(&planned.guard, ConjunctionKind::Guard, self.options, planned.depth);
        let origin = EdgeRef::Added(Arc::clone(&planned.edge));
        self.guards(&planned.guard, &states, &origin, planned.depth)
    }

    /// The guards an edge can have, each with its condition; the unchanged one first.
    fn guards(&self, guard: &Guard, states: &[AtomState], origin: &EdgeRef, depth: usize) -> Vec<(Guard, FeatureExpr)> {
        let there = !self.var(&MutationKey::RemoveEdge(origin.clone()));
        let site = SiteRef::Guard(origin.clone());
        let mut guards: Vec<(Guard, Vec<FeatureExpr>)> = Vec::new();
        for (guard, changes) in guard_states(guard, states, depth) {
            let when = self.in_state(&site, states, &changes);
            match guards.iter_mut().find(|(known, _)| *known == guard) {
                Some((_, conditions)) => conditions.push(when),
                None => guards.push((guard, vec![when])),
            }
        }
        let both = |(guard, when): (Guard, Vec<FeatureExpr>)| (guard, FeatureExpr::any(when).and(there.clone()));
        guards.into_iter().map(both).collect()
    }

    /// The condition that exactly `changes` are applied to the atoms.
    fn in_state(&self, site: &SiteRef, states: &[AtomState], changes: &AtomChanges) -> FeatureExpr {
        let atoms: BTreeSet<u32> = states.iter().map(|state| state.atom).collect();
        let in_state = |atom: u32| {
            let path = changes.get(&atom).map_or(&[][..], Vec::as_slice);
            self.at(site, states, atom, path)
        };
        FeatureExpr::all(atoms.into_iter().map(in_state))
    }

    /// The condition that the atom was changed by `path` and by nothing after it.
    fn at(&self, site: &SiteRef, states: &[AtomState], atom: u32, path: &[crate::mutation::Operator]) -> FeatureExpr {
        let feature = |path: &[_]| {
            self.var(&MutationKey::Change {
                site: site.clone(),
                atom,
                path: path.to_vec(),
            })
        };
        let reached = if path.is_empty() {
            FeatureExpr::True
        } else {
            feature(path)
        };
        let later = states
            .iter()
            .filter(|state| state.atom == atom && state.path.split_last().is_some_and(|(_, before)| before == path));
        FeatureExpr::all([reached].into_iter().chain(later.map(|state| !feature(&state.path))))
    }

    /// The conjuncts an invariant can have, the changes of an atom after the atom.
    fn invariant(&self, id: LocId, location: &Location, base: &GuardConditions) -> (Guard, GuardConditions) {
        let states = atom_states(
            &location.invariant,
            ConjunctionKind::Invariant,
            self.options,
            self.reach,
        );
        let site = SiteRef::Invariant(id);
        let mut invariant = Guard {
            clocks: Vec::new(),
            data: location.invariant.data.clone(),
        };
        let mut conditions = GuardConditions {
            clocks: Vec::new(),
            data: base.data.clone(),
        };
        for (atom, (constraint, when)) in (0..).zip(location.invariant.clocks.iter().zip(&base.clocks)) {
            let unchanged = self.at(&site, &states, atom, &[]);
            let mut variants: Vec<(ClockConstraint, Vec<FeatureExpr>)> = vec![(constraint.clone(), vec![unchanged])];
            for state in states.iter().filter(|state| state.atom == atom) {
                let changed = clock_atom(state.new);
                let at = self.at(&site, &states, atom, &state.path);
                match variants.iter_mut().find(|(known, _)| *known == changed) {
                    Some((_, conditions)) => conditions.push(at),
                    None => variants.push((changed, vec![at])),
                }
            }
            for (constraint, at) in variants {
                invariant.clocks.push(constraint);
                conditions.clocks.push(when.clone().and(FeatureExpr::any(at)));
            }
        }
        (invariant, conditions)
    }
}

/// Fresh names `dummy_k` that are not used in the automaton.
struct Dummies {
    taken: BTreeSet<Arc<str>>,
    k: usize,
}

impl Dummies {
    fn of(automaton: &Automaton) -> Self {
        let actions = automaton.actions().iter().map(|action| &action.name);
        let clocks = automaton.clocks().iter().map(|clock| &clock.name);
        let ints = automaton.ints().iter().map(|int| &int.name);
        Self {
            taken: actions.chain(clocks).chain(ints).cloned().collect(),
            k: 0,
        }
    }
    fn next(&mut self) -> String {
        loop {
            self.k += 1;
            let name = format!("dummy_{}", self.k);
            if !self.taken.contains(name.as_str()) {
                return name;
            }
        }
    }
}
