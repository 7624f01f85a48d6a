//! The consistent states of a game, each with its next step.

use std::fmt::{self, Write as _};

use super::normal_form::ClockNames;
use crate::symbolic::{Arena, NodeId, zone_ops};
use tamper_text::Id as _;
use tamper_timed::model::Role;
use tamper_zones::{Dbm, Federation, past_within};

/// The lines of the states that `arena` was pruned to, per node; `None` if some of them have no next step. `known` has those of nodes
/// that are like others.
pub(super) fn consistent<'k>(
    arena: &Arena,
    names: &ClockNames,
    numbers: &[usize],
    known: &dyn Fn(NodeId) -> Option<&'k String>,
) -> Option<Vec<String>> {
    let lines = |node: NodeId| {
        if let Some(lines) = known(node) {
            return Some(lines.clone());
        }
        let mut out = String::new();
        let is_whole = write_node(&mut out, arena, node, names, numbers[node.index()]);
        is_whole.expect("a string takes all text").then_some(out)
    };
    arena.nodes.ids().map(lines).collect()
}

fn write_node(
    out: &mut String,
    arena: &Arena,
    node: NodeId,
    names: &ClockNames,
    number: usize,
) -> Result<bool, fmt::Error> {
    let dim = arena.dim();
    let alive = zone_ops::federation(dim, arena.alive(node));
    let mut rest = alive.clone();
    let is_urgent = arena.node(node).urgent;
    // A state that reaches one of these sets has a next step. A set that no state needs is not written.
    for zone in alive.zones().iter().filter(|zone| !is_urgent && zone.is_unbounded()) {
        writeln!(out, "{number} forever {}", names.zone(zone))?;
        rest.subtract_dbm(zone);
        write_waiting(out, number, zone, &alive, &mut rest, names)?;
    }
    for step in arena.moves_of(node).iter().filter(|step| step.role != Role::Input) {
        let mut now = zone_ops::federation(dim, arena.cases(step.enabled));
        now.intersect(&alive);
        for zone in now.zones() {
            if rest.is_empty() {
                return Ok(true);
            }
            let past = past_within(&zone.clone().into(), &alive);
            let is_needed = if is_urgent {
                rest.intersects_dbm(zone)
            } else {
                rest.intersects(&past)
            };
            if is_needed {
                writeln!(out, "{number} output {}", names.zone(zone))?;
                rest.subtract_dbm(zone);
            }
            if is_needed && !is_urgent {
                write_waiting(out, number, zone, &alive, &mut rest, names)?;
            }
        }
    }
    Ok(rest.is_empty())
}

/// Writes the states that wait until they are in `until`, and takes them from `rest`.
fn write_waiting(
    out: &mut String,
    node: usize,
    until: &Dbm,
    alive: &Federation,
    rest: &mut Federation,
    names: &ClockNames,
) -> fmt::Result {
    let past = past_within(&until.clone().into(), alive);
    for whole in alive.zones() {
        if !rest.intersects_dbm(whole) {
            continue;
        }
        // A zone of the node itself is shorter to say than what is left of it.
        let waiting = if past.includes_dbm(whole) {
            Federation::from(whole.clone())
        } else {
            let mut part = past.clone();
            part.intersect(rest);
            part.intersect_dbm(whole);
            part
        };
        for zone in waiting.zones() {
            writeln!(out, "{node} delay {} => {}", names.zone(zone), names.bounds(until))?;
            rest.subtract_dbm(zone);
        }
    }
    Ok(())
}
