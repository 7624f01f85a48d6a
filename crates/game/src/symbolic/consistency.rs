//! Consistency: the greatest set of states from which a game never runs out of time (David et al. 2010).
//!
//! The consistent states are the greatest set X of states such that from each, every possible input leads into X, and
//! either an output leads into X, or time can pass inside X until an output leads into X or for ever. Per node it is a
//! federation; it is computed backwards from the invariants, node by node, until nothing shrinks. Every operation maps
//! unions of regions to unions of regions, so this ends without extrapolation, with clock differences too.
//!
//! Games that share an arena are pruned together: a node has [`Cells`] of games with the same consistent states in it.

use smallvec::{SmallVec, smallvec};

use super::arena::{Arena, Atom, ConjunctionRange, Move};
use super::error::Halt;
use super::groups::{ProductSetAlgebra, SingleGame};
use super::ids::{INITIAL, MoveId, NodeId};
use super::zone_ops;
use tamper_text::{Budget, IndexVec};
use tamper_timed::model::Role;
use tamper_zones::{Clock, Dbm, Federation, Variable, past_within};

/// Games that have the same consistent states in a node.
#[derive(Clone, Debug)]
pub struct ConsistentGroup<Group> {
    /// The games.
    pub group: Group,
    /// Their consistent states; `None` if these are all states of the invariant.
    pub shrunk: Option<Federation>,
}

/// The games of a node by their consistent states there.
pub type Cells<Group> = SmallVec<[ConsistentGroup<Group>; 1]>;

/// Per node, the consistent states of one game.
pub type Shrunk = IndexVec<NodeId, Cells<()>>;

/// A cell that has lost no state.
pub fn full<Group>(group: Group) -> Cells<Group> {
    smallvec![ConsistentGroup { group, shrunk: None }]
}

/// Whether a game keeps all states of the invariant.
pub fn is_full(cells: &Cells<()>) -> bool {
    kept_states(cells).is_none()
}

/// The consistent states of a game in a node; `None` if they are all states of its invariant.
pub fn kept_states(cells: &Cells<()>) -> Option<&Federation> {
    cells.iter().find_map(|cell| cell.shrunk.as_ref())
}

/// The extent to which a fixpoint is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// Computes the whole greatest fixpoint.
    Stable,
    /// Computes it to its end, or until the initial state is known to be inconsistent.
    StartIsLost,
}

/// Restricts `arena` to its consistent states: `alive` of the nodes, `enabled` of the moves. Returns whether the initial
/// state is one of them.
///
/// # Errors
/// The budget, which counts the visits of nodes.
pub fn prune(arena: &mut Arena, budget: &Budget) -> Result<bool, Halt> {
    let mut shrunk: Shrunk = arena.nodes.iter().map(|_| full(())).collect();
    let all = arena.nodes.ids().collect();
    shrink(arena, &mut shrunk, all, Until::Stable, budget)?;
    let is_consistent = has_start(arena, &shrunk);
    if !shrunk.iter().all(is_full) {
        restrict_to(arena, &shrunk);
    }
    Ok(is_consistent)
}

/// Whether the initial state of a game is consistent.
pub fn has_start(arena: &Arena, shrunk: &Shrunk) -> bool {
    let zero = || Dbm::zero(arena.dim());
    kept_states(&shrunk[INITIAL]).is_none_or(|alive| alive.includes_dbm(&zero()))
}

/// Applies the definition to the nodes in `waiting` and to all nodes affected by that, from `shrunk` downwards. The result
/// is the greatest fixpoint if `shrunk` included it and only waiting nodes may shrink immediately; or, if `until` allows
/// it, a superset that lacks the initial state. Returns the nodes that shrank.
///
/// # Errors
/// The budget.
pub fn shrink(
    arena: &Arena,
    shrunk: &mut Shrunk,
    waiting: Vec<NodeId>,
    until: Until,
    budget: &Budget,
) -> Result<Vec<NodeId>, Halt> {
    let movers = IndexVec::filled((), arena.moves.len());
    let mut pruning = Pruning {
        arena,
        movers: &movers,
        cells: shrunk,
        groups: &mut SingleGame,
        within: None,
    };
    pruning.run(waiting, &(), until, budget)
}

