//! A lowered game on which changes are applied and taken back: delta lowering.
//!
//! Every location has a node, and keeps its number under all changes; every edge, removed or added, has a slot. A change
//! rewrites the few nodes it touches behind the end of the arena's vectors, so that taking it back only truncates them. The
//! touched nodes are remembered: all facts about the others still hold.

use crate::symbolic::{
    self, Arena, Atom, Conjunction, ConjunctionRange, GameError, Halt, INITIAL, Lowering, Move, Node, NodeId,
    consistency::{self, Shrunk, Until, is_full, kept_states},
    index, zone_ops,
};
use tamper_text::{Budget, Id, IndexVec};
use tamper_timed::model::{ActionId, Automaton, EdgeId, Guard, LocId, Role, Valuation};
use tamper_zones::Bound;

/// One change of a game; the ids refer to the game that it is applied to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// An edge of the game is removed.
    RemoveEdge(EdgeId),
    /// An edge with a new action is added.
    AddEdge {
        /// The location that the new edge leaves.
        source: LocId,
        /// The location that the new edge enters.
        target: LocId,
        /// The player that decides about its action.
        role: Role,
        /// The edge whose guard and updates it copies; if `None`, it has neither.
        like: Option<EdgeId>,
    },
    /// A location, not the initial one, is removed with its edges.
    RemoveLocation(LocId),
    /// An edge gets another guard.
    Guard(EdgeId, Guard),
    /// A location gets another invariant.
    Invariant(LocId, Guard),
}

tamper_text::define_ids! {
    /// A slot of a delta: an edge that exists or existed, whatever was removed before it.
    SlotId,
}

/// An edge that exists or existed.
#[derive(Clone, Debug)]
struct EdgeSlot {
    source: NodeId,
    target: NodeId,
    action: ActionId,
    role: Role,
    /// `None` if it can never hold.
    guard: Option<Conjunction>,
    resets: (u32, u32),
    is_there: bool,
}

/// The parts that a change touches, with their old contents to take it back.
#[derive(Clone, Debug, Default)]
struct UndoLog {
    n_atoms: usize,
    n_conjunctions: usize,
    n_moves: usize,
    n_slots: usize,
    n_actions: usize,
    nodes: Vec<(NodeId, Node)>,
    slots: Vec<(SlotId, EdgeSlot)>,
    /// The node that has an additional edge.
    longer: Option<NodeId>,
    removed: Option<NodeId>,
}

/// A lowered game with a change applied to it.
#[derive(Clone, Debug)]
pub(super) struct DeltaArena {
    pub arena: Arena,
    /// Per node, the consistent states if they are not all of the invariant (only with pruning).
    pub shrunk: Shrunk,
    /// `shrunk` without the change.
    kept: Shrunk,
    pub n_actions: usize,
    /// Per node, its id; `None` if it was removed.
    pub nodes: IndexVec<NodeId, Option<NodeId>>,
    /// The nodes whose states, moves or targets' states differ with the change.
    pub touched: Vec<NodeId>,
    /// The nodes touched by all changes since the original.
    pub ever_touched: Vec<NodeId>,
    /// The touched nodes whose consistent states may differ.
    unsettled: Vec<NodeId>,
    /// Whether consistency must be computed from scratch.
    is_open: bool,
    /// Whether the game without the change is inconsistent; `shrunk` may then be too large.
    is_lost: bool,
    slots: IndexVec<SlotId, EdgeSlot>,
    /// Per node the slots that start there, in order.
    leaving: IndexVec<NodeId, Vec<SlotId>>,
    /// By location of the game without the change.
    locations: IndexVec<LocId, NodeId>,
    /// By edge.
    edges: IndexVec<EdgeId, SlotId>,
    log: UndoLog,
    atoms: Vec<Atom>,
}

