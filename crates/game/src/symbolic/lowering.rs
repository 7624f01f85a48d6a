//! From automata to arenas: discrete states as nodes, edges as moves.
//!
//! Discrete states are made on demand, so that a game with integers is expanded only where its zones lead
//! ([`super::exploration`]). Expansion of a node fixes, for every move, where it is *possible* (guard and target invariant:
//! the unpruned game). Of one game, it adds the implicit self loops of ignored inputs, and decides urgency; for several
//! games that share an automaton, the caller that compares them does both, group by group.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::arena::{Arena, Atom, Conjunction, ConjunctionRange, Move, Node, index};
use super::atoms::{atoms_of_guard, edge_name, run_updates, select_values};
use super::error::{GameError, Halt};
use super::groups::{ProductSetAlgebra, SingleGame};
use super::ids::{MoveId, NO_MOVES, NodeId};
use super::shared::SharedArena;
use super::{bounds, zone_ops};
use tamper_text::{Id, IndexVec, ids_of};
use tamper_timed::model::{ActionId, Automaton, EdgeId, LocId, Role, Urgency, Valuation};
use tamper_zones::Dbm;

/// A location in the form that some games have.
#[derive(Clone, Debug)]
pub struct Variant<Group> {
    /// The games that have this variant.
    pub group: Group,
    /// Whether time is stopped there.
    pub urgent: bool,
    /// The clock constraints of its invariant.
    pub invariant: Vec<Atom>,
}

/// The variants of a location; no game has two of them.
pub type Variants<Group> = SmallVec<[Variant<Group>; 1]>;

/// The games of a group that have an edge, and as short a name as any for all games that have it.
pub type Holders<Group> = (Group, Group);

/// The games that have each part of an automaton.
pub trait FamilyMembers: ProductSetAlgebra {
    /// Whether there is one game only.
    const IS_ONE: bool;
    /// The initial locations, with the games that start there.
    ///
    /// # Errors
    /// The limit that was hit; so for the other functions.
    fn initial(&mut self, automaton: &Automaton) -> Result<Vec<(LocId, Self::Group)>, Halt>;
    /// The variants of the location under `values`, for the games whose integer conditions hold there.
    ///
    /// # Errors
    /// An invariant without a value, or the limit that was hit.
    fn variants(
        &mut self,
        automaton: &Automaton,
        location: LocId,
        values: &[i32],
    ) -> Result<Variants<Self::Group>, Halt>;
    /// The games of a group that have the edge, and as short a name as any for all games that have it.
    ///
    /// # Errors
    /// The limit that was hit.
    fn having(&mut self, edge: EdgeId, group: &Self::Group) -> Result<Option<Holders<Self::Group>>, Halt>;
    /// Refuses a group that has no meaning, or whose games must be decided one by one.
    ///
    /// # Errors
    /// `error`, if that ends the lowering; or the limit that was hit.
    fn refuse(&mut self, error: GameError, group: &Self::Group) -> Result<(), Halt>;
    /// The games of the group that were not refused yet.
    ///
    /// # Errors
    /// The limit that was hit.
    fn remaining(&mut self, group: &Self::Group) -> Result<Option<Self::Group>, Halt>;
}

impl FamilyMembers for SingleGame {
    const IS_ONE: bool = true;
    fn initial(&mut self, automaton: &Automaton) -> Result<Vec<(LocId, ())>, Halt> {
        Ok(vec![(automaton.initial(), ())])
    }
    fn variants(&mut self, automaton: &Automaton, location: LocId, values: &[i32]) -> Result<Variants<()>, Halt> {
        let valuation = Valuation {
            ints: values,
            selects: &[],
        };
        let parts = &automaton.locations()[location];
        let place = || format!("the invariant of {}", parts.name);
        let Some(invariant) = atoms_of_guard(&parts.invariant, valuation, &place)? else {
            return Ok(SmallVec::new());
        };
        let urgent = parts.urgency != Urgency::Normal;
        Ok(smallvec![Variant {
            group: (),
            urgent,
            invariant
        }])
    }
    fn having(&mut self, _: EdgeId, (): &()) -> Result<Option<((), ())>, Halt> {
        Ok(Some(((), ())))
    }
    fn refuse(&mut self, error: GameError, (): &()) -> Result<(), Halt> {
        Err(error.into())
    }
    fn remaining(&mut self, (): &()) -> Result<Option<()>, Halt> {
        Ok(Some(()))
    }
}

