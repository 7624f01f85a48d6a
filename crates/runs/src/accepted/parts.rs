//! The parts of a game as text, without positions.

use std::fmt::Write as _;

use tamper_text::Id;
use tamper_timed::model::{Automaton, EdgeId, Guard, LocId, Update, Urgency};
use tamper_timed::mutation::{AlteredPart, Mutation, Site, clock_atom_text, condition_text};

/// The part of `automaton` that `mutation` changes, as it is before; of an added edge what it is.
pub(crate) fn part_text(automaton: &Automaton, mutation: &Mutation) -> String {
    match mutation.part() {
        Some(AlteredPart::Edge(edge) | AlteredPart::Constraint(Site::Guard(edge))) => edge_text(automaton, edge, true),
        Some(AlteredPart::Location(location) | AlteredPart::Constraint(Site::Invariant(location))) => {
            location_text(automaton, location)
        }
        Some(AlteredPart::Action(action)) => {
            let action = &automaton.actions()[action];
            format!("{}channel {}", if action.urgent { "urgent " } else { "" }, action.name)
        }
        Some(AlteredPart::Whole) => mutation.describe(automaton),
        // Its action is new, so that the name says nothing.
        None => {
            let mutant = mutation.apply(automaton);
            edge_text(&mutant, EdgeId::from_index(mutant.edges().len() - 1), false)
        }
    }
}

/// `Off -> On: press?; x>=2; x=0`.
fn edge_text(automaton: &Automaton, id: EdgeId, has_action: bool) -> String {
    let edge = &automaton.edges()[id];
    let [source, target] = [edge.source, edge.target].map(|end| &automaton.locations()[end].name);
    let mut text = format!("{source} -> {target}");
    let mut between = ": ";
    let mut add = |part: &str| {
        if !part.is_empty() {
            text.push_str(between);
            text.push_str(part);
            between = "; ";
        }
    };
    if has_action {
        add(&automaton.actions()[edge.action].to_string());
    }
    let selects = edge.selects.iter();
    let selects: Vec<String> = selects
        .map(|select| format!("{} in {}..{}", select.name, select.low, select.high))
        .collect();
    add(&selects.join(", "));
    add(&guard_text(automaton, Site::Guard(id), &edge.guard));
    let updates = edge.updates.iter().map(|update| {
        let (name, value) = match update {
            Update::Reset(clock, value) => (&automaton.clocks()[*clock].name, value),
            Update::Assign(int, value) => (&automaton.ints()[*int].name, value),
        };
        format!("{name}={}", condition_text(automaton, Some(id), value))
    });
    add(&updates.collect::<Vec<_>>().join(", "));
    text
}

/// `Off while x<=5, urgent`.
fn location_text(automaton: &Automaton, id: LocId) -> String {
    let location = &automaton.locations()[id];
    let mut text = location.name.to_string();
    let invariant = guard_text(automaton, Site::Invariant(id), &location.invariant);
    if !invariant.is_empty() {
        // Writing to a string does not fail.
        let _ = write!(text, " while {invariant}");
    }
    text.push_str(match location.urgency {
        Urgency::Normal => "",
        Urgency::Urgent => ", urgent",
        Urgency::Committed => ", committed",
    });
    text
}

fn guard_text(automaton: &Automaton, site: Site, guard: &Guard) -> String {
    let edge = match site {
        Site::Guard(edge) => Some(edge),
        Site::Invariant(_) => None,
    };
    let clocks = (0..guard.clocks.len()).map(|at| clock_atom_text(automaton, site, at));
    let data = guard.data.iter().map(|part| condition_text(automaton, edge, part));
    clocks.chain(data).collect::<Vec<_>>().join(" && ")
}
