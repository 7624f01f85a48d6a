//! Outputs that may go: time passes without them as it does with them.

use crate::model::{Automaton, EdgeId, LocId, Role};

/// Whether the edge is an output or internal, and time may pass where it is missing just as where it is there.
pub fn is_removable_output(automaton: &Automaton, edge: EdgeId) -> bool {
    let action = &automaton.actions()[automaton.edges()[edge].action];
    action.role != Role::Input && !action.urgent
}

pub fn only_removable_outputs_enter(automaton: &Automaton, location: LocId) -> bool {
    automaton
        .entering(location)
        .all(|(edge, _)| is_removable_output(automaton, edge))
}
