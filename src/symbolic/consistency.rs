//! Consistency: the greatest set of states from which a game never runs out of time (David et al. 2010).
//!
//! The consistent states are the greatest set X of states such that from each, every possible input leads into X, and either an output
//! leads into X or time can pass inside X, until such an output or for ever. Per node it is a federation; it is
//! computed backwards from the invariants, node by node, until nothing shrinks. Every operation maps unions of
//! regions to unions of regions, so this ends without extrapolation, with clock differences too.

use super::arena::{Arena, Atom, INITIAL, Move};
use super::error::Halt;
use super::zone_ops;
use crate::base::Budget;
use crate::model::Role;
use crate::zones::{Clock, Dbm, Federation, Variable, safe_past};

/// Per node, the consistent states; `None` where they are all of the invariant.
pub type Shrunk = Vec<Option<Federation>>;

/// How far a fixpoint is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// To its end.
    Stable,
    /// To its end, or until it is known that the initial state is not consistent.
    StartIsLost,
}

/// Restricts `arena` to its consistent states: `alive` of the nodes, `enabled` of the moves. Whether the initial
/// state is one of them.
pub fn prune(arena: &mut Arena, budget: &Budget) -> Result<bool, Halt> {
    let shrunk = greatest_fixpoint(arena, budget)?;
    let is_consistent = has_start(arena, &shrunk);
    if shrunk.iter().any(Option::is_some) {
        restrict_to(arena, &shrunk);
    }
    Ok(is_consistent)
}

/// Whether the initial state is consistent.
pub fn has_start(arena: &Arena, shrunk: &Shrunk) -> bool {
    match &shrunk[INITIAL as usize] {
        None => true,
        Some(alive) => alive.includes_dbm(&Dbm::zero(arena.dim())),
    }
}

fn greatest_fixpoint(arena: &Arena, budget: &Budget) -> Result<Shrunk, Halt> {
    let n_nodes = arena.nodes.len();
    let mut shrunk: Shrunk = vec![None; n_nodes];
    shrink(
        arena,
        &mut shrunk,
        (0..super::arena::index(n_nodes)).collect(),
        (Until::Stable, budget),
    )?;
    Ok(shrunk)
}

/// Applies the definition to the nodes in `waiting` and whatever that changes, from `shrunk` downwards. The result is
/// the greatest fixpoint if `shrunk` was no less and only the nodes waiting may shrink at once, or, if that is enough, more
/// than it and without the initial state. Returns the nodes that shrank.
pub fn shrink(
    arena: &Arena,
    shrunk: &mut Shrunk,
    mut waiting: Vec<u32>,
    (until, budget): (Until, &Budget),
) -> Result<Vec<u32>, Halt> {
    let mut is_waiting = vec![false; arena.nodes.len()];
    waiting.iter().for_each(|node| is_waiting[*node as usize] = true);
    let mut entering: Option<Vec<Vec<u32>>> = None;
    let mut changed = Vec::new();
    let mut n_steps = 0u64;
    while let Some(node) = waiting.pop() {
        is_waiting[node as usize] = false;
        if progresses_everywhere(arena, shrunk, node) {
            continue;
        }
        n_steps += 1;
        if let Some(reason) = budget.exceeded(n_steps, 0) {
            return Err(reason.into());
        }
        let before = consistent(arena, shrunk, node);
        let after = step(arena, shrunk, node, &before);
        if after.includes(&before) {
            continue;
        }
        let is_lost = until == Until::StartIsLost && node == INITIAL && !after.includes_dbm(&Dbm::zero(arena.dim()));
        shrunk[node as usize] = Some(after);
        changed.push(node);
        if is_lost {
            break;
        }
        for source in &entering.get_or_insert_with(|| sources(arena))[node as usize] {
            if !std::mem::replace(&mut is_waiting[*source as usize], true) {
                waiting.push(*source);
            }
        }
    }
    Ok(changed)
}

/// Per node, the nodes with a move into it.
pub fn sources(arena: &Arena) -> Vec<Vec<u32>> {
    let mut sources = vec![Vec::new(); arena.nodes.len()];
    for node in 0..super::arena::index(arena.nodes.len()) {
        for step in arena.moves_of(node) {
            let list: &mut Vec<u32> = &mut sources[step.target as usize];
            if list.last() != Some(&node) {
                list.push(node);
            }
        }
    }
    sources
}

fn consistent(arena: &Arena, shrunk: &Shrunk, node: u32) -> Federation {
    match &shrunk[node as usize] {
        Some(alive) => alive.clone(),
        None => invariant(arena, node),
    }
}

pub fn invariant(arena: &Arena, node: u32) -> Federation {
    zone_ops::federation(arena.dim(), [arena.atoms_of(arena.node(node).invariant)])
}

