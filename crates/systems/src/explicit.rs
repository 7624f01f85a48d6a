//! The states of a transition system, numbered, with every step between them.
//!
//! Representation: one flat list of steps, ordered by cell (state, then input); in a cell by output, then target, without
//! repetitions. Total: every cell has a step. Built by [`Builder::finish`] only.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{InputId, OutputId, StateId, SystemError};
use tamper_text::{Id, IndexVec};

/// A step: an output and a next state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The output that the tester sees.
    pub output: OutputId,
    /// The state after the step.
    pub target: StateId,
}

/// A finite transition system `X -(I, O)-> X'` (\[004\] section 2.1), total in every input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransitionSystem {
    inputs: IndexVec<InputId, String>,
    outputs: IndexVec<OutputId, String>,
    initial: Vec<StateId>,
    starts: BTreeMap<String, Vec<StateId>>,
    n_states: usize,
    steps: Vec<Step>,
    /// By cell: the index of its first step; one more at the end.
    first_steps: Vec<u32>,
}

impl TransitionSystem {
    /// The names of the inputs.
    pub fn inputs(&self) -> &IndexVec<InputId, String> {
        &self.inputs
    }
    /// The names of the outputs.
    pub fn outputs(&self) -> &IndexVec<OutputId, String> {
        &self.outputs
    }
    /// The initial states, in order.
    pub fn initial(&self) -> &[StateId] {
        &self.initial
    }
    /// The initial states by their output before any input: output 0 of \[004\] Definitions 1, 3 and 4.
    pub fn starts(&self) -> &BTreeMap<String, Vec<StateId>> {
        &self.starts
    }
    /// The number of states.
    pub fn n_states(&self) -> usize {
        self.n_states
    }
    /// The number of steps.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }
    /// The steps of `state` on `input`, by output, then target; at least one.
    pub fn steps(&self, state: StateId, input: InputId) -> &[Step] {
        let cell = state.index() * self.inputs.len() + input.index();
        &self.steps[self.first_steps[cell] as usize..self.first_steps[cell + 1] as usize]
    }
    /// Whether there is one initial state, and one step for every state and input (\[004\] section 2.1).
    pub fn is_deterministic(&self) -> bool {
        self.initial.len() == 1 && self.steps.len() == self.n_states * self.inputs.len()
    }

    /// The same system, its inputs and outputs numbered as in `inputs` and `outputs`, which have all of its names.
    pub(super) fn renumbered(
        &self,
        inputs: &IndexVec<InputId, String>,
        outputs: &IndexVec<OutputId, String>,
    ) -> Option<Self> {
        let places: FxHashMap<&String, OutputId> = outputs.iter_enumerated().map(|(id, name)| (name, id)).collect();
        let output_of: Option<Vec<OutputId>> = self.outputs.iter().map(|name| places.get(name).copied()).collect();
        let output_of = output_of?;
        let mut builder = Builder::new(inputs.as_slice().to_vec(), outputs.as_slice().to_vec());
        builder.n_states = self.n_states;
        for (seen, states) in &self.starts {
            states.iter().for_each(|state| builder.start_with(*state, seen.clone()));
        }
        for input in inputs.ids() {
            let own = self.inputs.ids().find(|own| self.inputs[*own] == inputs[input])?;
            for state in (0..self.n_states).map(StateId::from_index) {
                for step in self.steps(state, own) {
                    let output = output_of[step.output.index()];
                    builder.add(state, input, Step { output, ..*step });
                }
            }
        }
        builder.finish().ok()
    }
}

/// Collects the steps of a system.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    inputs: IndexVec<InputId, String>,
    outputs: IndexVec<OutputId, String>,
    initial: BTreeMap<StateId, String>,
    n_states: usize,
    steps: Vec<(StateId, InputId, Step)>,
}

impl Builder {
    /// A system with these inputs and outputs, and no state.
    pub fn new(inputs: Vec<String>, outputs: Vec<String>) -> Self {
        Self {
            inputs: inputs.into_iter().collect(),
            outputs: outputs.into_iter().collect(),
            ..Self::default()
        }
    }
    /// Adds an output and returns its id.
    pub fn output(&mut self, name: String) -> OutputId {
        self.outputs.push(name)
    }
    /// Adds a state and returns its id.
    pub fn state(&mut self) -> StateId {
        self.n_states += 1;
        StateId::from_index(self.n_states - 1)
    }
    /// Adds an initial state without an output before the first input.
    pub fn start(&mut self, state: StateId) {
        self.start_with(state, String::new());
    }
    /// Adds an initial state with `output` before the first input.
    pub fn start_with(&mut self, state: StateId, output: String) {
        self.initial.insert(state, output);
    }
    /// Adds `step` to `state` on `input`.
    pub fn add(&mut self, state: StateId, input: InputId, step: Step) {
        self.steps.push((state, input, step));
    }

    /// The finished system.
    ///
    /// # Errors
    /// There is no initial state or no input, or a state has no step for an input.
    pub fn finish(mut self) -> Result<TransitionSystem, SystemError> {
        if self.initial.is_empty() {
            return Err(SystemError::NoInitialState);
        }
        if self.inputs.is_empty() {
            return Err(SystemError::NoInput);
        }
        self.steps.sort_unstable();
        self.steps.dedup();
        let mut first_steps = Vec::with_capacity(self.n_states * self.inputs.len() + 1);
        let mut at = 0;
        for cell in 0..self.n_states * self.inputs.len() {
            let (state, input) = (cell / self.inputs.len(), cell % self.inputs.len());
            let own = |(from, on, _): &(StateId, InputId, Step)| from.index() == state && on.index() == input;
            let first = at;
            first_steps.push(u32::try_from(at).map_err(|_| SystemError::TooLarge)?);
            while self.steps.get(at).is_some_and(own) {
                at += 1;
            }
            if at == first {
                let (state, input) = (StateId::from_index(state), InputId::from_index(input));
                return Err(SystemError::NoStep { state, input });
            }
        }
        first_steps.push(u32::try_from(at).map_err(|_| SystemError::TooLarge)?);
        let mut starts: BTreeMap<String, Vec<StateId>> = BTreeMap::new();
        for (state, seen) in &self.initial {
            starts.entry(seen.clone()).or_default().push(*state);
        }
        Ok(TransitionSystem {
            inputs: self.inputs,
            outputs: self.outputs,
            initial: self.initial.into_keys().collect(),
            starts,
            n_states: self.n_states,
            steps: self.steps.into_iter().map(|(_, _, step)| step).collect(),
            first_steps,
        })
    }
}
