//! Conditions under which a guideline for one process holds in its network.
//!
//! A guideline promises that the identity of states is a refinement. In a composition this is so if the mutation only
//! removes steps that are outputs or internal there, or only adds inputs, and if this makes nothing else possible:
//! removing a step enables steps of lower priority, lets time pass if the step was urgent, and leaves the same
//! broadcast without the process if the process received it.

use std::collections::BTreeSet;

use super::Component;
use super::process_view::ProcessView;
use tamper_timed::guidelines::{Rule, violated};
use tamper_timed::model::{EdgeId, LocId, Role, Urgency};
use tamper_timed::mutation::{Mutation, Site};
use tamper_timed::network::{Network, Uses, View, roles_of_edge};

/// The rule that names `mutation` in each process of `component`, if it is the same rule everywhere and holds in the
/// composition.
pub(super) fn rule(network: &Network, view: &View, component: &Component, mutation: &Mutation) -> Option<Rule> {
    // The rules for other alterations are proved for single games only, and all for clocks that start at 0.
    let is_proved = !matches!(mutation, Mutation::Alter { .. } | Mutation::Again(_)) && network.ahead.is_empty();
    if !is_proved || network.has_priorities() {
        return None;
    }
    let mut rules = component.instances(mutation).map(|(process, skeleton, own)| {
        let rule = violated(&skeleton.automaton, &own)?;
        let concerned = concerned(network, process, skeleton, &own)?;
        let mut edges = concerned.iter().map(|edge| component.edge(*edge));
        edges.all(|edge| fits(network, view, process, edge)).then_some(rule)
    });
    let first = rules.next()??;
    rules.all(|rule| rule == Some(first)).then_some(first)
}

/// The edges that a rule about the mutation concerns; `None` if another process affects them, too.
fn concerned(network: &Network, process: usize, skeleton: &ProcessView, own: &Mutation) -> Option<Vec<EdgeId>> {
    let entering = |location: LocId| {
        let edges = skeleton.automaton.entering(location);
        edges.map(|(edge, _)| edge).collect::<Vec<EdgeId>>()
    };
    Some(match *own {
        Mutation::AddEdge { .. } | Mutation::Alter { .. } | Mutation::Again(_) => Vec::new(),
        Mutation::RemoveEdge { edge } | Mutation::NegateGuard { edge, .. } => vec![edge],
        Mutation::RemoveLocation { location } => entering(location),
        Mutation::LargerConstant { site, old, .. } | Mutation::SmallerConstant { site, old, .. } => match site {
            Site::Guard(edge) => vec![edge],
            // If another process resets the clock, this acts like entering the location again.
            Site::Invariant(location) => {
                is_own_clock(network, process, skeleton.clock(old.clock)).then(|| entering(location))?
            }
        },
    })
}

/// Whether the steps with an edge are all inputs or all not inputs, none is urgent, and none takes place without the
/// edge.
fn fits(network: &Network, view: &View, process: usize, edge: usize) -> bool {
    let Some(sync) = &network.processes[process].edges[edge].sync else {
        return true;
    };
    let channels = &network.channels[sync.channel.range()];
    let roles = roles_of_edge(network, view, process, edge);
    let is_needed = network.vectors_of(process, edge).all(|(_, part)| !part.is_weak);
    let is_uniform = roles.len() == 1 || !roles.contains(&Role::Input);
    is_uniform
        && is_needed
        && channels
            .iter()
            .all(|channel| !channel.urgent && (sync.sends || !channel.broadcast))
}

fn is_own_clock(network: &Network, process: usize, clock: usize) -> bool {
    let others = (0..network.processes.len()).filter(|other| *other != process);
    others
        .map(|other| Uses::of(network, other))
        .all(|uses| !uses.clocks.contains(&clock))
}

/// Name of a variable or clock that `process` shares with another one, if there is one.
pub(super) fn shared(network: &Network, process: usize) -> Option<&str> {
    let own = Uses::of(network, process);
    let others = (0..network.processes.len()).filter(|other| *other != process);
    for uses in others.map(|other| Uses::of(network, other)) {
        if let Some(at) = own.variables.intersection(&uses.variables).next() {
            return Some(&network.variables[*at].name);
        }
        if let Some(at) = own.clocks.intersection(&uses.clocks).next() {
            return Some(&network.clocks[*at]);
        }
    }
    None
}

/// Whether refinement of `process` alone implies refinement of the whole network, as far as the text tells: only
/// broadcasts that are not urgent, outputs that no other process has, nothing shared, no committed location anywhere,
/// no priorities. It remains to check that the process accepts every input in every state, and its mutant with a single
/// answer.
pub(super) fn is_congruent(network: &Network, process: usize) -> bool {
    let channels = |process: usize, sends: Option<bool>| -> BTreeSet<usize> {
        let edges = network.processes[process].edges.iter();
        let syncs = edges.filter_map(|edge| edge.sync.as_ref());
        syncs
            .filter(|sync| sends.is_none_or(|sends| sync.sends == sends))
            .flat_map(|sync| sync.channel.range())
            .collect()
    };
    let is_plain = |channel: &usize| network.channels[*channel].broadcast && !network.channels[*channel].urgent;
    let outputs = channels(process, Some(true));
    let mut others = (0..network.processes.len()).filter(|other| *other != process);
    let mut locations = network.processes.iter().flat_map(|process| &process.locations);
    channels(process, None).iter().all(is_plain)
        && outputs.is_disjoint(&channels(process, Some(false)))
        && others.all(|other| outputs.is_disjoint(&channels(other, Some(true))))
        && shared(network, process).is_none()
        && !network.has_priorities()
        && locations.all(|location| location.urgency != Urgency::Committed)
}
