//! The executions of the mutation machine that an input sequence triggers and that end in a wrong answer.
//!
//! \[000\] section 3: an execution is *deterministic* if it never takes two transitions of one suspicious set; the
//! deterministic ones are *revealing*, and kill every mutant that makes these choices. There can be exponentially many.

use super::{AlphaAutomaton, Assignment, Branch, SetId, StateId};
use tamper_text::Id;

/// The choices of each revealing execution; `None` if finding them takes more than `effort` steps.
pub(super) fn revealing_choices(alpha: &AlphaAutomaton<'_>, mut effort: usize) -> Option<Vec<Vec<(SetId, usize)>>> {
    let mut found = Vec::new();
    let mut search = ExecutionSearch::new(alpha);
    while search.next(&mut effort)? {
        found.push(search.choices());
    }
    Some(found)
}

const FREE: u32 = u32::MAX;

/// A depth-first search of the revealing executions, without recursion: sequences can be long.
struct ExecutionSearch<'a> {
    alpha: &'a AlphaAutomaton<'a>,
    frames: Vec<ExecutionFrame>,
    /// By suspicious set: the choice made by a frame, or FREE.
    chosen: Vec<u32>,
    /// The sets that frames have chosen for, in order.
    owned: Vec<SetId>,
}

/// A position of the current execution.
struct ExecutionFrame {
    state: StateId,
    /// The branch to take next.
    next: usize,
    /// The number of sets that the frames before it chose for.
    n_owned: usize,
}

impl<'a> ExecutionSearch<'a> {
    fn new(alpha: &'a AlphaAutomaton<'a>) -> Self {
        let mut search = Self {
            alpha,
            frames: Vec::new(),
            chosen: vec![FREE; alpha.machine().sets().len()],
            owned: Vec::new(),
        };
        if alpha.reaches_sink() {
            search.enter(alpha.machine().initial());
        }
        search
    }

    fn enter(&mut self, state: StateId) {
        self.frames.push(ExecutionFrame {
            state,
            next: 0,
            n_owned: self.owned.len(),
        });
    }

    /// Moves to the next execution. Returns `false` after the last one, `None` when the effort is used up.
    fn next(&mut self, effort: &mut usize) -> Option<bool> {
        while let Some(position) = self.frames.len().checked_sub(1) {
            *effort = effort.checked_sub(1)?;
            let n_owned = self.frames[position].n_owned;
            for set in self.owned.drain(n_owned..) {
                self.chosen[set.index()] = FREE;
            }
            let Some(branch) = self.branch(position) else {
                self.frames.pop();
                continue;
            };
            for (set, choice) in branch.choices() {
                if std::mem::replace(&mut self.chosen[set.index()], *choice) == FREE {
                    self.owned.push(*set);
                }
            }
            let transition = branch.transition;
            if self.alpha.is_wrong(position, transition) {
                return Some(true);
            }
            if self.alpha.is_live(position + 1, transition.target) {
                self.enter(transition.target);
            }
        }
        Some(false)
    }

    /// The next branch of the frame of that position that fits the choices so far; `None` after the last.
    fn branch(&mut self, position: usize) -> Option<&'a Branch> {
        let frame = &mut self.frames[position];
        let branches = self
            .alpha
            .machine()
            .branches(frame.state, self.alpha.inputs()[position]);
        let fits = |(set, choice): &Assignment| {
            let chosen = self.chosen[set.index()];
            chosen == FREE || chosen == *choice
        };
        // The branches of a plain machine's set are in the order of choices, so the chosen one is at its index.
        if let [(set, _)] = branches[0].choices()
            && let Some(own) = branches.get(self.chosen[set.index()] as usize)
            && own.choices() == [(*set, self.chosen[set.index()])]
        {
            frame.next = frame.next.max(self.chosen[set.index()] as usize);
        }
        let at = (frame.next..branches.len()).find(|at| branches[*at].choices().iter().all(fits));
        frame.next = at.map_or(branches.len(), |at| at + 1);
        at.map(|at| &branches[at])
    }

    fn choices(&self) -> Vec<(SetId, usize)> {
        let owned = self.owned.iter();
        owned.map(|set| (*set, self.chosen[set.index()] as usize)).collect()
    }
}
