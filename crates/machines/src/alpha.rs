//! The distinguishing automaton of one input sequence (\[000\] Definition 3), trimmed.
//!
//! A state is a position in the sequence, the specification's state there (one per position) and a state of the
//! mutation machine. Only states from which a wrong answer is still reachable are kept; whether a run with a single
//! choice per suspicious set reaches one is not decided here.

use super::{InputId, MutationMachine, OutputId, StateId, Transition};
use tamper_text::Id;

/// The distinguishing automaton of one input sequence.
#[derive(Clone, Debug)]
pub struct AlphaAutomaton<'a> {
    machine: &'a MutationMachine,
    inputs: &'a [InputId],
    /// By position: the specification's answer.
    expected: Vec<OutputId>,
    /// By position, then by state, as far as states were known there: whether the state is reachable, and the sink is
    /// reachable from it.
    live: Vec<Vec<bool>>,
}

impl<'a> AlphaAutomaton<'a> {
    /// The automaton of `inputs`. Time and memory are linear in the length times the size of the machine.
    pub fn new(machine: &'a MutationMachine, inputs: &'a [InputId]) -> Self {
        let mut state = machine.initial();
        let mut expected = Vec::with_capacity(inputs.len());
        for input in inputs {
            let transition = machine.unaltered(state, *input);
            expected.push(transition.output);
            state = transition.target;
        }
        let mut automaton = Self {
            machine,
            inputs,
            expected,
            live: vec![vec![false; machine.states().len()]; inputs.len() + 1],
        };
        automaton.spread();
        automaton.trim();
        automaton
    }

    fn spread(&mut self) {
        self.live[0][self.machine.initial().index()] = true;
        for (position, input) in self.inputs.iter().enumerate() {
            let (here, next) = self.live.split_at_mut(position + 1);
            for (state, _) in here[position].iter().enumerate().filter(|(_, live)| **live) {
                for branch in self.machine.branches(StateId::from_index(state), *input) {
                    let target = branch.transition.target.index();
                    if branch.transition.output == self.expected[position] {
                        if next[0].len() <= target {
                            next[0].resize(self.machine.states().len(), false);
                        }
                        next[0][target] = true;
                    }
                }
            }
        }
    }
    /// Unmarks the states from which the sink is not reachable.
    fn trim(&mut self) {
        self.live[self.inputs.len()].fill(false);
        for position in (0..self.inputs.len()).rev() {
            for state in 0..self.live[position].len() {
                if self.live[position][state] {
                    let branches = self.machine.branches(StateId::from_index(state), self.inputs[position]);
                    self.live[position][state] = branches.iter().any(|branch| {
                        self.is_wrong(position, branch.transition)
                            || self.is_live(position + 1, branch.transition.target)
                    });
                }
            }
        }
    }

    /// The machine whose runs the automaton follows.
    pub fn machine(&self) -> &'a MutationMachine {
        self.machine
    }
    /// The input sequence that the automaton reads.
    pub fn inputs(&self) -> &'a [InputId] {
        self.inputs
    }
    /// Whether that transition at that position leads to the sink: its answer is not the specification's.
    pub fn is_wrong(&self, position: usize, transition: Transition) -> bool {
        transition.output != self.expected[position]
    }
    /// Whether a mutant can be in `state` after `position` inputs with only right answers, and can still give a wrong
    /// answer later.
    pub fn is_live(&self, position: usize, state: StateId) -> bool {
        self.live[position].get(state.index()).is_some_and(|live| *live)
    }
    /// The live states of a position.
    pub fn live(&self, position: usize) -> impl Iterator<Item = StateId> + '_ {
        let states = self.live[position].iter().enumerate();
        states
            .filter(|(_, live)| **live)
            .map(|(state, _)| StateId::from_index(state))
    }
    /// Whether the sink is reachable; if not, the sequence kills nothing.
    pub fn reaches_sink(&self) -> bool {
        self.is_live(0, self.machine.initial())
    }
    /// The number of transitions that leave live states.
    pub fn n_steps(&self) -> usize {
        let steps = |(position, input): (usize, &InputId)| {
            let sizes = self
                .live(position)
                .map(|state| self.machine.branches(state, *input).len());
            sizes.sum::<usize>()
        };
        self.inputs.iter().enumerate().map(steps).sum()
    }
}
