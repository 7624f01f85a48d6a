//! All states that runs of a mutant reach, also those that inputs lead to, up to states that can do the same.

use super::answer::Stop;
use super::nodes::{Nodes, condition};
use super::reached::Reached;
use crate::model::Role;
use tamper_text::Budget;
use tamper_zones::{Dbm, Federation};

/// Most zones that hold the values from which no output is known yet.
const MOST_PIECES: usize = 64;
/// Most states.
const MOST_STATES: u64 = 20_000;

/// The form in which the states that are reached in a node are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// A zone that includes them all.
    Hulls,
    /// Their zones.
    Zones,
}

/// Whether from each state that runs from `zone` reach in the node, after waiting, an output comes or time passes for ever.
/// Without `prune` that counts as so. A fault ends the search. With hulls this holds of more states, if it does.
pub(super) fn all_go_on(
    nodes: &mut Nodes<'_>,
    (node, zone): (usize, Dbm),
    kept: Kept,
    prune: bool,
    budget: &Budget,
) -> Result<bool, Stop> {
    let mut reached = Reached::default();
    let mut waiting = vec![(node, zone)];
    while let Some((node, mut zone)) = waiting.pop() {
        let largest = &nodes.list[node].constants.largest;
        if reached
            .zones(node)
            .any(|other| zone.is_simulated_in(other, largest, largest))
        {
            continue;
        }
        if kept == Kept::Hulls {
            let hull = reached.zones(node).fold(zone, |hull, other| other.hull(&hull));
            zone = nodes.settled(node, hull.simulated(largest, largest));
        }
        reached.add(node, zone.clone(), None, (largest, largest));
        let n_states = reached.entries.len() as u64;
        if n_states > MOST_STATES {
            return Err(Stop::Unclear);
        }
        budget.exceeded(n_states, 0).map_or(Ok(()), |_| Err(Stop::Limit))?;
        if prune && nodes.may_stop(node, &zone)? {
            return Ok(false);
        }
        for at in 0..nodes.list[node].moves.len() {
            if let Some((target, entered)) = nodes.after(node, at, &zone)? {
                waiting.push((target, nodes.settled(target, entered)));
            }
        }
        if nodes.has_fault {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Nodes<'_> {
    /// Whether from some value of `zone`, which holds what waiting leads to, no output comes, and time does not pass for ever.
    fn may_stop(&self, node: usize, zone: &Dbm) -> Result<bool, Stop> {
        let own = &self.list[node];
        let mut rest = Federation::from_zones(zone.dim(), [zone.clone()]);
        if own.is_calm() {
            return Ok(false);
        }
        let outputs = own.moves.iter().filter(|step| step.class != Some(Role::Input));
        for condition in outputs.filter(|step| step.effect.is_ok()).filter_map(condition) {
            let mut before = zone.clone();
            if condition.restrict(&mut before) {
                if !own.urgent {
                    before.down();
                }
                if before.includes(zone) {
                    return Ok(false);
                }
                rest.subtract_dbm(&before);
                if rest.zones().len() > MOST_PIECES {
                    return Err(Stop::Unclear);
                }
            }
        }
        Ok(!rest.is_empty())
    }
}