/// A faulty edge: a run that takes it is an error of the model.
#[derive(Clone, Debug)]
pub struct FaultyEdge<Group> {
    /// The node that the faulty edge leaves.
    pub node: NodeId,
    /// The edge, if its guard has a value.
    pub edge: Option<EdgeId>,
    /// The condition under which it could be taken; always, if its guard has no value.
    pub guard: Conjunction,
    /// The games that have it.
    pub group: Group,
    /// The reason for which the edge has no meaning.
    pub error: GameError,
}

/// An arena under construction, for one game or for several.
pub struct Lowering<'a, M: FamilyMembers = SingleGame> {
    /// The automaton that is lowered.
    pub automaton: &'a Automaton,
    /// The games that have each part of the automaton.
    pub members: M,
    /// The arena so far.
    pub arena: Arena,
    /// Per node, the games that have it.
    pub nodes: IndexVec<NodeId, M::Group>,
    /// Per move, the games that have it.
    pub moves: IndexVec<MoveId, M::Group>,
    /// The nodes in which runs begin, with their games.
    pub starts: Vec<(NodeId, M::Group)>,
    /// The faulty edges, which no run may take.
    pub faults: Vec<FaultyEdge<M::Group>>,
    /// Whether they are left out instead. In a node where a guard has no value time stands, and nothing is possible.
    pub skips_faults: bool,
    /// Per node, whether its moves were made.
    expanded: IndexVec<NodeId, bool>,
    known: FxHashMap<(LocId, Vec<i32>), (NodeId, NodeId)>,
    /// The edges by source, in file order; the edges of location `l` are `leaving[first_leaving[l]..first_leaving[l + 1]]`.
    leaving: Vec<EdgeId>,
    first_leaving: Vec<usize>,
}

impl<'a> Lowering<'a> {
    /// The arena of one game with the initial node only; `None` if the initial invariant does not hold at the start.
    ///
    /// # Errors
    /// A [`GameError`].
    pub fn start(automaton: &'a Automaton) -> Result<Option<Self>, Halt> {
        let lowering = Lowering::of(automaton, SingleGame)?;
        Ok((!lowering.starts.is_empty()).then_some(lowering))
    }

    /// The arena, with the bounds for extrapolation.
    pub fn finish(self) -> Arena {
        let mut arena = self.arena;
        arena.max_bounds = bounds::per_node(&arena);
        arena
    }
}

impl<'a, M: FamilyMembers> Lowering<'a, M> {
    /// The arena with the initial nodes only.
    ///
    /// # Errors
    /// A [`GameError`], or the limit that was hit.
    pub fn of(automaton: &'a Automaton, members: M) -> Result<Self, Halt> {
        let (leaving, first_leaving) = edges_by_source(automaton);
        let mut lowering = Self {
            automaton,
            members,
            arena: Arena {
                n_clocks: automaton.clocks().len(),
                n_ints: automaton.ints().len(),
                ..Arena::default()
            },
            nodes: IndexVec::new(),
            moves: IndexVec::new(),
            starts: Vec::new(),
            faults: Vec::new(),
            skips_faults: false,
            expanded: IndexVec::new(),
            known: FxHashMap::default(),
            leaving,
            first_leaving,
        };
        lowering.place_starts()?;
        if !lowering.arena.nodes.is_empty() {
            lowering.arena.diagonals = bounds::diagonals(automaton)?;
        }
        Ok(lowering)
    }

    fn place_starts(&mut self) -> Result<(), Halt> {
        let values: Vec<i32> = self.automaton.ints().iter().map(|var| var.initial).collect();
        let zero = Dbm::zero(self.arena.dim());
        for (location, group) in self.members.initial(self.automaton)? {
            for node in ids_of(self.place(location, &values)?) {
                let invariant = self.arena.node(node).invariant;
                let starting = self.members.both(&self.nodes[node], &group)?;
                if zone_ops::satisfies(&zero, self.arena.atoms_of(invariant)) {
                    self.starts.extend(starting.map(|group| (node, group)));
                }
            }
        }
        Ok(())
    }

