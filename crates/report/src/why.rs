//! The reasons why an edge is never taken, or a state inconsistent, in words.

use tamper_game::{WhyDead, why_dead};
use tamper_timed::model::{Automaton, ClockConstraint, Cmp, EdgeId, LocId, Role, Urgency};
use tamper_uppaal::{guard_text, updates_text};

/// The reason why no run takes the edge; `unreachable` are the locations that no run reaches.
pub(super) fn dead_because(automaton: &Automaton, edge: EdgeId, unreachable: &[LocId]) -> Option<String> {
    let why = why_dead(automaton, edge, unreachable)?;
    let edge = &automaton.edges()[edge];
    let (source, target) = (&automaton.locations()[edge.source], &automaton.locations()[edge.target]);
    let guard = guard_text(automaton, &edge.guard, &edge.selects);
    Some(match why {
        WhyDead::Unreached => format!("no run reaches {}", source.name),
        WhyDead::False => "its guard is false".to_owned(),
        WhyDead::Guard => match guard_text(automaton, &source.invariant, &[]) {
            invariant if invariant.is_empty() => format!("its guard {guard} never holds"),
            invariant => format!("its guard {guard} never holds with the invariant {invariant}"),
        },
        WhyDead::Invariant => {
            let invariant = guard_text(automaton, &target.invariant, &[]);
            let with = match updates_text(automaton, &edge.updates, &edge.selects) {
                updates if !updates.is_empty() => format!("after {updates}"),
                _ => "whenever the edge is enabled".to_owned(),
            };
            format!("the invariant {invariant} of {} fails {with}", target.name)
        }
    })
}

/// The reason why time stops in the location with nothing to do.
pub(super) fn inconsistent_because(automaton: &Automaton, location: LocId) -> Option<String> {
    let parts = &automaton.locations()[location];
    let mut edges = automaton.edges().iter_enumerated();
    if edges.any(|(id, edge)| edge.source == location && automaton.role(id) != Role::Input) {
        return None;
    }
    let is_upper = |atom: &ClockConstraint| atom.right.is_none() && matches!(atom.cmp, Cmp::Le | Cmp::Lt | Cmp::Eq);
    match parts.urgency {
        Urgency::Normal if parts.invariant.clocks.iter().any(is_upper) => {
            let invariant = guard_text(automaton, &parts.invariant, &[]);
            Some(format!("time ends by the invariant {invariant}, and no output leaves"))
        }
        Urgency::Normal => None,
        Urgency::Urgent | Urgency::Committed => Some("no time passes there, and no output leaves".to_owned()),
    }
}
