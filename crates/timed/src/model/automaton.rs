//! One timed game.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::hierarchy::Beside;
use super::{
    Action, ActionId, Clock, ClockId, Edge, EdgeId, Expr, Guard, Hierarchy, IntId, IntVar, LocId, Location, Role,
    Update, Variants,
};
use tamper_text::{Id, IndexVec};

/// The atomic propositions that hold in each location, by its name; none hold in locations that are not listed (\[003\]
/// Definition 2).
pub type Propositions = BTreeMap<Arc<str>, BTreeSet<Arc<str>>>;

/// A timed game: well-formed, immutable; copies share their parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Automaton {
    pub(super) name: Arc<str>,
    pub(super) clocks: Arc<IndexVec<ClockId, Clock>>,
    pub(super) ints: Arc<IndexVec<IntId, IntVar>>,
    pub(super) actions: Arc<IndexVec<ActionId, Action>>,
    pub(super) locations: IndexVec<LocId, Arc<Location>>,
    pub(super) edges: IndexVec<EdgeId, Arc<Edge>>,
    pub(super) initial: LocId,
    pub(super) input_enabled: bool,
    pub(super) atomic: bool,
    pub(super) propositions: Arc<Propositions>,
    pub(super) sees_propositions: bool,
    pub(super) variants: Beside<Variants<Self>>,
    pub(super) hierarchy: Beside<Option<Arc<Hierarchy>>>,
    pub(super) unit: Beside<Option<&'static str>>,
    pub(super) scripted: Arc<[IntId]>,
}

/// Names for second copies of the locations `later`, beside locations of the names `known`: `Idle_again` for `Idle`.
pub fn names_again<'n>(
    known: impl IntoIterator<Item = &'n Arc<str>>,
    later: impl IntoIterator<Item = &'n Arc<str>>,
) -> Vec<Arc<str>> {
    let mut taken: BTreeSet<Arc<str>> = known.into_iter().cloned().collect();
    let name = |name: &Arc<str>| {
        let mut again = format!("{name}_again");
        while taken.contains(again.as_str()) {
            again.push('_');
        }
        let again: Arc<str> = again.into();
        taken.insert(Arc::clone(&again));
        again
    };
    later.into_iter().map(name).collect()
}

impl Automaton {
    /// The name of the automaton.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The clocks, in order of their ids.
    pub fn clocks(&self) -> &IndexVec<ClockId, Clock> {
        &self.clocks
    }
    /// The integer variables, in order of their ids.
    pub fn ints(&self) -> &IndexVec<IntId, IntVar> {
        &self.ints
    }
    /// Its alphabet: the actions declared or used. A mutant keeps the alphabet of its original.
    pub fn actions(&self) -> &IndexVec<ActionId, Action> {
        &self.actions
    }
    /// The locations, in order of their ids.
    pub fn locations(&self) -> &IndexVec<LocId, Arc<Location>> {
        &self.locations
    }
    /// Its edges, in file order.
    pub fn edges(&self) -> &IndexVec<EdgeId, Arc<Edge>> {
        &self.edges
    }
    /// The location in which every run begins.
    pub fn initial(&self) -> LocId {
        self.initial
    }
    /// Whether an input of the alphabet that no edge accepts is ignored (a self loop without reset) instead of refused.
    pub fn is_input_enabled(&self) -> bool {
        self.input_enabled
    }
    /// Whether committed locations are parts of atomic steps: the game refuses no input there, because the next step comes
    /// at once. So it is in the composition of a network; in a single game committed means urgent.
    pub fn is_atomic(&self) -> bool {
        self.atomic
    }
    /// The propositions that hold in its locations. Refinement ignores them unless they are seen.
    pub fn propositions(&self) -> &Arc<Propositions> {
        &self.propositions
    }
    /// Whether refinement compares the propositions that hold in its locations.
    pub fn sees_propositions(&self) -> bool {
        self.sees_propositions
    }
    /// The input that shows which propositions hold in `location`, and changes nothing; `None` if propositions are not
    /// seen, or if these hold in no location of the games that were compared first.
    pub fn shown(&self, location: LocId) -> Option<ActionId> {
        let name = self.sees_propositions.then(|| self.display(location))?;
        self.actions.ids().find(|id| *self.actions[*id].name == *name)
    }
    /// `{p, q}`.
    fn display(&self, location: LocId) -> String {
        let held = self.propositions.get(&self.locations[location].name);
        let names: Vec<&str> = held.into_iter().flatten().map(|name| &**name).collect();
        format!("{{{}}}", names.join(", "))
    }
    /// The role of an edge's action.
    pub fn role(&self, edge: EdgeId) -> Role {
        self.actions[self.edges[edge].action].role
    }
    /// The edges that enter `location`.
    pub fn entering(&self, location: LocId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.edges
            .iter_enumerated()
            .filter(move |(_, edge)| edge.target == location)
            .map(|(id, edge)| (id, &**edge))
    }

