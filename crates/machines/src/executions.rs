//! The executions of the mutation machine that an input sequence triggers and that end in a wrong answer.
//!
//! \[000\] section 3: an execution is *deterministic* if it never takes two transitions of one suspicious set; the
//! deterministic ones are *revealing*, and kill every mutant that makes these choices. There can be exponentially many.

use super::{AlphaAutomaton, Assignment, Branch, InputId, MutationMachine, SetId, StateId, Transition};
use tamper_text::Id;

/// One step of an execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Taken {
    /// The state that the step leaves.
    pub state: StateId,
    /// The input that the step reads.
    pub input: InputId,
    /// Which of the branches there.
    pub choice: usize,
    /// The output of the step and its target.
    pub transition: Transition,
}

/// An execution of the mutation machine whose last answer, and no other, is wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Execution {
    /// The transitions in the order of the test.
    pub steps: Vec<Taken>,
}

impl Execution {
    /// Whether it makes at most one choice in each suspicious set.
    pub fn is_deterministic(&self, machine: &MutationMachine) -> bool {
        let choices = self.choices(machine);
        let mut sets: Vec<SetId> = choices.iter().map(|(set, _)| *set).collect();
        sets.sort();
        sets.dedup();
        sets.len() == choices.len()
    }
    /// The choices it makes, in the order it makes them first. A mutant has the execution iff it makes all of them.
    pub fn choices(&self, machine: &MutationMachine) -> Vec<(SetId, usize)> {
        let mut choices = Vec::new();
        for step in &self.steps {
            for (set, choice) in machine.branches(step.state, step.input)[step.choice].choices() {
                if !choices.contains(&(*set, *choice as usize)) {
                    choices.push((*set, *choice as usize));
                }
            }
        }
        choices
    }
}

/// All executions to the sink, the nondeterministic ones too, in the order of their choices; none if there are more
/// than `limit`.
pub fn sink_executions(machine: &MutationMachine, inputs: &[InputId], limit: usize) -> Option<Vec<Execution>> {
    collect(&AlphaAutomaton::new(machine, inputs), false, limit)
}

/// The revealing executions, in the order of their choices; none if there are more than `limit`.
pub fn revealing_executions(machine: &MutationMachine, inputs: &[InputId], limit: usize) -> Option<Vec<Execution>> {
    collect(&AlphaAutomaton::new(machine, inputs), true, limit)
}

fn collect(alpha: &AlphaAutomaton<'_>, only_revealing: bool, limit: usize) -> Option<Vec<Execution>> {
    let mut found = Vec::new();
    let mut walk = Walk::new(alpha, only_revealing);
    let mut effort = usize::MAX;
    while walk.next(&mut effort)? {
        if found.len() == limit {
            return None;
        }
        found.push(walk.execution());
    }
    Some(found)
}

/// The choices of each revealing execution; none if finding them takes more than `effort` steps.
pub(super) fn revealing_choices(alpha: &AlphaAutomaton<'_>, mut effort: usize) -> Option<Vec<Vec<(SetId, usize)>>> {
    let mut found = Vec::new();
    let mut walk = Walk::new(alpha, true);
    while walk.next(&mut effort)? {
        found.push(walk.choices());
    }
    Some(found)
}

const FREE: u32 = u32::MAX;

/// A depth-first walk through the executions, without recursion: sequences can be long.
struct Walk<'a> {
    alpha: &'a AlphaAutomaton<'a>,
    only_revealing: bool,
    frames: Vec<Frame>,
    /// By suspicious set: the choice made by a frame, or FREE.
    chosen: Vec<u32>,
    /// The sets that frames have chosen for, in order.
    owned: Vec<SetId>,
}

/// A position of the current execution.
struct Frame {
    state: StateId,
    /// The branch to take next.
    next: usize,
    /// How many sets the frames before it chose for.
    n_owned: usize,
}

impl<'a> Walk<'a> {
    fn new(alpha: &'a AlphaAutomaton<'a>, only_revealing: bool) -> Self {
        let mut walk = Self {
            alpha,
            only_revealing,
            frames: Vec::new(),
            chosen: vec![FREE; alpha.machine().sets().len()],
            owned: Vec::new(),
        };
        if alpha.reaches_sink() {
            walk.enter(alpha.machine().initial());
        }
        walk
    }

    fn enter(&mut self, state: StateId) {
        self.frames.push(Frame {
            state,
            next: 0,
            n_owned: self.owned.len(),
        });
    }

    /// Goes on to the next execution; `false` after the last one, nothing when the effort is used up.
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
            if self.only_revealing {
                for (set, choice) in branch.choices() {
                    if std::mem::replace(&mut self.chosen[set.index()], *choice) == FREE {
                        self.owned.push(*set);
                    }
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

    /// The next branch of the frame of that position that fits what is chosen; none after the last.
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
        // Of a plain machine's set, each choice has its branch: the one that is chosen need not be looked for.
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

    /// The step that the frame of that position has taken last.
    fn taken(&self, position: usize) -> Taken {
        let frame = &self.frames[position];
        let input = self.alpha.inputs()[position];
        let choice = frame.next - 1;
        Taken {
            state: frame.state,
            input,
            choice,
            transition: self.alpha.machine().branches(frame.state, input)[choice].transition,
        }
    }
    fn execution(&self) -> Execution {
        Execution {
            steps: (0..self.frames.len()).map(|position| self.taken(position)).collect(),
        }
    }
    fn choices(&self) -> Vec<(SetId, usize)> {
        let owned = self.owned.iter();
        owned.map(|set| (*set, self.chosen[set.index()] as usize)).collect()
    }
}
