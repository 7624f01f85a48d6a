//! Forward exploration by zones: the discrete states and zones that runs reach, and their arena.

use std::collections::VecDeque;

use super::arena::Arena;
use super::error::Halt;
use super::ids::NodeId;
use super::lowering::{FamilyMembers, Lowering};
use super::{bounds, zone_ops};
use tamper_text::{Budget, IndexVec};
use tamper_timed::model::Automaton;
use tamper_zones::Dbm;

/// The zones that runs of a game reach, per node; closed under delay, extrapolated.
#[derive(Debug)]
pub struct ReachedZones {
    /// The zones that runs reach, by node.
    pub zones: IndexVec<NodeId, Vec<Dbm>>,
}

/// The arena of `automaton`: the discrete states that its runs reach (or more, never fewer). `None` if its initial
/// invariant does not hold at the start, so that it has no state at all.
///
/// # Errors
/// A [`GameError`](super::GameError), or the budget.
pub fn lower(automaton: &Automaton, budget: &Budget) -> Result<Option<Arena>, Halt> {
    lower_with(automaton, false, budget)
}

/// The same; with `skips_faults` without the faulty edges of a game, so that no run meets them ([`Lowering::skips_faults`]).
///
/// # Errors
/// As of [`lower`].
pub fn lower_with(automaton: &Automaton, skips_faults: bool, budget: &Budget) -> Result<Option<Arena>, Halt> {
    let Some(mut lowering) = Lowering::start(automaton)? else {
        return Ok(None);
    };
    lowering.skips_faults = skips_faults;
    expand_reached(&mut lowering, budget)?;
    Ok(Some(lowering.finish()))
}

/// Expands the nodes that runs reach, or more: without integers all nodes of the graph. For a single game, zones tell
/// whether runs reach a fault.
///
/// # Errors
/// A [`GameError`](super::GameError), or the budget.
pub fn expand_reached<M: FamilyMembers>(lowering: &mut Lowering<'_, M>, budget: &Budget) -> Result<(), Halt> {
    if lowering.automaton.ints().is_empty() {
        lowering.expand_graph()?;
        // Several games are not explored together for this: the ones with faults are refused, and decided one by one.
        if lowering.faults.is_empty() || !M::IS_ONE {
            return lowering.refuse_all_faults();
        }
    }
    reached(lowering, budget).map(|_| ())
}

/// Explores the unpruned game, expanding the discrete states its zones lead to.
///
/// # Errors
/// A fault that some run reaches, or the budget.
pub fn explore(lowering: &mut Lowering<'_>, budget: &Budget) -> Result<ReachedZones, Halt> {
    let zones = reached(lowering, budget)?.into_iter();
    let zones = zones.map(|of_node| of_node.into_iter().map(|(zone, ())| zone).collect());
    Ok(ReachedZones { zones: zones.collect() })
}

/// Zones, each with the games whose runs reach it.
type GroupZones<Group> = Vec<(Dbm, Group)>;

/// Per node, the zones that are reached, each with the games that reach it. Games with a run that reaches a fault are
/// refused.
fn reached<M: FamilyMembers>(
    lowering: &mut Lowering<'_, M>,
    budget: &Budget,
) -> Result<IndexVec<NodeId, GroupZones<M::Group>>, Halt> {
    let max = bounds::global(lowering.automaton);
    let dim = lowering.arena.dim();
    let zone_bytes = zone_ops::zone_bytes(dim);
    let mut reached: IndexVec<NodeId, GroupZones<M::Group>> = IndexVec::new();
    let starts = lowering.starts.iter();
    let mut waiting: VecDeque<_> = starts
        .map(|(node, group)| (*node, Dbm::zero(dim), group.clone()))
        .collect();
    let mut n_states = 0u64;
    let mut parts = Vec::new();
    while let Some((node, mut zone, group)) = waiting.pop_front() {
        let Some(group) = lowering.members.remaining(&group)? else {
            continue;
        };
        lowering.expand(node)?;
        reached.resize_with(lowering.arena.nodes.len(), Vec::new);
        if !lowering.arena.node(node).urgent {
            zone.up();
            let invariant = lowering.arena.atoms_of(lowering.arena.node(node).invariant);
            let kept = zone_ops::restrict(&mut zone, invariant);
            assert!(kept, "an entered state satisfies its invariant");
        }
        zone_ops::normalise(zone, &lowering.arena.diagonals, &max, &mut parts);
        for zone in parts.drain(..) {
            let Some(new) = add(&mut lowering.members, &mut reached[node], &zone, &group)? else {
                continue;
            };
            n_states += 1;
            if let Some(reason) = budget.exceeded(n_states, n_states * zone_bytes) {
                return Err(reason.into());
            }
            refuse_faults(lowering, node, &zone, &new)?;
            for at in lowering.arena.move_ids(node) {
                let step = &lowering.arena.moves[at];
                let Some(going) = lowering.members.both(&new, &lowering.moves[at])? else {
                    continue;
                };
                for atoms in lowering.arena.cases(step.enabled) {
                    if let Some(mut next) = zone_ops::restricted(&zone, atoms) {
                        zone_ops::reset_all(&mut next, lowering.arena.resets_of(step));
                        waiting.push_back((step.target, next, going.clone()));
                    }
                }
            }
            reached[node].push((zone, new));
        }
    }
    reached.resize_with(lowering.arena.nodes.len(), Vec::new);
    Ok(reached)
}

/// The games of the group for which not all points of the zone are known yet; their known zones within it are dropped.
fn add<M: FamilyMembers>(
    members: &mut M,
    known: &mut GroupZones<M::Group>,
    zone: &Dbm,
    group: &M::Group,
) -> Result<Option<M::Group>, Halt> {
    let mut new = group.clone();
    for (old, who) in known.iter() {
        if old.includes(zone) {
            match members.beyond(&new, who)? {
                Some(rest) => new = rest,
                None => return Ok(None),
            }
        }
    }
    let mut at = 0;
    while at < known.len() {
        let (old, who) = &known[at];
        if zone.includes(old) && members.beyond(who, &new)?.is_none() {
            known.remove(at);
        } else {
            at += 1;
        }
    }
    Ok(Some(new))
}

fn refuse_faults<M: FamilyMembers>(
    lowering: &mut Lowering<'_, M>,
    node: NodeId,
    zone: &Dbm,
    group: &M::Group,
) -> Result<(), Halt> {
    for fault in lowering.faults.iter().filter(|fault| fault.node == node) {
        let guard = lowering.arena.atoms_of(fault.guard);
        if zone_ops::restricted(zone, guard).is_some()
            && let Some(faulty) = lowering.members.both(&fault.group, group)?
        {
            lowering.members.refuse(fault.error.clone(), &faulty)?;
        }
    }
    Ok(())
}