/// The fixpoint for games that share an arena.
pub struct Pruning<'a, G: ProductSetAlgebra> {
    /// The arena that they share.
    pub arena: &'a Arena,
    /// Per move, the games that have it.
    pub movers: &'a IndexVec<MoveId, G::Group>,
    /// Per node, the games that have it, by their consistent states there.
    pub cells: &'a mut IndexVec<NodeId, Cells<G::Group>>,
    /// The operations on groups of games.
    pub groups: &'a mut G,
    /// Per node, a zone that contains all states that matter there; `None` if all states of the invariant matter.
    pub within: Option<&'a IndexVec<NodeId, Dbm>>,
}

/// The games that a move leads to a cell, and the cell's position.
type Led<Group> = SmallVec<[(Group, usize); 1]>;

/// Games, and states that are the same for all of them.
type GroupStates<Group> = SmallVec<[(Group, Federation); 1]>;

impl<G: ProductSetAlgebra> Pruning<'_, G> {
    /// Applies the definition to the nodes in `waiting` for the games `everyone`, and to all nodes affected by that.
    /// Returns the nodes that shrank for some game.
    ///
    /// # Errors
    /// The budget.
    pub fn run(
        &mut self,
        mut waiting: Vec<NodeId>,
        everyone: &G::Group,
        until: Until,
        budget: &Budget,
    ) -> Result<Vec<NodeId>, Halt> {
        // Per node, the games for which it waits: the games for which one of its targets shrank.
        let mut affected: IndexVec<NodeId, Option<G::Group>> = IndexVec::filled(None, self.arena.nodes.len());
        for node in &waiting {
            affected[*node] = Some(everyone.clone());
        }
        let mut entering: Option<IndexVec<NodeId, Vec<NodeId>>> = None;
        let mut changed = Vec::new();
        let mut n_steps = 0u64;
        while let Some(node) = waiting.pop() {
            let Some(group) = affected[node].take() else {
                continue;
            };
            let Some(shrank) = self.look_at(node, &group, &mut || {
                n_steps += 1;
                budget.exceeded(n_steps, 0).map_or(Ok(()), |reason| Err(reason.into()))
            })?
            else {
                continue;
            };
            changed.push(node);
            if until == Until::StartIsLost && node == INITIAL && self.start_is_lost() {
                break;
            }
            for source in &entering.get_or_insert_with(|| sources(self.arena))[node] {
                let affected = &mut affected[*source];
                *affected = Some(match affected {
                    Some(known) => self.groups.either(known, &shrank)?,
                    None => {
                        waiting.push(*source);
                        shrank.clone()
                    }
                });
            }
        }
        Ok(changed)
    }

    fn start_is_lost(&self) -> bool {
        let zero = Dbm::zero(self.arena.dim());
        let mut cells = self.cells[INITIAL].iter();
        cells.all(|cell| cell.shrunk.as_ref().is_some_and(|alive| !alive.includes_dbm(&zero)))
    }

    /// Applies the definition to a node for some games; returns the games for which it shrank. `count` is called for every
    /// application.
    fn look_at(
        &mut self,
        node: NodeId,
        affected: &G::Group,
        count: &mut dyn FnMut() -> Result<(), Halt>,
    ) -> Result<Option<G::Group>, Halt> {
        let mut after: Cells<G::Group> = SmallVec::new();
        let mut shrank: Option<G::Group> = None;
        for at in 0..self.cells[node].len() {
            let cell = &self.cells[node][at];
            let (own, is_full) = (cell.group.clone(), cell.shrunk.is_none());
            if let Some(others) = self.groups.beyond(&own, affected)? {
                let shrunk = self.cells[node][at].shrunk.clone();
                self.join(&mut after, ConsistentGroup { group: others, shrunk })?;
            }
            let mut open = self.groups.both(&own, affected)?;
            if let Some(group) = open.as_ref().filter(|_| is_full)
                && let Some(calm) = self.progressing(node, group)?
            {
                open = self.groups.beyond(group, &calm)?;
                self.join(
                    &mut after,
                    ConsistentGroup {
                        group: calm,
                        shrunk: None,
                    },
                )?;
            }
            let Some(group) = open else { continue };
            count()?;
            let before = self.states(node, at);
            for (group, kept) in self.step(node, group, &before)? {
                let is_same = kept.includes(&before);
                let shrunk = match is_same {
                    true => (!is_full).then(|| before.clone()),
                    false => Some(kept),
                };
                if !is_same {
                    shrank = Some(match &shrank {
                        Some(known) => self.groups.either(known, &group)?,
                        None => group.clone(),
                    });
                }
                self.join(&mut after, ConsistentGroup { group, shrunk })?;
            }
        }
        if shrank.is_some() {
            self.cells[node] = after;
        }
        Ok(shrank)
    }

    /// Adds games to the cell with the same states.
    fn join(&mut self, cells: &mut Cells<G::Group>, new: ConsistentGroup<G::Group>) -> Result<(), Halt> {
        let same = |cell: &&mut ConsistentGroup<G::Group>| match (&cell.shrunk, &new.shrunk) {
            (None, None) => true,
            (Some(a), Some(b)) => a.equals(b),
            _ => false,
        };
        match cells.iter_mut().find(same) {
            Some(cell) => cell.group = self.groups.either(&cell.group, &new.group)?,
            None => cells.push(new),
        }
        Ok(())
    }

    /// The states of a cell.
    fn states(&self, node: NodeId, at: usize) -> Federation {
        match &self.cells[node][at].shrunk {
            Some(shrunk) => shrunk.clone(),
            None => match self.within {
                Some(within) => within[node].clone().into(),
                None => invariant(self.arena, node),
            },
        }
    }

    /// The games of `group` for which a cheap condition keeps all of the node's invariant: no input leaves the consistent
    /// states, and time is unbounded or one output is always still ahead. It replaces [`Self::step`] for them.
    fn progressing(&mut self, node: NodeId, group: &G::Group) -> Result<Option<G::Group>, Halt> {
        let arena = self.arena;
        let mut calm = group.clone();
        for at in arena.move_ids(node) {
            let step = &arena.moves[at];
            if step.role == Role::Input {
                for (losing, _) in self.led_to(at, group, Leading::Shrunk)? {
                    match self.groups.beyond(&calm, &losing)? {
                        Some(rest) => calm = rest,
                        None => return Ok(None),
                    }
                }
            }
        }
        let Some(all) = bounded(arena, node) else {
            return Ok(Some(calm));
        };
        let urgent = arena.node(node).urgent;
        let mut progressing: Option<G::Group> = None;
        for at in arena.move_ids(node) {
            let step = &arena.moves[at];
            if step.role == Role::Input {
                continue;
            }
            let full = self.cells[step.target].iter().find(|cell| cell.shrunk.is_none());
            let Some(full) = full.map(|cell| cell.group.clone()) else {
                continue;
            };
            let Some(moving) = self.groups.both(&calm, &self.movers[at])? else {
                continue;
            };
            let Some(moving) = self.groups.both(&moving, &full)? else {
                continue;
            };
            if is_always_ahead(arena, urgent, &all, step) {
                progressing = Some(match &progressing {
                    Some(known) => self.groups.either(known, &moving)?,
                    None => moving,
                });
                if self
                    .groups
                    .beyond(&calm, progressing.as_ref().unwrap_or(&calm))?
                    .is_none()
                {
                    break;
                }
            }
        }
        Ok(progressing)
    }

    /// The cells that the move leads `group` to: for each, the games that go there, and the cell's position.
    fn led_to(&mut self, at: MoveId, group: &G::Group, leading: Leading) -> Result<Led<G::Group>, Halt> {
        let cells = &self.cells[self.arena.moves[at].target];
        let counts = |cell: &ConsistentGroup<G::Group>| leading == Leading::All || cell.shrunk.is_some();
        let mut parts = SmallVec::new();
        if !cells.iter().any(counts) {
            return Ok(parts);
        }
        let Some(moving) = self.groups.both(group, &self.movers[at])? else {
            return Ok(parts);
        };
        for (position, cell) in cells.iter().enumerate().filter(|(_, cell)| counts(cell)) {
            if let Some(going) = self.groups.both(&moving, &cell.group)? {
                parts.push((going, position));
            }
        }
        Ok(parts)
    }

    /// Applies the definition of consistency once to the states `before` of the node, for the games of `group` and the
    /// current cells.
    fn step(&mut self, node: NodeId, group: G::Group, before: &Federation) -> Result<GroupStates<G::Group>, Halt> {
        let arena = self.arena;
        let mut safe: GroupStates<G::Group> = smallvec![(group.clone(), before.clone())];
        let mut with_output: GroupStates<G::Group> = smallvec![(group.clone(), Federation::empty(arena.dim()))];
        for at in arena.move_ids(node) {
            let step = &arena.moves[at];
            if step.role == Role::Input {
                for (going, position) in self.led_to(at, &group, Leading::Shrunk)? {
                    let mut lost = invariant(arena, step.target);
                    lost.subtract(&self.states(step.target, position));
                    let change = StateSetChange::Lose(predecessors(arena, step, &lost));
                    safe = self.changed(safe, &going, before, &change)?;
                }
            } else {
                for (going, position) in self.led_to(at, &group, Leading::All)? {
                    let target = self.states(step.target, position);
                    let change = StateSetChange::Gain(predecessors(arena, step, &target));
                    with_output = self.changed(with_output, &going, before, &change)?;
                }
            }
        }
        let urgent = arena.node(node).urgent;
        let mut result = GroupStates::new();
        for (some, safe) in &safe {
            for (others, with_output) in &with_output {
                if let Some(group) = self.groups.both(some, others)? {
                    result.push((group, kept(urgent, safe, with_output.clone())));
                }
            }
        }
        Ok(result)
    }

    /// The parts with `change` applied to the parts of `group`; only the states within `before` matter.
    fn changed(
        &mut self,
        parts: GroupStates<G::Group>,
        group: &G::Group,
        before: &Federation,
        change: &StateSetChange,
    ) -> Result<GroupStates<G::Group>, Halt> {
        let mut result = GroupStates::new();
        let mut changed = GroupStates::new();
        for (own, mut states) in parts {
            let Some(with) = self.groups.both(&own, group)? else {
                result.push((own, states));
                continue;
            };
            let Some(without) = self.groups.beyond(&own, group)? else {
                change.make(&mut states);
                changed.push((with, states));
                continue;
            };
            if change.matters(&states, before) {
                let mut after = states.clone();
                change.make(&mut after);
                result.push((without, states));
                changed.push((with, after));
            } else {
                result.push((own, states));
            }
        }
        for (own, states) in changed {
            match result.iter_mut().find(|(_, known)| known.equals(&states)) {
                Some((known, _)) => *known = self.groups.either(known, &own)?,
                None => result.push((own, states)),
            }
        }
        Ok(result)
    }
}

