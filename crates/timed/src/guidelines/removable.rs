//! Outputs that can be removed without a change to the passing of time.

use crate::model::{Automaton, EdgeId, LocId, Role};

/// Whether the edge is an output or internal, and time may pass without it just as with it.
pub fn is_removable_output(automaton: &Automaton, edge: EdgeId) -> bool {
    let action = &automaton.actions()[automaton.edges()[edge].action];
    action.role != Role::Input && !action.urgent
}

pub fn only_removable_outputs_enter(automaton: &Automaton, location: LocId) -> bool {
    automaton
        .entering(location)
        .all(|(edge, _)| is_removable_output(automaton, edge))
}
