//! Priorities: a step is blocked while another one of higher priority is enabled.

use std::sync::Arc;

use super::atoms::{Atoms, minus_all};
use super::moves::CombinedMove;
use super::priority::Priority;

/// The unblocked steps of `moves`: their guards exclude the clock values at which a blocking step is enabled, so that its
/// guard holds, and the invariant of its target holds afterwards.
pub(super) fn prioritised(moves: Vec<CombinedMove>) -> Vec<CombinedMove> {
    let blocks = |one: &CombinedMove| moves.iter().any(|other| one.priority.blocks(other.priority));
    if !moves.iter().any(blocks) {
        return moves;
    }
    let enabled: Vec<(Priority, Option<Atoms>)> = moves.iter().map(|step| (step.priority, enabled(step))).collect();
    let mut left = Vec::new();
    for step in moves {
        let higher = enabled.iter().filter(|(priority, _)| priority.blocks(step.priority));
        let rest = minus_all(
            vec![Atoms::clone(&step.guard)],
            higher.filter_map(|(_, condition)| condition.as_ref()),
        );
        left.extend(rest.into_iter().map(|guard| CombinedMove {
            guard: Arc::new(guard),
            ..step.clone()
        }));
    }
    left
}

/// The clock condition under which the step can be taken; `None` if it cannot.
fn enabled(step: &CombinedMove) -> Option<Atoms> {
    match &step.effect {
        Ok(effect) => step.guard.and_all(&effect.invariant.before(&effect.resets)?),
        Err(_) => Some(Atoms::clone(&step.guard)),
    }
}