    /// What its file would mean with one mistake in its own words.
    pub fn variants(&self) -> &Variants<Self> {
        &self.variants.0
    }
    /// The boxes that its file draws it in; `None` if the file draws its locations.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        let hierarchy = self.hierarchy.0.as_deref()?;
        let is_its = hierarchy.located.len() == self.locations.len() && hierarchy.taken.len() == self.edges.len();
        is_its.then_some(hierarchy)
    }
    /// What its file counts time in, e.g. `ms`; `None` if in units without a name.
    pub fn unit(&self) -> Option<&'static str> {
        self.unit.0
    }
    /// The automaton with this unit of time.
    #[must_use]
    pub fn with_unit(self, unit: &'static str) -> Self {
        Self {
            unit: Beside(Some(unit)),
            ..self
        }
    }
    /// The automaton with these boxes.
    #[must_use]
    pub fn with_hierarchy(self, hierarchy: Option<Hierarchy>) -> Self {
        Self {
            hierarchy: Beside(hierarchy.map(Arc::new)),
            ..self
        }
    }
    /// The variables that stand for what a program's data says: a test sets them, and whether the data ever says so is not known.
    pub fn scripted(&self) -> &[IntId] {
        &self.scripted
    }
    /// The automaton with these variables for data.
    ///
    /// # Panics
    /// If it lacks one of them.
    #[must_use]
    pub fn with_scripted(self, scripted: impl Into<Arc<[IntId]>>) -> Self {
        let scripted = scripted.into();
        assert!(
            scripted.iter().all(|int| self.ints.get(*int).is_some()),
            "variables for data are variables of the automaton"
        );
        Self { scripted, ..self }
    }
    /// The automaton with these variants.
    #[must_use]
    pub fn with_variants(self, variants: Variants<Self>) -> Self {
        Self {
            variants: Beside(variants),
            ..self
        }
    }

    /// A copy with another name.
    #[must_use]
    pub fn renamed(&self, name: impl Into<Arc<str>>) -> Self {
        Self {
            name: name.into(),
            ..self.clone()
        }
    }
    /// A copy that ignores (`true`) or refuses (`false`) inputs no edge accepts.
    #[must_use]
    pub fn with_input_enabling(&self, input_enabled: bool) -> Self {
        Self {
            input_enabled,
            ..self.clone()
        }
    }
    /// A copy with these propositions.
    #[must_use]
    pub fn with_propositions(&self, propositions: impl Into<Arc<Propositions>>) -> Self {
        Self {
            propositions: propositions.into(),
            ..self.clone()
        }
    }
    /// A copy to be compared with a copy of `other` made in the same way: each location accepts an input that shows which
    /// propositions hold there. So a refinement relates only states in which the same propositions hold.
    #[must_use]
    pub fn with_seen_propositions(&self, other: &Self) -> Self {
        let names = |game: &Self| game.locations.ids().map(|id| game.display(id)).collect::<BTreeSet<_>>();
        let mut copy = self.clone();
        copy.sees_propositions = true;
        for name in &names(self) | &names(other) {
            let shown = Action {
                name: name.into(),
                role: Role::Input,
                urgent: false,
            };
            (copy, _) = copy.with_action(shown);
        }
        copy
    }
    /// A copy with the clocks marked as left out for whose position `is_left_out` holds.
    #[must_use]
    pub fn with_clocks_left_out(&self, is_left_out: impl Fn(usize) -> bool) -> Self {
        let mut copy = self.clone();
        for (at, clock) in Arc::make_mut(&mut copy.clocks).iter_mut().enumerate() {
            clock.is_left_out |= is_left_out(at);
        }
        copy
    }
    /// A copy whose committed locations are (`true`) or are not (`false`) parts of atomic steps.
    #[must_use]
    pub fn with_atomic_steps(&self, atomic: bool) -> Self {
        Self { atomic, ..self.clone() }
    }
    /// A copy without `edge`; the numbers of later edges decrease by one. The alphabet is unchanged.
    ///
    /// # Panics
    /// If there is no such edge.
    #[must_use]
    pub fn without_edge(&self, edge: EdgeId) -> Self {
        let mut copy = self.clone();
        copy.edges.remove(edge);
        copy
    }
    /// A copy with one more action and, at the end, one more edge labelled with it. The `action` of `edge` is replaced.
    ///
    /// # Panics
    /// If the edge refers to parts the automaton does not have.
    #[must_use]
    pub fn with_new_action_edge(&self, action: Action, mut edge: Edge) -> Self {
        let mut copy = self.clone();
        let mut actions = (*self.actions).clone();
        edge.action = actions.push(action);
        copy.actions = Arc::new(actions);
        assert!(
            copy.has_parts_of_edge(&edge),
            "the added edge refers only to parts of the automaton"
        );
        copy.edges.push(Arc::new(edge));
        copy
    }
    /// A copy without `location` and its edges; the numbers of later locations and edges decrease. The alphabet is
    /// unchanged.
    ///
    /// # Panics
    /// If `location` is the initial location.
    #[must_use]
    pub fn without_location(&self, location: LocId) -> Self {
        assert!(location != self.initial, "the initial location cannot be removed");
        let moved = |id: LocId| {
            if id > location {
                LocId::from_index(id.index() - 1)
            } else {
                id
            }
        };
        let mut copy = self.clone();
        if self.propositions.contains_key(&self.locations[location].name) {
            Arc::make_mut(&mut copy.propositions).remove(&self.locations[location].name);
        }
        copy.locations.remove(location);
        copy.initial = moved(self.initial);
        copy.edges = self
            .edges
            .iter()
            .filter(|edge| edge.source != location && edge.target != location)
            .map(|edge| {
                if edge.source < location && edge.target < location {
                    Arc::clone(edge)
                } else {
                    Arc::new(Edge {
                        source: moved(edge.source),
                        target: moved(edge.target),
                        ..(**edge).clone()
                    })
                }
            })
            .collect();
        copy
    }
    /// A copy in which `edge` has another guard.
    ///
    /// # Panics
    /// If the guard refers to parts the automaton does not have.
    #[must_use]
    pub fn with_guard(&self, edge: EdgeId, guard: Guard) -> Self {
        let old = (*self.edges[edge]).clone();
        self.with_edge(edge, Edge { guard, ..old })
    }
    /// A copy in which `location` has another invariant.
    ///
    /// # Panics
    /// If the invariant refers to parts the automaton does not have.
    #[must_use]
    pub fn with_invariant(&self, location: LocId, invariant: Guard) -> Self {
        let old = (*self.locations[location]).clone();
        self.with_location(location, Location { invariant, ..old })
    }
    /// A copy with `edge` in place of the edge `id`.
    ///
    /// # Panics
    /// If the edge refers to parts the automaton does not have.
    #[must_use]
    pub fn with_edge(&self, id: EdgeId, edge: Edge) -> Self {
        let mut copy = self.clone();
        assert!(
            self.has_parts_of_edge(&edge),
            "the edge refers only to parts of the automaton"
        );
        copy.edges[id] = Arc::new(edge);
        copy
    }
    /// A copy with `location` in place of the location `id`.
    ///
    /// # Panics
    /// If its invariant refers to parts the automaton does not have.
    #[must_use]
    pub fn with_location(&self, id: LocId, location: Location) -> Self {
        let mut copy = self.clone();
        assert!(
            self.has_parts_of_guard(&location.invariant, 0),
            "the invariant refers only to parts of the automaton"
        );
        copy.locations[id] = Arc::new(location);
        copy
    }
    /// A copy with one more location, the last one, and its id.
    ///
    /// # Panics
    /// If there is a location of that name, or its invariant refers to parts the automaton does not have.
    #[must_use]
    pub fn with_new_location(&self, location: Location) -> (Self, LocId) {
        let mut copy = self.clone();
        assert!(
            self.locations.iter().all(|known| known.name != location.name),
            "names of locations are unique"
        );
        assert!(
            self.has_parts_of_guard(&location.invariant, 0),
            "the invariant refers only to parts of the automaton"
        );
        let id = copy.locations.push(Arc::new(location));
        (copy, id)
    }
    /// A copy with one more edge, the last one.
    ///
    /// # Panics
    /// If the edge refers to parts the automaton does not have.
    #[must_use]
    pub fn with_new_edge(&self, edge: Edge) -> Self {
        let mut copy = self.clone();
        assert!(
            self.has_parts_of_edge(&edge),
            "the edge refers only to parts of the automaton"
        );
        copy.edges.push(Arc::new(edge));
        copy
    }
    /// A copy that goes on as `later` for good once it takes one of the edges `passed`. The parts of `later` come behind its own, its
    /// locations under new names: `Idle_again` for `Idle`. `later` is this automaton with other edges, invariants and urgencies, and
    /// perhaps more locations and actions, behind its own.
    ///
    /// # Panics
    /// If `later` lacks a location or an action, or `passed` names no edge.
    #[must_use]
    pub fn continued_as(&self, later: &Self, passed: &[EdgeId]) -> Self {
        let n = self.locations.len();
        assert!(
            later.locations.len() >= n && later.actions.len() >= self.actions.len(),
            "locations and actions stay"
        );
        let moved = |id: LocId| LocId::from_index(n + id.index());
        let mut copy = Self {
            actions: Arc::clone(&later.actions),
            ..self.clone()
        };
        let [known, own] = [self, later].map(|game| game.locations.iter().map(|location| &location.name));
        for (location, name) in later.locations.iter().zip(names_again(known, own)) {
            if let Some(held) = later.propositions.get(&location.name).cloned() {
                Arc::make_mut(&mut copy.propositions).insert(Arc::clone(&name), held);
            }
            let location = (**location).clone();
            copy.locations.push(Arc::new(Location { name, ..location }));
        }
        for id in passed {
            let edge = (*copy.edges[*id]).clone();
            copy.edges[*id] = Arc::new(Edge {
                target: moved(edge.target),
                ..edge
            });
        }
        for edge in &later.edges {
            copy.edges.push(Arc::new(Edge {
                source: moved(edge.source),
                target: moved(edge.target),
                ..(**edge).clone()
            }));
        }
        copy
    }
    /// A copy that has the action of that name and role, and its id; if it is new, it comes last.
    #[must_use]
    pub fn with_action(&self, action: Action) -> (Self, ActionId) {
        let is_it = |known: &Action| known.name == action.name && known.role == action.role;
        let known = self.actions.iter_enumerated().find(|(_, known)| is_it(known));
        match known {
            Some((id, _)) => (self.clone(), id),
            None => {
                let mut actions = (*self.actions).clone();
                let id = actions.push(action);
                let copy = Self {
                    actions: Arc::new(actions),
                    ..self.clone()
                };
                (copy, id)
            }
        }
    }
    /// A copy with one more integer variable, the last one, and its id.
    ///
    /// # Panics
    /// If its initial value is not in its range.
    #[must_use]
    pub fn with_int(&self, var: IntVar) -> (Self, IntId) {
        assert!(
            (var.low..=var.high).contains(&var.initial),
            "the initial value is in the range"
        );
        let mut ints = (*self.ints).clone();
        let id = ints.push(var);
        let copy = Self {
            ints: Arc::new(ints),
            ..self.clone()
        };
        (copy, id)
    }
    /// A copy in which these edges have this action.
    ///
    /// # Panics
    /// If the automaton does not have them.
    #[must_use]
    pub fn with_action_of(&self, edges: &[EdgeId], action: ActionId) -> Self {
        let mut copy = self.clone();
        assert!(self.actions.get(action).is_some(), "the action is one of the automaton");
        for id in edges {
            let edge = Edge {
                action,
                ..(*copy.edges[*id]).clone()
            };
            copy.edges[*id] = Arc::new(edge);
        }
        copy
    }
    /// A copy in which the channel of `action` is urgent, or is not.
    #[must_use]
    pub fn with_urgency(&self, action: ActionId, urgent: bool) -> Self {
        let mut actions = (*self.actions).clone();
        actions[action].urgent = urgent;
        Self {
            actions: Arc::new(actions),
            ..self.clone()
        }
    }
}