/// A cheap sufficient condition for the node to keep all of its invariant: no input leaves the consistent states, and
/// time is unbounded or one output is always still ahead. What it replaces is [`step`].
fn progresses_everywhere(arena: &Arena, shrunk: &Shrunk, node: u32) -> bool {
    let full = |step: &Move| shrunk[step.target as usize].is_none();
    let parts = arena.node(node);
    if shrunk[node as usize].is_some()
        || !arena
            .moves_of(node)
            .iter()
            .all(|step| step.role != Role::Input || full(step))
    {
        return false;
    }
    let Some(all) = bounded(arena, node) else {
        return true;
    };
    let mut outputs = arena
        .moves_of(node)
        .iter()
        .filter(|step| step.role != Role::Input && full(step));
    outputs.any(|step| is_always_ahead(arena, (parts.urgent, &all), step))
}

/// The states of the node's invariant; `None` if time is unbounded in all of it, or there are none.
pub fn bounded(arena: &Arena, node: u32) -> Option<Dbm> {
    let parts = arena.node(node);
    let atoms = arena.atoms_of(parts.invariant);
    let bounds_time = |atom: &Atom| atom.left != Clock::ZERO && atom.right == Clock::ZERO;
    if !parts.urgent && !atoms.iter().any(bounds_time) {
        return None;
    }
    zone_ops::restricted(&Dbm::universe(arena.dim()), atoms)
}

/// Whether `step` is possible sooner or later from every state of the node's invariant `all`.
pub fn is_always_ahead(arena: &Arena, (urgent, all): (bool, &Dbm), step: &Move) -> bool {
    arena.cases(step.enabled).any(|enabled| {
        zone_ops::restricted(all, enabled).is_some_and(|mut ahead| {
            if !urgent {
                ahead.down();
            }
            ahead.includes(all)
        })
    })
}

/// The states of `before` that the definition keeps when every node's set is as in `shrunk`.
fn step(arena: &Arena, shrunk: &Shrunk, node: u32, before: &Federation) -> Federation {
    let mut safe = before.clone();
    let mut with_output = Federation::empty(arena.dim());
    for step in arena.moves_of(node) {
        let target = consistent(arena, shrunk, step.target);
        if step.role == Role::Input {
            if shrunk[step.target as usize].is_some() {
                let mut lost = invariant(arena, step.target);
                lost.subtract(&target);
                safe.subtract(&predecessors(arena, step, &lost));
            }
        } else {
            with_output.union_with(&predecessors(arena, step, &target));
        }
    }
    kept(arena.node(node).urgent, &safe, with_output)
}

/// The states of `safe`, where no input leaves the consistent states, from which time can pass inside it for ever or
/// until a state of `with_output`.
pub fn kept(urgent: bool, safe: &Federation, mut with_output: Federation) -> Federation {
    with_output.intersect(safe);
    if urgent {
        return with_output;
    }
    let mut kept = if with_output.is_empty() {
        with_output
    } else {
        safe_past(&with_output, &safe.complement())
    };
    match safe.zones() {
        // A conjunction lets time pass for ever from all of its points, or from none.
        [zone] if zone.is_unbounded() => kept.add(zone.clone()),
        [] | [_] => {}
        _ => kept.union_with(&safe.forever()),
    }
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

/// Turns `zone` into the points that the resets lead into it; `false` when there are none.
#[must_use]
pub fn before_resets(zone: &mut Dbm, resets: &[(Variable, i64)]) -> bool {
    resets.iter().all(|(variable, value)| zone.unreset(*variable, *value))
}

fn restrict_to(arena: &mut Arena, shrunk: &Shrunk) {
    for (node, alive) in shrunk.iter().enumerate() {
        if let Some(alive) = alive {
            let conjunctions: Vec<_> = alive
                .zones()
                .iter()
                .map(|zone| arena.push_conjunction(zone_ops::atoms_of_zone(zone)))
                .collect();
            arena.nodes[node].alive = arena.push_cases(conjunctions);
        }
    }
    for position in 0..arena.moves.len() {
        let step = &arena.moves[position];
        if shrunk[step.target as usize].is_none() {
            continue;
        }
        let before = |alive: &[Atom]| {
            let mut atoms = arena.atoms_of(step.guard).to_vec();
            arena.before_resets(alive, step, &mut atoms).then_some(atoms)
        };
        let cases: Vec<Vec<Atom>> = arena.alive(step.target).filter_map(before).collect();
        let conjunctions: Vec<_> = cases.into_iter().map(|atoms| arena.push_conjunction(atoms)).collect();
        arena.moves[position].enabled = arena.push_cases(conjunctions);
    }
}