/// Whether delta lowering is exact for `game`: no integers, selects, ignored inputs, seen propositions, urgent channels or atomic steps.
pub(super) fn is_plain(game: &Automaton) -> bool {
    game.ints().is_empty()
        && !game.is_input_enabled()
        && !game.is_atomic()
        && !game.sees_propositions()
        && game.actions().iter().all(|action| !action.urgent)
        && game.edges().iter().all(|edge| edge.selects.is_empty())
}

impl DeltaArena {
    /// The plain game `automaton`, pruned on demand, and its lowering with all locations. `None` if some part has no
    /// meaning, whether or not a run reaches it.
    pub fn of<'a>(
        automaton: &'a Automaton,
        prune: bool,
        budget: &Budget,
    ) -> Result<Option<(Self, Lowering<'a>)>, Halt> {
        let Some(mut lowering) = Lowering::start(automaton)? else {
            return Ok(None);
        };
        if lowering.expand_all().is_err() || !lowering.faults.is_empty() {
            return Ok(None);
        }
        let mut arena = lowering.arena.clone();
        let mut locations = IndexVec::filled(INITIAL, automaton.locations().len());
        for (node, parts) in arena.nodes.iter_enumerated() {
            locations[parts.location] = node;
        }
        let n_nodes = arena.nodes.len();
        if n_nodes != locations.len() {
            return Ok(None);
        }
        let mut leaving: IndexVec<NodeId, Vec<SlotId>> = IndexVec::filled(Vec::new(), n_nodes);
        let mut slots = IndexVec::new();
        for edge in automaton.edges() {
            let source = locations[edge.source];
            let Some(guard) = atoms(&edge.guard)? else {
                return Ok(None);
            };
            let guard = Some(arena.push_conjunction(guard));
            let first = index(arena.resets.len());
            let effect = symbolic::run_updates(automaton, edge, &[], &[])?;
            arena.resets.extend(effect.resets);
            let slot = slots.push(EdgeSlot {
                source,
                target: locations[edge.target],
                action: edge.action,
                role: automaton.actions()[edge.action].role,
                guard,
                resets: (first, index(arena.resets.len())),
                is_there: true,
            });
            leaving[source].push(slot);
        }
        let mut delta = Self::unsettled(arena, automaton.actions().len(), slots, leaving, locations);
        for node in delta.arena.nodes.ids() {
            delta.rebuild(node);
        }
        if prune {
            delta.settle(budget)?;
        }
        delta.keep();
        Ok(Some((delta, lowering)))
    }

    /// The game with all of its states kept, none of which is known to be consistent.
    fn unsettled(
        arena: Arena,
        n_actions: usize,
        slots: IndexVec<SlotId, EdgeSlot>,
        leaving: IndexVec<NodeId, Vec<SlotId>>,
        locations: IndexVec<LocId, NodeId>,
    ) -> Self {
        Self {
            shrunk: IndexVec::filled(consistency::full(()), arena.nodes.len()),
            kept: IndexVec::filled(consistency::full(()), arena.nodes.len()),
            n_actions,
            nodes: arena.nodes.ids().map(Some).collect(),
            touched: Vec::new(),
            ever_touched: Vec::new(),
            unsettled: arena.nodes.ids().collect(),
            is_open: true,
            is_lost: false,
            edges: slots.ids().collect(),
            slots,
            leaving,
            locations,
            log: UndoLog::default(),
            atoms: Vec::new(),
            arena,
        }
    }

    /// Makes the change part of the game. `change` is the change that was applied.
    pub fn commit(&mut self, change: &Change) {
        match *change {
            Change::RemoveEdge(edge) => {
                self.edges.remove(edge);
            }
            Change::AddEdge { .. } => {
                let last = self.slots.ids().next_back();
                self.edges.extend(last);
            }
            Change::RemoveLocation(location) => {
                self.locations.remove(location);
                let slots = &self.slots;
                self.edges.retain(|slot| slots[*slot].is_there);
            }
            Change::Guard(..) | Change::Invariant(..) => {}
        }
        self.ever_touched.extend_from_slice(&self.touched);
        self.ever_touched.sort_unstable();
        self.ever_touched.dedup();
        self.keep();
    }

    fn keep(&mut self) {
        self.is_lost = !consistency::has_start(&self.arena, &self.shrunk);
        self.kept.clone_from(&self.shrunk);
        self.touched.clear();
        self.unsettled.clear();
        self.is_open = false;
        self.log.nodes.clear();
        self.log.slots.clear();
        self.log.longer = None;
        self.log.removed = None;
        self.mark();
    }

    fn mark(&mut self) {
        self.log.n_atoms = self.arena.atoms.len();
        self.log.n_conjunctions = self.arena.conjunctions.len();
        self.log.n_moves = self.arena.moves.len();
        self.log.n_slots = self.slots.len();
        self.log.n_actions = self.n_actions;
    }

    pub fn undo(&mut self) {
        for (node, parts) in self.log.nodes.drain(..) {
            if !is_full(&self.shrunk[node]) || !is_full(&self.kept[node]) {
                self.shrunk[node].clone_from(&self.kept[node]);
            }
            self.arena.nodes[node] = parts;
        }
        for (slot, parts) in self.log.slots.drain(..) {
            self.slots[slot] = parts;
        }
        if let Some(node) = self.log.longer.take() {
            self.leaving[node].pop();
        }
        if let Some(node) = self.log.removed.take() {
            self.nodes[node] = Some(node);
        }
        self.arena.atoms.truncate(self.log.n_atoms);
        self.arena.conjunctions.truncate(self.log.n_conjunctions);
        self.arena.moves.truncate(self.log.n_moves);
        self.slots.truncate(self.log.n_slots);
        self.n_actions = self.log.n_actions;
        self.touched.clear();
        self.unsettled.clear();
        self.is_open = false;
    }

    /// Applies `change`; the previous change was taken back or committed. `false`, without any change, if a condition has
    /// bounds that zones cannot represent.
    #[must_use]
    pub fn apply(&mut self, change: &Change) -> bool {
        match change {
            Change::RemoveEdge(edge) => self.remove_slot(self.edges[*edge]),
            Change::AddEdge {
                source,
                target,
                role,
                like,
            } => self.add_slot(*source, *target, *role, *like),
            Change::RemoveLocation(location) => self.remove_node(self.locations[*location]),
            Change::Guard(edge, guard) => return self.change_guard(self.edges[*edge], guard),
            Change::Invariant(location, invariant) => {
                return self.change_invariant(self.locations[*location], invariant);
            }
        }
        true
    }

    fn remove_slot(&mut self, slot: SlotId) {
        let parts = &self.slots[slot];
        let (source, role, target) = (parts.source, parts.role, parts.target);
        self.save_slot(slot);
        self.slots[slot].is_there = false;
        self.dirty(source);
        match role {
            // Fewer inputs: more states are consistent.
            Role::Input => self.grows(source, target),
            Role::Output | Role::Internal => self.unsettled.push(source),
        }
        self.rebuild(source);
    }

    fn add_slot(&mut self, source: LocId, target: LocId, role: Role, like: Option<EdgeId>) {
        let (source, target) = (self.locations[source], self.locations[target]);
        let like = like.map(|edge| &self.slots[self.edges[edge]]);
        let slot = EdgeSlot {
            source,
            target,
            action: ActionId::from_index(self.n_actions),
            role,
            guard: like.map_or(Some(Conjunction::default()), |slot| slot.guard),
            resets: like.map_or((0, 0), |slot| slot.resets),
            is_there: true,
        };
        self.n_actions += 1;
        let slot = self.slots.push(slot);
        self.leaving[source].push(slot);
        self.log.longer = Some(source);
        self.dirty(source);
        match role {
            Role::Input if !is_full(&self.shrunk[target]) => self.unsettled.push(source),
            // All states that the input leads to are consistent.
            Role::Input => {}
            Role::Output | Role::Internal => self.is_open |= !is_full(&self.shrunk[source]),
        }
        self.lengthen(source, slot);
    }

    /// The source may have more consistent states without an input into `target`.
    fn grows(&mut self, source: NodeId, target: NodeId) {
        self.is_open |= !is_full(&self.shrunk[source]) && !is_full(&self.shrunk[target]);
    }

    fn remove_node(&mut self, node: NodeId) {
        self.log.removed = Some(node);
        self.nodes[node] = None;
        self.dirty(node);
        for slot in self.slots.ids() {
            let parts = &self.slots[slot];
            if !parts.is_there || (parts.source != node && parts.target != node) {
                continue;
            }
            let (source, role) = (parts.source, parts.role);
            self.save_slot(slot);
            self.slots[slot].is_there = false;
            if source == node {
                continue;
            }
            self.dirty(source);
            match role {
                Role::Input => self.grows(source, node),
                Role::Output | Role::Internal => self.unsettled.push(source),
            }
        }
        for at in 0..self.touched.len() {
            self.rebuild(self.touched[at]);
        }
    }

    fn change_guard(&mut self, slot: SlotId, guard: &Guard) -> bool {
        let Ok(guard) = atoms(guard) else { return false };
        let parts = &self.slots[slot];
        let (source, target, role) = (parts.source, parts.target, parts.role);
        self.save_slot(slot);
        self.slots[slot].guard = guard.map(|atoms| self.arena.push_conjunction(atoms));
        self.dirty(source);
        if role != Role::Input || !is_full(&self.shrunk[target]) {
            self.unsettled.push(source);
        }
        self.rebuild(source);
        true
    }

    fn change_invariant(&mut self, node: NodeId, invariant: &Guard) -> bool {
        let Ok(Some(invariant)) = atoms(invariant) else {
            return false;
        };
        self.dirty(node);
        self.unsettled.push(node);
        let invariant = self.arena.push_conjunction(invariant);
        let alive = self.arena.push_cases([invariant]);
        let parts = &mut self.arena.nodes[node];
        parts.invariant = invariant;
        parts.alive = alive;
        self.is_open |= !is_full(&self.shrunk[node]);
        for slot in self.slots.ids() {
            let parts = &self.slots[slot];
            if parts.is_there && parts.target == node {
                let source = parts.source;
                self.unsettled.push(source);
                self.dirty(source);
            }
        }
        for at in 0..self.touched.len() {
            self.rebuild(self.touched[at]);
        }
        true
    }

    fn save_slot(&mut self, slot: SlotId) {
        self.log.slots.push((slot, self.slots[slot].clone()));
    }

    fn dirty(&mut self, node: NodeId) {
        if !self.touched.contains(&node) {
            self.touched.push(node);
        }
        if self.log.nodes.iter().all(|(saved, _)| *saved != node) {
            self.log.nodes.push((node, self.arena.nodes[node].clone()));
        }
    }

    /// Writes all moves of `node` again.
    fn rebuild(&mut self, node: NodeId) {
        let first = self.arena.moves.next_id();
        for at in 0..self.leaving[node].len() {
            let slot = self.leaving[node][at];
            self.push_move(slot);
        }
        self.arena.nodes[node].moves = first..self.arena.moves.next_id();
    }

    /// Adds the move of the last slot of `node` to its moves, which are unchanged for the earlier slots: they are copied,
    /// unlike in [`Self::rebuild`].
    fn lengthen(&mut self, node: NodeId, slot: SlotId) {
        let first = self.arena.moves.next_id();
        let moves = self.arena.node(node).moves.clone();
        self.arena.moves.extend_from_within(moves);
        self.push_move(slot);
        self.arena.nodes[node].moves = first..self.arena.moves.next_id();
    }

    /// Appends the move of `slot`, if it exists and can ever be taken.
    fn push_move(&mut self, slot: SlotId) {
        let parts = &self.slots[slot];
        let Some(guard) = parts.guard.filter(|_| parts.is_there) else {
            return;
        };
        let step = Move {
            edge: Some(EdgeId::from_index(slot.index())),
            action: parts.action,
            role: parts.role,
            guard,
            resets: parts.resets,
            target: parts.target,
            enabled: ConjunctionRange::default(),
        };
        let mut possible = std::mem::take(&mut self.atoms);
        possible.clear();
        let arena = &mut self.arena;
        let invariant = arena.atoms_of(arena.node(step.target).invariant);
        if arena.before_resets(invariant, &step, &mut possible) {
            let start = index(arena.conjunctions.len());
            let alive = arena.node(step.target).alive;
            for case in alive.start..alive.end {
                possible.clear();
                possible.extend_from_slice(arena.atoms_of(guard));
                let atoms = arena.atoms_of(arena.conjunctions[case as usize]);
                if arena.before_resets(atoms, &step, &mut possible) {
                    let case = arena.push_conjunction(possible.iter().copied());
                    arena.conjunctions.push(case);
                }
            }
            let enabled = ConjunctionRange {
                start,
                end: index(arena.conjunctions.len()),
            };
            arena.moves.push(Move { enabled, ..step });
        }
        self.atoms = possible;
    }

    /// Whether the initial state exists.
    pub fn has_start(&self) -> bool {
        let invariant = self.arena.node(INITIAL).invariant;
        let holds = |atom: &Atom| atom.bound >= Bound::LE_ZERO;
        self.arena.atoms_of(invariant).iter().all(holds)
    }

    /// Computes the consistent states with the change. Returns whether the initial state is one of them.
    ///
    /// If every unsettled node was full (all of its invariant), the new greatest fixpoint is no greater than the old one
    /// outside nodes whose invariant changed, so it is computed downwards from there; otherwise everything is computed from
    /// scratch.
    pub fn settle(&mut self, budget: &Budget) -> Result<bool, Halt> {
        let was_full = |node: &NodeId| is_full(&self.shrunk[*node]);
        let anew = self.is_open || !self.unsettled.iter().all(was_full);
        if !anew && self.is_lost {
            return Ok(false);
        }
        let until = Until::StartIsLost;
        let changed = if anew {
            let all = self.arena.nodes.ids();
            let mut before: Vec<NodeId> = all.clone().filter(|node| !was_full(node)).collect();
            self.shrunk.as_mut_slice().fill(consistency::full(()));
            let after = consistency::shrink(&self.arena, &mut self.shrunk, all.collect(), until, budget)?;
            before.extend(after);
            before
        } else if self.unsettled.is_empty() {
            Vec::new()
        } else {
            let waiting = std::mem::take(&mut self.unsettled);
            consistency::shrink(&self.arena, &mut self.shrunk, waiting, until, budget)?
        };
        let has_start = consistency::has_start(&self.arena, &self.shrunk);
        match has_start {
            _ if changed.is_empty() => {}
            true => self.restrict(&changed),
            false => changed.iter().for_each(|node| self.dirty(*node)),
        }
        Ok(has_start)
    }

    fn restrict(&mut self, changed: &[NodeId]) {
        for node in changed {
            self.dirty(*node);
            let alive = match kept_states(&self.shrunk[*node]) {
                None => {
                    let invariant = self.arena.node(*node).invariant;
                    self.arena.push_cases([invariant])
                }
                Some(alive) => {
                    let conjunctions: Vec<Conjunction> = alive
                        .zones()
                        .iter()
                        .map(|zone| self.arena.push_conjunction(zone_ops::atoms_of_zone(zone)))
                        .collect();
                    self.arena.push_cases(conjunctions)
                }
            };
            self.arena.nodes[*node].alive = alive;
        }
        for slot in self.slots.ids() {
            let parts = &self.slots[slot];
            if parts.is_there && changed.contains(&parts.target) {
                self.dirty(parts.source);
            }
        }
        for at in 0..self.touched.len() {
            self.rebuild(self.touched[at]);
        }
    }
}

fn atoms(guard: &Guard) -> Result<Option<Vec<Atom>>, GameError> {
    symbolic::atoms_of_guard(guard, Valuation::default(), &String::new)
}
