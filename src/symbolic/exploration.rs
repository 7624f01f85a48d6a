//! Forward exploration of one game by zones: which discrete states and zones its runs reach.

use std::collections::VecDeque;

use super::arena::INITIAL;
use super::error::Halt;
use super::lowering::Lowering;
use super::zone_ops;
use crate::base::Budget;
use crate::zones::Dbm;

/// The zones that runs of a game reach, per node; closed under delay, extrapolated.
#[derive(Debug)]
pub struct Reach {
    pub zones: Vec<Vec<Dbm>>,
}

/// Explores the unpruned game, expanding the discrete states its zones lead to.
///
/// # Errors
/// A fault that some run reaches, or the budget.
pub fn explore(lowering: &mut Lowering<'_>, budget: &Budget) -> Result<Reach, Halt> {
    let max = super::bounds::global(lowering.automaton);
    let dim = lowering.arena.dim();
    let zone_bytes = zone_ops::zone_bytes(dim);
    let mut reach = Reach { zones: Vec::new() };
    let mut waiting: VecDeque<(u32, Dbm)> = VecDeque::from([(INITIAL, Dbm::zero(dim))]);
    let mut n_states = 0u64;
    let mut parts = Vec::new();
    while let Some((node, entry)) = waiting.pop_front() {
        lowering.expand(node)?;
        reach.zones.resize(lowering.arena.nodes.len(), Vec::new());
        let mut zone = entry;
        if !lowering.arena.node(node).urgent {
            zone.up();
            let invariant = lowering.arena.atoms_of(lowering.arena.node(node).invariant);
            let kept = zone_ops::restrict(&mut zone, invariant);
            assert!(kept, "an entered state satisfies its invariant");
        }
        parts.clear();
        zone_ops::normalise(zone, &lowering.arena.diagonals, &max, &mut parts);
        for zone in parts.drain(..) {
            let known = &mut reach.zones[node as usize];
            if known.iter().any(|old| old.includes(&zone)) {
                continue;
            }
            known.retain(|old| !zone.includes(old));
            n_states += 1;
            if let Some(reason) = budget.exceeded(n_states, n_states * zone_bytes) {
                return Err(reason.into());
            }
            check_faults(lowering, node, &zone)?;
            for step in lowering.arena.moves_of(node) {
                for atoms in lowering.arena.cases(step.enabled) {
                    if let Some(mut next) = zone_ops::restricted(&zone, atoms) {
                        zone_ops::reset_all(&mut next, lowering.arena.resets_of(step));
                        waiting.push_back((step.target, next));
                    }
                }
            }
            known.push(zone);
        }
    }
    reach.zones.resize(lowering.arena.nodes.len(), Vec::new());
    Ok(reach)
}

fn check_faults(lowering: &Lowering<'_>, node: u32, zone: &Dbm) -> Result<(), Halt> {
    let reached = |guard| zone_ops::restricted(zone, lowering.arena.atoms_of(guard)).is_some();
    match lowering
        .faults
        .iter()
        .find(|fault| fault.node == node && reached(fault.guard))
    {
        Some(fault) => Err(fault.error.clone().into()),
        None => Ok(()),
    }
}