    /// The nodes of `location` with `values`, made if they are new: one for each variant of the location.
    fn place(&mut self, location: LocId, values: &[i32]) -> Result<Range<NodeId>, Halt> {
        let key = (location, values.to_vec());
        if let Some((first, end)) = self.known.get(&key) {
            return Ok(*first..*end);
        }
        let first = self.arena.nodes.next_id();
        for variant in self.members.variants(self.automaton, location, values)? {
            let arena = &mut self.arena;
            let invariant = arena.push_conjunction(variant.invariant);
            let alive = arena.push_cases([invariant]);
            let first_value = index(arena.values.len());
            arena.values.extend_from_slice(values);
            arena.nodes.push(Node {
                location,
                values: first_value,
                urgent: variant.urgent,
                atomic: self.automaton.is_atomic()
                    && self.automaton.locations()[location].urgency == Urgency::Committed,
                invariant,
                moves: NO_MOVES,
                alive,
            });
            self.nodes.push(variant.group);
            self.expanded.push(false);
        }
        let end = self.arena.nodes.next_id();
        self.known.insert(key, (first, end));
        Ok(first..end)
    }

    /// Makes and expands a node for every location of a game without integers. Node `l + 1` is location `l` if `l` comes
    /// before the initial one, which is node 0; the later locations keep their numbers.
    ///
    /// # Errors
    /// A [`GameError`], or the limit that was hit.
    pub fn expand_all(&mut self) -> Result<(), Halt> {
        for location in self.automaton.locations().ids() {
            self.place(location, &[])?;
        }
        for node in self.arena.nodes.ids() {
            self.expand(node)?;
        }
        Ok(())
    }

    /// Whether every node is expanded, and there is no fault.
    pub fn is_complete(&self) -> bool {
        self.faults.is_empty() && self.expanded.iter().all(|is_there| *is_there)
    }

