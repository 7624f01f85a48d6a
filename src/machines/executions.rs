//! The executions of the mutation machine that an input sequence triggers and that end in a wrong answer.
//!
//! \[000\] section 3: an execution is *deterministic* if it never takes two transitions of one suspicious set; the
//! deterministic ones are *revealing*, and kill every mutant that makes these choices. There can be exponentially many.

use super::{AlphaAutomaton, InputId, MutationMachine, SetId, StateId, Transition};
use crate::base::Id;

/// One step of an execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Taken {
    /// Where.
    pub state: StateId,
    /// On what.
    pub input: InputId,
    /// Which of the transitions.
    pub choice: usize,
    /// What it does.
    pub transition: Transition,
}

/// An execution of the mutation machine whose last answer, and no other, is wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Execution {
    /// Its steps.
    pub steps: Vec<Taken>,
}

impl Execution {
    /// Whether it takes at most one transition of each suspicious set.
    pub fn is_deterministic(&self) -> bool {
        let same_place = |a: &Taken, b: &Taken| (a.state, a.input) == (b.state, b.input);
        self.steps.iter().enumerate().all(|(at, step)| {
            let mut before = self.steps[..at].iter();
            before.all(|other| !same_place(step, other) || step.choice == other.choice)
        })
    }
    /// The choices it makes, in the order it makes them first. A mutant has the execution iff it makes all of them.
    pub fn choices(&self, machine: &MutationMachine) -> Vec<(SetId, usize)> {
        let mut choices = Vec::new();
        for step in &self.steps {
            if let Some(set) = machine.set(step.state, step.input)
                && !choices.contains(&(set, step.choice))
            {
                choices.push((set, step.choice));
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
}

/// A position of the current execution.
struct Frame {
    state: StateId,
    /// The choice to take next, and the one after the last.
    next: u32,
    end: u32,
    /// The set that this frame chooses for.
    owns: Option<SetId>,
}

impl<'a> Walk<'a> {
    fn new(alpha: &'a AlphaAutomaton<'a>, only_revealing: bool) -> Self {
        let mut walk = Self {
            alpha,
            only_revealing,
            frames: Vec::new(),
            chosen: vec![FREE; alpha.machine().suspicious().len()],
        };
        if alpha.reaches_sink() {
            walk.enter(alpha.machine().initial());
        }
        walk
    }

    fn enter(&mut self, state: StateId) {
        let machine = self.alpha.machine();
        let input = self.alpha.inputs()[self.frames.len()];
        let n_choices = machine.choices(state, input).len() as u32;
        let set = machine.set(state, input);
        let fixed = set.map_or(FREE, |set| self.chosen[set.index()]);
        let frame = match fixed {
            FREE => Frame {
                state,
                next: 0,
                end: n_choices,
                owns: set.filter(|_| self.only_revealing),
            },
            choice => Frame {
                state,
                next: choice,
                end: choice + 1,
                owns: None,
            },
        };
        self.frames.push(frame);
    }

    /// Goes on to the next execution; `false` after the last one, nothing when the effort is used up.
    fn next(&mut self, effort: &mut usize) -> Option<bool> {
        while let Some(frame) = self.frames.last_mut() {
            *effort = effort.checked_sub(1)?;
            if frame.next == frame.end {
                if let Some(set) = frame.owns {
                    self.chosen[set.index()] = FREE;
                }
                self.frames.pop();
                continue;
            }
            let choice = frame.next;
            frame.next += 1;
            if let Some(set) = frame.owns {
                self.chosen[set.index()] = choice;
            }
            let position = self.frames.len() - 1;
            let transition = self.taken(position).transition;
            if self.alpha.is_wrong(position, transition) {
                return Some(true);
            }
            if self.alpha.is_live(position + 1, transition.target) {
                self.enter(transition.target);
            }
        }
        Some(false)
    }

    /// The step that the frame of that position has taken last.
    fn taken(&self, position: usize) -> Taken {
        let frame = &self.frames[position];
        let input = self.alpha.inputs()[position];
        let choice = (frame.next - 1) as usize;
        Taken {
            state: frame.state,
            input,
            choice,
            transition: self.alpha.machine().choices(frame.state, input)[choice],
        }
    }
    fn execution(&self) -> Execution {
        Execution {
            steps: (0..self.frames.len()).map(|position| self.taken(position)).collect(),
        }
    }
    fn choices(&self) -> Vec<(SetId, usize)> {
        let own = self.frames.iter().filter_map(|frame| frame.owns);
        own.map(|set| (set, self.chosen[set.index()] as usize)).collect()
    }
}
