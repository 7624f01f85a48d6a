//! Channel urgency.

use super::{Alterations, Definition};
use crate::model::{ActionId, Automaton, Role};
use crate::mutation::Alteration;

pub const CHU: Definition = Definition {
    name: "CHU",
    summary: "make a channel urgent, or an urgent one ordinary",
    meaning: "each channel that an edge uses is urgent, in both directions, if it was an ordinary one and no edge that uses it compares a clock; an urgent one is ordinary",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let channel = |id: ActionId| Some(&automaton.actions()[id]).filter(|action| action.role != Role::Internal);
    let uses = |name: &str| {
        let edges = automaton.edges().iter();
        edges
            .filter(|edge| channel(edge.action).is_some_and(|action| *action.name == *name))
            .collect::<Vec<_>>()
    };
    let is_meant = |id: &ActionId| {
        let Some(action) = channel(*id) else { return false };
        let mut same = automaton
            .actions()
            .ids()
            .filter(|other| channel(*other).is_some_and(|one| one.name == action.name));
        let edges = uses(&action.name);
        let is_untimed = edges.iter().all(|edge| edge.guard.clocks.is_empty());
        same.next() == Some(*id) && !edges.is_empty() && (action.urgent || is_untimed)
    };
    let actions = automaton.actions().ids().filter(is_meant);
    actions.map(|action| Alteration::Channel { action }).collect()
}