    /// Expands every node that the graph reaches from the existing ones, in a game without integers. Clocks are ignored, so
    /// perhaps no run reaches some of these nodes or their faults.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn expand_graph(&mut self) -> Result<(), Halt> {
        let mut n_expanded = 0;
        while n_expanded < self.arena.nodes.len() {
            self.expand(NodeId::from_index(n_expanded))?;
            n_expanded += 1;
        }
        Ok(())
    }

    /// Refuses the games that have a fault in the graph, whether or not runs reach it.
    ///
    /// # Errors
    /// The fault, if it ends the lowering; or the limit that was hit.
    pub fn refuse_all_faults(&mut self) -> Result<(), Halt> {
        for fault in std::mem::take(&mut self.faults) {
            self.members.refuse(fault.error, &fault.group)?;
        }
        Ok(())
    }

    /// Makes the moves of `node`, once.
    ///
    /// # Errors
    /// A [`GameError`], or the limit that was hit.
    pub fn expand(&mut self, node: NodeId) -> Result<(), Halt> {
        if std::mem::replace(&mut self.expanded[node], true) {
            return Ok(());
        }
        let automaton = self.automaton;
        let location = self.arena.node(node).location;
        let values = self.arena.values_of(node).to_vec();
        let first = self.arena.moves.next_id();
        for at in self.first_leaving[location.index()]..self.first_leaving[location.index() + 1] {
            let id = self.leaving[at];
            let Some((group, name)) = self.members.having(id, &self.nodes[node])? else {
                continue;
            };
            let leaving = OutgoingEdge { node, id, group, name };
            let edge = &automaton.edges()[id];
            if edge.selects.is_empty() {
                self.add_moves(&leaving, &values, &[])?;
                continue;
            }
            match select_values(automaton, edge) {
                Ok(all) => {
                    for selects in all {
                        self.add_moves(&leaving, &values, &selects)?;
                    }
                }
                Err(error) => self.add_fault(&leaving, None, error),
            }
        }
        if M::IS_ONE && automaton.is_input_enabled() {
            self.ignore_missing_inputs(node, first);
        }
        if M::IS_ONE
            && let Some(shown) = automaton.shown(location)
        {
            let invariant = self.arena.node(node).invariant;
            self.add_loop(node, shown, self.arena.atoms_of(invariant).to_vec());
        }
        self.arena.nodes[node].moves = first..self.arena.moves.next_id();
        if M::IS_ONE {
            self.decide_urgency(node);
            if self.skips_faults {
                self.leave_out_faults(node);
            }
        }
        Ok(())
    }

    /// Adds the moves of an edge under the given values, if its integer conditions hold: one for each variant of its target.
    fn add_moves(&mut self, leaving: &OutgoingEdge<M::Group>, ints: &[i32], selects: &[i32]) -> Result<(), Halt> {
        let automaton = self.automaton;
        let edge = &automaton.edges()[leaving.id];
        let place = || format!("edge {}", edge_name(automaton, edge));
        let guard = match atoms_of_guard(&edge.guard, Valuation { ints, selects }, &place) {
            Ok(Some(guard)) => self.arena.push_conjunction(guard),
            Ok(None) => return Ok(()),
            Err(error) => {
                self.add_fault(leaving, None, error);
                return Ok(());
            }
        };
        let effect = match run_updates(automaton, edge, ints, selects) {
            Ok(effect) => effect,
            Err(error) => {
                self.add_fault(leaving, Some(guard), error);
                return Ok(());
            }
        };
        let targets = match self.place(edge.target, &effect.ints) {
            Ok(targets) => targets,
            Err(Halt::Error(error)) => {
                self.add_fault(leaving, Some(guard), error);
                return Ok(());
            }
            Err(stopped) => return Err(stopped),
        };
        let action = &automaton.actions()[edge.action];
        if !M::IS_ONE && action.urgent {
            let edge = edge_name(automaton, edge);
            let error = GameError::UrgentDependsOnClocks { edge };
            self.members.refuse(error, &leaving.group)?;
        }
        if targets.is_empty() {
            return Ok(());
        }
        let first_reset = index(self.arena.resets.len());
        self.arena.resets.extend_from_slice(&effect.resets);
        let step = Move {
            edge: Some(leaving.id),
            action: edge.action,
            role: action.role,
            guard,
            resets: (first_reset, index(self.arena.resets.len())),
            target: targets.start,
            enabled: ConjunctionRange::default(),
        };
        for target in ids_of(targets) {
            let going = self.members.both(&leaving.group, &self.nodes[target])?;
            if let Some(going) = going {
                // The shortest condition that tells the move's games from other games of the node.
                let is_only_variant = going == leaving.group;
                let group = if is_only_variant { leaving.name.clone() } else { going };
                let step = step.clone();
                self.add_move(Move { target, ..step }, group);
            }
        }
        Ok(())
    }

    fn add_move(&mut self, step: Move, group: M::Group) {
        let mut atoms = self.arena.atoms_of(step.guard).to_vec();
        let invariant = self.arena.node(step.target).invariant;
        let invariant = self.arena.atoms_of(invariant);
        if self.arena.before_resets(invariant, &step, &mut atoms) {
            let possible = self.arena.push_conjunction(atoms);
            let enabled = self.arena.push_cases([possible]);
            self.arena.moves.push(Move { enabled, ..step });
            self.moves.push(group);
        }
    }

    fn leave_out_faults(&mut self, node: NodeId) {
        for at in (0..self.faults.len()).rev() {
            let FaultyEdge { edge, guard, error, .. } = &mut self.faults[at];
            if !error.is_fault() {
                continue;
            }
            let automaton = self.automaton;
            let is_urgent = |edge: EdgeId| automaton.actions()[automaton.edges()[edge].action].urgent;
            match *edge {
                None => {
                    self.arena.nodes[node].moves = NO_MOVES;
                    self.arena.nodes[node].urgent = true;
                }
                Some(edge) if is_urgent(edge) && !self.arena.atoms_of(*guard).is_empty() => {
                    let edge = edge_name(automaton, &automaton.edges()[edge]);
                    *error = GameError::UrgentDependsOnClocks { edge };
                    continue;
                }
                Some(edge) => self.arena.nodes[node].urgent |= is_urgent(edge),
            }
            self.faults.remove(at);
        }
    }

    fn add_fault(&mut self, leaving: &OutgoingEdge<M::Group>, guard: Option<Conjunction>, error: GameError) {
        self.faults.push(FaultyEdge {
            node: leaving.node,
            edge: guard.is_some().then_some(leaving.id),
            guard: guard.unwrap_or_default(),
            group: leaving.group.clone(),
            error,
        });
    }

    /// Adds a self loop without reset wherever an input of the alphabet is not possible.
    fn ignore_missing_inputs(&mut self, node: NodeId, first: MoveId) {
        let inputs = self
            .automaton
            .actions()
            .iter_enumerated()
            .filter(|(_, action)| action.role == Role::Input && !action.shows_propositions());
        for (action, _) in inputs {
            let dim = self.arena.dim();
            let mut missing = zone_ops::federation(dim, [self.arena.atoms_of(self.arena.node(node).invariant)]);
            for step in self.arena.moves.slice(first..self.arena.moves.next_id()) {
                if step.action == action {
                    missing.subtract(&zone_ops::federation(dim, self.arena.cases(step.enabled)));
                }
            }
            for zone in missing.zones() {
                self.add_loop(node, action, zone_ops::atoms_of_zone(zone));
            }
        }
    }

    /// Adds a self loop without reset for the input `action` where `atoms` hold.
    fn add_loop(&mut self, node: NodeId, action: ActionId, atoms: Vec<Atom>) {
        let guard = self.arena.push_conjunction(atoms);
        let enabled = self.arena.push_cases([guard]);
        self.arena.moves.push(Move {
            edge: None,
            action,
            role: Role::Input,
            guard,
            resets: (0, 0),
            target: node,
            enabled,
        });
        self.moves.push(self.nodes[node].clone());
    }

    /// An enabled edge on an urgent channel forbids delay: everywhere in the node, or nowhere, else it is a fault.
    fn decide_urgency(&mut self, node: NodeId) {
        let arena = &self.arena;
        let dim = arena.dim();
        let mut urgent = false;
        for step in arena.moves_of(node) {
            let Some(edge) = step.edge else { continue };
            let edge = &self.automaton.edges()[edge];
            if !self.automaton.actions()[edge.action].urgent {
                continue;
            }
            let all = zone_ops::federation(dim, [arena.atoms_of(arena.node(node).invariant)]);
            let mut enabled = zone_ops::federation(dim, arena.cases(step.enabled));
            enabled.intersect(&all);
            if enabled.includes(&all) {
                urgent = true;
            } else if !enabled.is_empty() {
                self.faults.push(FaultyEdge {
                    node,
                    edge: Some(step.edge.expect("found above")),
                    guard: Conjunction::default(),
                    group: self.nodes[node].clone(),
                    error: GameError::UrgentDependsOnClocks {
                        edge: edge_name(self.automaton, edge),
                    },
                });
                break;
            }
        }
        self.arena.nodes[node].urgent |= urgent;
    }

    /// The arena with the games of its parts and the bounds for extrapolation, and the members.
    pub fn finish_shared(self) -> (SharedArena<M::Group>, M) {
        let mut arena = self.arena;
        arena.max_bounds = bounds::per_node(&arena);
        let shared = SharedArena {
            origins: arena.nodes.ids().collect(),
            nodes: self.nodes,
            moves: self.moves,
            starts: self.starts,
            arena,
        };
        (shared, self.members)
    }
}

/// An edge that leaves a node.
struct OutgoingEdge<Group> {
    node: NodeId,
    id: EdgeId,
    /// The games that have the edge and the node.
    group: Group,
    /// A short name for all games that have the edge.
    name: Group,
}

fn edges_by_source(automaton: &Automaton) -> (Vec<EdgeId>, Vec<usize>) {
    let mut first = vec![0; automaton.locations().len() + 1];
    for edge in automaton.edges() {
        first[edge.source.index() + 1] += 1;
    }
    for location in 1..first.len() {
        first[location] += first[location - 1];
    }
    let mut next = first.clone();
    let mut leaving = vec![EdgeId::from_index(0); automaton.edges().len()];
    for (id, edge) in automaton.edges().iter_enumerated() {
        leaving[next[edge.source.index()]] = id;
        next[edge.source.index()] += 1;
    }
    (leaving, first)
}