/// The cells that are considered as targets of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leading {
    All,
    /// Only cells that have lost states.
    Shrunk,
}

/// The change that a move makes to a set of states.
enum StateSetChange {
    Lose(Federation),
    Gain(Federation),
}

impl StateSetChange {
    fn make(&self, states: &mut Federation) {
        match self {
            Self::Lose(lost) => states.subtract(lost),
            Self::Gain(more) => states.union_with(more),
        }
    }
    /// Whether it changes anything within `before`.
    fn matters(&self, states: &Federation, before: &Federation) -> bool {
        match self {
            Self::Lose(lost) => states.intersects(lost),
            Self::Gain(more) => {
                let mut more = more.clone();
                more.intersect(before);
                !states.includes(&more)
            }
        }
    }
}

/// Per node, the nodes with a move into it.
fn sources(arena: &Arena) -> IndexVec<NodeId, Vec<NodeId>> {
    let mut sources = IndexVec::filled(Vec::new(), arena.nodes.len());
    for node in arena.nodes.ids() {
        for step in arena.moves_of(node) {
            let list: &mut Vec<NodeId> = &mut sources[step.target];
            if list.last() != Some(&node) {
                list.push(node);
            }
        }
    }
    sources
}

/// The states of a node before pruning.
pub fn invariant(arena: &Arena, node: NodeId) -> Federation {
    zone_ops::federation(arena.dim(), [arena.atoms_of(arena.node(node).invariant)])
}