/// Checks that references to parts of the automaton are valid.
impl Automaton {
    /// Whether `edge` refers only to parts that the automaton has.
    pub(super) fn has_parts_of_edge(&self, edge: &Edge) -> bool {
        let n_selects = edge.selects.len();
        self.locations.get(edge.source).is_some()
            && self.locations.get(edge.target).is_some()
            && self.actions.get(edge.action).is_some()
            && self.has_parts_of_guard(&edge.guard, n_selects)
            && edge.updates.iter().all(|update| match update {
                Update::Reset(clock, value) => {
                    self.clocks.get(*clock).is_some() && self.has_parts_of_expr(value, n_selects)
                }
                Update::Assign(int, value) => self.ints.get(*int).is_some() && self.has_parts_of_expr(value, n_selects),
            })
    }
    /// Whether `guard` refers only to parts that the automaton has and the first `n_selects` select variables.
    pub(super) fn has_parts_of_guard(&self, guard: &Guard, n_selects: usize) -> bool {
        let has_clock = |clock| self.clocks.get(clock).is_some();
        guard.data.iter().all(|e| self.has_parts_of_expr(e, n_selects))
            && guard.clocks.iter().all(|atom| {
                has_clock(atom.left)
                    && atom.right.is_none_or(has_clock)
                    && self.has_parts_of_expr(&atom.bound, n_selects)
            })
    }
    fn has_parts_of_expr(&self, expr: &Expr, n_selects: usize) -> bool {
        let mut closed = true;
        expr.walk(&mut |part| match part {
            Expr::Var(int) => closed &= self.ints.get(*int).is_some(),
            Expr::Select(position) => closed &= (*position as usize) < n_selects,
            _ => {}
        });
        closed
    }
}
