//! Priorities: a step is blocked where another one of higher priority is enabled.

use super::atoms::{Atoms, minus_all};
use super::moves::Move;

/// How a step of a network is placed among the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Priority {
    /// The network's own: of the channel, then of the processes.
    Own(i32, i32),
    /// It waits for a sender outside: of the channel. Whether it is enabled only the outside knows, so it blocks nothing.
    Outside(i32),
}

impl Priority {
    /// Whether a step that has it blocks one that has `other`.
    fn blocks(self, other: Self) -> bool {
        match (self, other) {
            (Self::Own(channel, process), Self::Own(others, process_there)) => {
                (channel, process) > (others, process_there)
            }
            (Self::Own(channel, _), Self::Outside(others)) => channel > others,
            (Self::Outside(_), _) => false,
        }
    }
}

/// The steps that are left of `moves`, with guards that exclude where a step that blocks them is enabled: where its
/// guard holds, and the invariant of its target holds afterwards.
pub(super) fn prioritised(moves: Vec<Move>) -> Vec<Move> {
    let blocks = |one: &Move| moves.iter().any(|other| one.priority.blocks(other.priority));
    if !moves.iter().any(blocks) {
        return moves;
    }
    let enabled: Vec<(Priority, Option<Atoms>)> = moves.iter().map(|step| (step.priority, enabled(step))).collect();
    let mut left = Vec::new();
    for step in moves {
        let higher = enabled.iter().filter(|(priority, _)| priority.blocks(step.priority));
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