/// The states of the node's invariant; `None` if time is unbounded in all of it, or if it is empty.
fn bounded(arena: &Arena, node: NodeId) -> Option<Dbm> {
    let parts = arena.node(node);
    let atoms = arena.atoms_of(parts.invariant);
    let bounds_time = |atom: &Atom| atom.left != Clock::ZERO && atom.right == Clock::ZERO;
    if !parts.urgent && !atoms.iter().any(bounds_time) {
        return None;
    }
    zone_ops::restricted(&Dbm::universe(arena.dim()), atoms)
}

/// Whether `step` is possible sooner or later from every state of the node's invariant `all`.
fn is_always_ahead(arena: &Arena, urgent: bool, all: &Dbm, step: &Move) -> bool {
    arena.cases(step.enabled).any(|enabled| {
        zone_ops::restricted(all, enabled).is_some_and(|mut ahead| {
            if !urgent {
                ahead.down();
            }
            ahead.includes(all)
        })
    })
}

/// The states of `safe`, where no input leaves the consistent states, from which time can pass inside it for ever or
/// until a state of `with_output`.
pub fn kept(urgent: bool, safe: &Federation, mut with_output: Federation) -> Federation {
    with_output.intersect(safe);
    if urgent {
        return with_output;
    }
    // A conjunction lets time pass for ever from all of its points, or from none.
    let unbounded = safe.zones().iter().filter(|zone| zone.is_unbounded());
    let mut kept = with_output;
    unbounded.for_each(|zone| kept.add(zone.clone()));
    match safe.zones() {
        _ if kept.is_empty() => {}
        // It contains everything between two of its points.
        [zone] => {
            kept.down();
            kept.intersect_dbm(zone);
        }
        _ => kept = past_within(&kept, safe),
    }
    // All further operations work zone by zone, often on pairs of zones.
    kept.reduce();
    kept
}

