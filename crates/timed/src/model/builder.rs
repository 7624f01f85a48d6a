//! Construction of an [`Automaton`]: parts are added in any order, references are checked once at the end.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::hierarchy::Beside;
use super::{
    Action, ActionId, Automaton, Clock, ClockId, Edge, EdgeId, Guard, IntId, IntVar, LocId, Location, ModelError, Role,
    Variants,
};
use tamper_text::{Id, IndexVec};

/// Collects the parts of one automaton.
#[derive(Clone, Debug)]
pub struct AutomatonBuilder {
    automaton: Automaton,
    initial: Option<LocId>,
}

impl AutomatonBuilder {
    /// An automaton of that name without parts; it refuses inputs that no edge accepts.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self {
            automaton: Automaton {
                name: name.into(),
                clocks: Arc::default(),
                ints: Arc::default(),
                actions: Arc::default(),
                locations: IndexVec::new(),
                edges: IndexVec::new(),
                initial: LocId::from_index(0),
                input_enabled: false,
                atomic: false,
                propositions: Arc::default(),
                sees_propositions: false,
                variants: Beside(Variants::UNKNOWN),
                hierarchy: Beside(None),
                unit: Beside(None),
                scripted: Arc::new([]),
            },
            initial: None,
        }
    }
    /// Adds a clock and returns its id.
    pub fn clock(&mut self, name: impl Into<Arc<str>>) -> ClockId {
        let name = name.into();
        let is_left_out = false;
        Arc::make_mut(&mut self.automaton.clocks).push(Clock { name, is_left_out })
    }
    /// Adds a clock of that name that is otherwise like `clock`.
    pub fn clock_like(&mut self, clock: &Clock, name: impl Into<Arc<str>>) -> ClockId {
        let id = self.clock(name);
        Arc::make_mut(&mut self.automaton.clocks)[id].is_left_out = clock.is_left_out;
        id
    }
    /// Adds an integer variable and returns its id.
    pub fn int(&mut self, var: IntVar) -> IntId {
        Arc::make_mut(&mut self.automaton.ints).push(var)
    }
    /// The action of that name and role, added if it is new; `urgent` is kept if it was ever set.
    pub fn action(&mut self, name: &str, role: Role, urgent: bool) -> ActionId {
        let actions = Arc::make_mut(&mut self.automaton.actions);
        let known = actions
            .iter_enumerated()
            .find(|(_, action)| *action.name == *name && action.role == role)
            .map(|(id, _)| id);
        match known {
            Some(id) => {
                actions[id].urgent |= urgent;
                id
            }
            None => actions.push(Action {
                name: name.into(),
                role,
                urgent,
            }),
        }
    }
    /// The internal action `tau`, always the same one.
    pub fn tau(&mut self) -> ActionId {
        self.action("tau", Role::Internal, false)
    }
    /// Adds a location and returns its id.
    pub fn location(&mut self, location: Location) -> LocId {
        self.automaton.locations.push(Arc::new(location))
    }
    /// Adds an edge after the others.
    pub fn edge(&mut self, edge: Edge) -> EdgeId {
        self.automaton.edges.push(Arc::new(edge))
    }
    /// Sets the location in which every run begins.
    pub fn initial(&mut self, location: LocId) {
        self.initial = Some(location);
    }
    /// Sets whether inputs that no edge accepts are ignored (a self loop without reset) instead of refused.
    pub fn input_enabled(&mut self, on: bool) {
        self.automaton.input_enabled = on;
    }

    /// The automaton.
    ///
    /// # Errors
    /// Everything that is wrong with it, in the order of [`ModelError`]'s variants.
    pub fn build(mut self) -> Result<Automaton, Vec<ModelError>> {
        let mut errors = Vec::new();
        match self.initial {
            Some(initial) if self.automaton.locations.get(initial).is_some() => self.automaton.initial = initial,
            _ => errors.push(ModelError::NoInitialLocation),
        }
        let automaton = self.automaton;
        let mut names = BTreeMap::new();
        for (id, location) in automaton.locations.iter_enumerated() {
            if let Some(first) = names.insert(Arc::clone(&location.name), id) {
                errors.push(ModelError::DuplicateLocation(first, id));
            }
            if !automaton.has_parts_of_guard(&location.invariant, 0) {
                errors.push(ModelError::DanglingInvariant(id));
            }
            errors.extend(self_differences(&location.invariant));
        }
        for (id, edge) in automaton.edges.iter_enumerated() {
            if !automaton.has_parts_of_edge(edge) {
                errors.push(ModelError::DanglingEdge(id));
            }
            errors.extend(self_differences(&edge.guard));
        }
        for (id, var) in automaton.ints.iter_enumerated() {
            if var.initial < var.low || var.initial > var.high {
                errors.push(ModelError::BadRange(id));
            }
        }
        if errors.is_empty() { Ok(automaton) } else { Err(errors) }
    }
}

fn self_differences(guard: &Guard) -> impl Iterator<Item = ModelError> + '_ {
    guard
        .clocks
        .iter()
        .filter(|atom| atom.right == Some(atom.left))
        .map(|atom| ModelError::SelfDifference(atom.left))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClockConstraint, Cmp, Expr, Urgency};

    fn location(name: &str) -> Location {
        Location {
            name: name.into(),
            invariant: Guard::always(),
            urgency: Urgency::Normal,
        }
    }

    #[test]
    fn every_error_is_reported_at_once() {
        let mut builder = AutomatonBuilder::new("A");
        let clock = builder.clock("x");
        let first = builder.location(location("l"));
        let second = builder.location(location("l"));
        let tau = builder.tau();
        let int = builder.int(IntVar {
            name: "i".into(),
            low: 1,
            high: 2,
            initial: 0,
        });
        let edge = builder.edge(Edge {
            source: first,
            target: second,
            action: tau,
            guard: Guard {
                clocks: vec![ClockConstraint {
                    left: clock,
                    right: Some(clock),
                    cmp: Cmp::Le,
                    bound: Expr::Select(0),
                }],
                data: vec![],
            },
            updates: vec![],
            selects: vec![],
        });
        assert_eq!(
            builder.build(),
            Err(vec![
                ModelError::NoInitialLocation,
                ModelError::DuplicateLocation(first, second),
                ModelError::DanglingEdge(edge),
                ModelError::SelfDifference(clock),
                ModelError::BadRange(int),
            ])
        );
    }

    #[test]
    fn removing_a_location_moves_later_ids_down() {
        let mut builder = AutomatonBuilder::new("A");
        let ids: Vec<_> = ["a", "b", "c"].map(|name| builder.location(location(name))).into();
        let tau = builder.tau();
        for (source, target) in [(0, 1), (0, 2), (2, 0)] {
            builder.edge(Edge {
                source: ids[source],
                target: ids[target],
                action: tau,
                guard: Guard::always(),
                updates: vec![],
                selects: vec![],
            });
        }
        builder.initial(ids[2]);
        let smaller = builder.build().unwrap().without_location(ids[1]);
        let ends: Vec<_> = smaller
            .edges()
            .iter()
            .map(|e| (e.source.index(), e.target.index()))
            .collect();
        assert_eq!(ends, [(0, 1), (1, 0)]);
        assert_eq!(smaller.initial().index(), 1);
    }
}
