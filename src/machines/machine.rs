//! The machine: states, inputs, outputs, and for each state and input the transitions to choose from.
//!
//! Representation: one flat list of transitions, ordered by cell (state, then input); in a cell the unaltered
//! transition comes first, the mutated ones follow by the names of output and target. Built by `MachineBuilder` only.

use num_bigint::BigUint;

use crate::base::{Id, IndexVec};
use crate::define_id;

define_id!(
    /// A state.
    StateId
);
define_id!(
    /// An input.
    InputId
);
define_id!(
    /// An output.
    OutputId
);
define_id!(
    /// A suspicious set: a state and an input with more than one transition. Numbered by state, then input; what
    /// \[000\] calls `z_i` is the choice in set number `i - 1`.
    SetId
);

/// What happens on some input in some state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition {
    /// What the machine answers.
    pub output: OutputId,
    /// Where it is then.
    pub target: StateId,
}

/// A specification with its suspicious transitions (\[000\] Definition 1). Complete: every cell has a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MutationMachine {
    pub(super) states: IndexVec<StateId, String>,
    pub(super) inputs: IndexVec<InputId, String>,
    pub(super) outputs: IndexVec<OutputId, String>,
    pub(super) initial: StateId,
    pub(super) transitions: Vec<Transition>,
    /// By cell: where its transitions start; one more at the end.
    pub(super) starts: Vec<u32>,
    /// The cells with several transitions.
    pub(super) suspicious: IndexVec<SetId, (StateId, InputId)>,
    /// By cell: its suspicious set, if it is one.
    pub(super) sets: Vec<Option<SetId>>,
}

impl MutationMachine {
    /// The names of the states.
    pub fn states(&self) -> &IndexVec<StateId, String> {
        &self.states
    }
    /// The names of the inputs.
    pub fn inputs(&self) -> &IndexVec<InputId, String> {
        &self.inputs
    }
    /// The names of the outputs.
    pub fn outputs(&self) -> &IndexVec<OutputId, String> {
        &self.outputs
    }
    /// Where every machine starts.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    fn cell(&self, state: StateId, input: InputId) -> usize {
        state.index() * self.inputs.len() + input.index()
    }
    /// The transitions to choose from; the specification's own is the first.
    pub fn choices(&self, state: StateId, input: InputId) -> &[Transition] {
        let cell = self.cell(state, input);
        &self.transitions[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
    /// The specification's transition.
    pub fn unaltered(&self, state: StateId, input: InputId) -> Transition {
        self.choices(state, input)[0]
    }
    /// The suspicious set of that state and input; none where there is nothing to choose.
    pub fn set(&self, state: StateId, input: InputId) -> Option<SetId> {
        self.sets[self.cell(state, input)]
    }
    /// The suspicious sets: the state and input of each.
    pub fn suspicious(&self) -> &IndexVec<SetId, (StateId, InputId)> {
        &self.suspicious
    }
    /// The transitions of a suspicious set.
    pub fn set_choices(&self, set: SetId) -> &[Transition] {
        let (state, input) = self.suspicious[set];
        self.choices(state, input)
    }
    /// How many transitions there are, mutated ones included.
    pub fn n_transitions(&self) -> usize {
        self.transitions.len()
    }
    /// How many of them are mutated.
    pub fn n_mutated(&self) -> usize {
        self.transitions.len() - self.states.len() * self.inputs.len()
    }
    /// How many machines there are, the specification among them: the product of the sizes of the suspicious sets
    /// (\[000\] section 2.2).
    pub fn n_machines(&self) -> BigUint {
        let sizes = self.suspicious.ids().map(|set| self.set_choices(set).len());
        sizes.map(BigUint::from).product()
    }
    /// The state of the specification after `inputs`.
    pub fn specification_after(&self, inputs: &[InputId]) -> StateId {
        inputs
            .iter()
            .fold(self.initial, |state, input| self.unaltered(state, *input).target)
    }
    /// What the specification answers, by name.
    pub fn answers(&self, inputs: &[InputId]) -> Vec<String> {
        let mut state = self.initial;
        let step = |input: &InputId| {
            let transition = self.unaltered(state, *input);
            state = transition.target;
            self.outputs[transition.output].clone()
        };
        inputs.iter().map(step).collect()
    }
    /// States that no machine reaches.
    pub fn unreachable(&self) -> Vec<StateId> {
        let mut reached = vec![false; self.states.len()];
        let mut agenda = vec![self.initial];
        reached[self.initial.index()] = true;
        while let Some(state) = agenda.pop() {
            let cells = self.inputs.ids().flat_map(|input| self.choices(state, input));
            for transition in cells {
                if !std::mem::replace(&mut reached[transition.target.index()], true) {
                    agenda.push(transition.target);
                }
            }
        }
        self.states.ids().filter(|state| !reached[state.index()]).collect()
    }
    /// `(state, input, output, target)`, as \[000\] writes a transition.
    pub fn show(&self, state: StateId, input: InputId, transition: Transition) -> String {
        format!(
            "({}, {}, {}, {})",
            self.states[state], self.inputs[input], self.outputs[transition.output], self.states[transition.target]
        )
    }
    /// The inputs' names with spaces between them.
    pub fn show_inputs(&self, inputs: &[InputId]) -> String {
        let names: Vec<&str> = inputs.iter().map(|input| self.inputs[*input].as_str()).collect();
        names.join(" ")
    }
}