/// The states from which `step` leads into `target`.
pub fn predecessors(arena: &Arena, step: &Move, target: &Federation) -> Federation {
    let mut result = Federation::empty(target.dim());
    for zone in target.zones() {
        let mut zone = zone.clone();
        if before_resets(&mut zone, arena.resets_of(step)) && zone_ops::restrict(&mut zone, arena.atoms_of(step.guard))
        {
            result.add(zone);
        }
    }
    result
}

/// Replaces `zone` by the points from which the resets lead into it; `false` if there are none.
#[must_use]
pub fn before_resets(zone: &mut Dbm, resets: &[(Variable, i64)]) -> bool {
    resets.iter().all(|(variable, value)| zone.unreset(*variable, *value))
}

pub(super) fn restrict_to(arena: &mut Arena, shrunk: &Shrunk) {
    for (node, cells) in shrunk.iter_enumerated() {
        if let Some(alive) = kept_states(cells) {
            arena.nodes[node].alive = push_states(arena, alive);
        }
    }
    for at in arena.moves.ids() {
        let target = arena.moves[at].target;
        if !is_full(&shrunk[target]) {
            let step = arena.moves[at].clone();
            arena.moves[at].enabled = push_enabled(arena, &step, target);
        }
    }
}

/// Appends the zones of `states` as cases.
pub(super) fn push_states(arena: &mut Arena, states: &Federation) -> ConjunctionRange {
    let zones = states.zones().iter();
    let conjunctions: Vec<_> = zones
        .map(|zone| arena.push_conjunction(zone_ops::atoms_of_zone(zone)))
        .collect();
    arena.push_cases(conjunctions)
}

/// Appends the condition under which `step` leads to existing states of `target`.
pub fn push_enabled(arena: &mut Arena, step: &Move, target: NodeId) -> ConjunctionRange {
    let before = |alive: &[Atom]| {
        let mut atoms = arena.atoms_of(step.guard).to_vec();
        arena.before_resets(alive, step, &mut atoms).then_some(atoms)
    };
    let cases: Vec<Vec<Atom>> = arena.alive(target).filter_map(before).collect();
    let conjunctions: Vec<_> = cases.into_iter().map(|atoms| arena.push_conjunction(atoms)).collect();
    arena.push_cases(conjunctions)
}

#[cfg(test)]
mod tests;
