//! Priorities: a step is blocked where another one of higher priority is enabled.

use super::atoms::{Atoms, minus_all};
use super::moves::Move;

/// The steps that are left of `moves`, with guards that exclude where a step of higher priority is enabled: where its
/// guard holds, and the invariant of its target holds afterwards.
pub(super) fn prioritised(moves: Vec<Move>) -> Vec<Move> {
    let lowest = moves.iter().map(|step| step.priority).min();
    if moves.iter().all(|step| Some(step.priority) == lowest) {
        return moves;
    }
    let enabled: Vec<((i32, i32), Option<Atoms>)> = moves.iter().map(|step| (step.priority, enabled(step))).collect();
    let mut left = Vec::new();
    for step in moves {
        let higher = enabled.iter().filter(|(priority, _)| *priority > step.priority);
        let rest = minus_all(
            vec![step.guard.clone()],
            higher.filter_map(|(_, condition)| condition.as_ref()),
        );
        left.extend(rest.into_iter().map(|guard| Move { guard, ..step.clone() }));
    }
    left
}

/// When the step can be taken.
fn enabled(step: &Move) -> Option<Atoms> {
    match &step.effect {
        Ok(effect) => step.guard.and_all(&effect.invariant.before(&effect.resets)?),
        Err(_) => Some(step.guard.clone()),
    }
}
