//! Changes of edges and of their actions.

use crate::model::{Action, ActionId, Automaton, ClockConstraint, Cmp, Edge, EdgeId, Role, Update};
use crate::mutation::Alteration;
use crate::mutation::alteration::never;

/// The change of each edge for which `is_meant` holds.
pub fn each(
    automaton: &Automaton,
    is_meant: impl Fn(&Edge, Role) -> bool,
    change: impl Fn(EdgeId) -> Alteration,
) -> Vec<Alteration> {
    let edges = automaton.edges().iter_enumerated();
    let meant = edges.filter(|(id, edge)| is_meant(edge, automaton.role(*id)));
    meant.map(|(id, _)| change(id)).collect()
}

/// Each edge with each other action of its direction.
pub fn other_actions(automaton: &Automaton) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (edge, parts) in automaton.edges().iter_enumerated() {
        let is_other = |id: ActionId, action: &Action| {
            id != parts.action && action.role == automaton.role(edge) && !action.shows_propositions()
        };
        let actions = automaton.actions().iter_enumerated();
        let others = actions.filter(|(id, action)| is_other(*id, action));
        alterations.extend(others.map(|(action, _)| Alteration::Action { edge, action }));
    }
    alterations
}

/// Each update for which `is_left_out` holds, left out.
pub fn without_updates(automaton: &Automaton, is_left_out: fn(&Update) -> bool) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (edge, parts) in automaton.edges().iter_enumerated() {
        let updates = (0..).zip(&parts.updates).filter(|(_, update)| is_left_out(update));
        alterations.extend(updates.map(|(update, _)| Alteration::DropUpdate { edge, update }));
    }
    alterations
}

/// Each update that sets a clock to 0 for which the edge's target has an upper bound, which the clock may still meet.
pub fn old_timers(automaton: &Automaton) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (edge, parts) in automaton.edges().iter_enumerated() {
        let bounds = (0..).zip(&automaton.locations()[parts.target].invariant.clocks);
        for (update, set) in (0..).zip(&parts.updates) {
            let Update::Reset(clock, value) = set else { continue };
            let sets_it = |other: &&Update| matches!(other, Update::Reset(other, _) if other == clock);
            let is_once = parts.updates.iter().filter(sets_it).count() == 1;
            let is_bound = |constraint: &ClockConstraint| {
                let is_upper = matches!(constraint.cmp, Cmp::Lt | Cmp::Le);
                constraint.left == *clock
                    && constraint.right.is_none()
                    && is_upper
                    && constraint.bound.as_const().is_some()
            };
            let mut own = bounds.clone().filter(|(_, constraint)| is_bound(constraint));
            if let (Some((bound, _)), None, true) = (own.next(), own.next(), is_once && value.as_const() == Some(0)) {
                alterations.push(Alteration::OldTimer { edge, update, bound });
            }
        }
    }
    alterations
}

/// Each edge with each clock that it does not set, set to 0.
pub fn more_resets(automaton: &Automaton) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (edge, parts) in automaton.edges().iter_enumerated() {
        let is_set = |clock| {
            let mut updates = parts.updates.iter();
            updates.any(|update| matches!(update, Update::Reset(set, _) if *set == clock))
        };
        let others = automaton.clocks().ids().filter(|clock| !is_set(*clock));
        alterations.extend(others.map(|clock| Alteration::Reset { edge, clock }));
    }
    alterations
}

/// Each guard, except ones that never hold, replaced by the guard that never holds.
pub fn impossible(automaton: &Automaton) -> Vec<Alteration> {
    let never = never();
    let change = |edge| Alteration::NeverGuard { edge };
    each(automaton, |edge, _| edge.guard != never, change)
}

/// Each channel that an edge uses, with the other urgency; one that compares a clock does not become urgent.
pub fn channels(automaton: &Automaton) -> Vec<Alteration> {
    let channel = |id: ActionId| Some(&automaton.actions()[id]).filter(|action| action.role != Role::Internal);
    let is_of = |id: ActionId, name: &str| channel(id).is_some_and(|action| *action.name == *name);
    let is_meant = |id: &ActionId| {
        let Some(action) = channel(*id) else { return false };
        let first = automaton.actions().ids().find(|other| is_of(*other, &action.name));
        let mut uses = automaton.edges().iter().filter(|edge| is_of(edge.action, &action.name));
        let is_used = uses.clone().next().is_some();
        let is_untimed = uses.all(|edge| edge.guard.clocks.is_empty());
        first == Some(*id) && is_used && (action.urgent || is_untimed)
    };
    let actions = automaton.actions().ids().filter(is_meant);
    actions.map(|action| Alteration::Channel { action }).collect()
}
