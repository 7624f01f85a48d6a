//! One machine of a mutation machine: a choice in each suspicious set.

use super::{InputId, MutationMachine, OutputId, SetId, StateId, Transition};
use crate::base::Id;

/// A choice in each suspicious set, 0 being the unaltered transition. All zeros is the specification.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mutant {
    choices: Vec<u32>,
}

impl Mutant {
    /// The machine with these choices, one per suspicious set; none if a choice does not exist.
    pub fn new(machine: &MutationMachine, choices: Vec<u32>) -> Option<Self> {
        let exists = |(set, choice): (SetId, &u32)| (*choice as usize) < machine.set_choices(set).len();
        let fits = choices.len() == machine.suspicious().len();
        let all = fits && machine.suspicious().ids().zip(&choices).all(exists);
        all.then_some(Self { choices })
    }
    /// The specification itself.
    pub fn specification(machine: &MutationMachine) -> Self {
        Self {
            choices: vec![0; machine.suspicious().len()],
        }
    }
    /// What it chooses in `set`.
    pub fn choice(&self, set: SetId) -> usize {
        self.choices[set.index()] as usize
    }
    /// All choices, by set.
    pub fn choices(&self) -> &[u32] {
        &self.choices
    }
    /// What it does.
    pub fn step(&self, machine: &MutationMachine, state: StateId, input: InputId) -> Transition {
        let choice = machine.set(state, input).map_or(0, |set| self.choice(set));
        machine.choices(state, input)[choice]
    }
    /// What it answers.
    pub fn outputs(&self, machine: &MutationMachine, inputs: &[InputId]) -> Vec<OutputId> {
        let mut state = machine.initial();
        let step = |input: &InputId| {
            let transition = self.step(machine, state, *input);
            state = transition.target;
            transition.output
        };
        inputs.iter().map(step).collect()
    }
    /// Where it is after `inputs`.
    pub fn after(&self, machine: &MutationMachine, inputs: &[InputId]) -> StateId {
        inputs.iter().fold(machine.initial(), |state, input| {
            self.step(machine, state, *input).target
        })
    }
    /// Whether it answers `inputs` in another way than the specification.
    pub fn is_killed_by(&self, machine: &MutationMachine, inputs: &[InputId]) -> bool {
        let (mut own, mut right) = (machine.initial(), machine.initial());
        inputs.iter().any(|input| {
            let (mine, expected) = (self.step(machine, own, *input), machine.unaltered(right, *input));
            (own, right) = (mine.target, expected.target);
            mine.output != expected.output
        })
    }
    /// The sets in which it has a mutated transition.
    pub fn mutated(&self) -> impl Iterator<Item = SetId> + '_ {
        let sets = self.choices.iter().enumerate();
        sets.filter(|(_, choice)| **choice != 0)
            .map(|(index, _)| SetId::from_index(index))
    }
    /// Its mutated transitions as \[000\] writes them.
    pub fn show(&self, machine: &MutationMachine) -> Vec<String> {
        let show = |set: SetId| {
            let (state, input) = machine.suspicious()[set];
            machine.show(state, input, machine.set_choices(set)[self.choice(set)])
        };
        self.mutated().map(show).collect()
    }
}
