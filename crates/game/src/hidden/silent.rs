//! Games that show nothing but time, and specifications that let any time pass unseen.
//!
//! A mutant without outputs shows only how long it waits, if it has no inputs either. A specification with a run of hidden
//! steps in which time passes without end looks like each of these waits, so no observation tells the two apart
//! (`docs/notes/0016-hidden-steps.md`, "Nothing is seen but time"). The search covers states with whole numbers as clock
//! values: it looks for a path from the start into a cycle in which time passes. Runs that are on no grid are deliberately
//! not searched.

use std::collections::HashMap;

use super::walker::{Spot, Walker, common_unit};
use crate::symbolic::Arena;
use tamper_timed::model::Role;

/// Most states that are examined in the search for a run in which time passes without end.
const MOST_SPOTS: usize = 20_000;

/// Whether no move of the game has this role.
pub(super) fn has_no(arena: &Arena, role: Role) -> bool {
    arena.moves.iter().all(|step| step.role != role)
}

/// Whether a run of delays and hidden steps was found in which time passes without end. `false` proves nothing.
pub(super) fn lets_time_pass(arena: &Arena) -> bool {
    // Twice as fine as the constants, so that there are points between two of them.
    let step = common_unit(&[arena]);
    let Some(finer) = arena.scaled(2) else {
        return false;
    };
    let walker = Walker { arena: &finer };
    let mut walk = DepthFirst {
        walker,
        step,
        known: HashMap::new(),
        path: Vec::new(),
    };
    walk.finds_circle()
}

/// A depth-first search, which notices when its own path returns to a state.
struct DepthFirst<'a> {
    walker: Walker<'a>,
    step: i64,
    /// The states that were met, with the time at which the path is there while it contains them.
    known: HashMap<Spot, Option<i64>>,
    path: Vec<Visit>,
}

/// A state on the path.
struct Visit {
    spot: Spot,
    /// The time that has passed since the start.
    elapsed: i64,
    /// The successors that were not visited yet, each with the time that it takes; the last one is visited next.
    next: Vec<(Spot, i64)>,
}

impl DepthFirst<'_> {
    /// Whether the path returns to a state on it after time has passed.
    fn finds_circle(&mut self) -> bool {
        self.enter(self.walker.start(), 0);
        while let Some(last) = self.path.last_mut() {
            let Some((spot, span)) = last.next.pop() else {
                let left = self.path.pop().expect("a path with a last state");
                self.known.insert(left.spot, None);
                continue;
            };
            let elapsed = last.elapsed + span;
            match self.known.get(&spot) {
                Some(Some(before)) if *before < elapsed => return true,
                Some(_) => {}
                None if self.known.len() == MOST_SPOTS => return false,
                None => self.enter(spot, elapsed),
            }
        }
        false
    }

    fn enter(&mut self, spot: Spot, elapsed: i64) {
        let walker = &self.walker;
        let wait = |span: i64| Some((walker.later(&spot, span)?, span));
        let moves = walker.moves(&spot).into_iter();
        let hidden = moves.filter(|(step, _)| step.role == Role::Internal);
        let event = walker.next_event(&spot).filter(|event| *event != self.step);
        let mut next: Vec<(Spot, i64)> = wait(self.step).into_iter().collect();
        next.extend(hidden.map(|(_, target)| (target, 0)));
        // Waiting is tried first: a game that comes to rest needs no cycle of steps.
        next.extend(event.and_then(wait));
        self.known.insert(spot.clone(), Some(elapsed));
        self.path.push(Visit { spot, elapsed, next });
    }
}
