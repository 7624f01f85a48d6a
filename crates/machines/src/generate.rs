//! Random machines of a given profile, for experiments and tests.
//!
//! They imitate controllers: most transitions stay in their state or go to a state nearby, and the output mostly
//! depends on the group of states (superstate) in which they end. So faults show late, as in \[000\] section 4.2. The
//! same profile gives the same machine.

use super::{InputId, MachineBuilder, MutationMachine, OutputId, StateId, Transition};
use tamper_features::Random;
use tamper_text::Id;

/// The size and structure of a random machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// The number of states of the machine.
    pub n_states: usize,
    /// The number of inputs of the machine.
    pub n_inputs: usize,
    /// The number of outputs of the machine.
    pub n_outputs: usize,
    /// Suspicious sets as pairs of a number of sets and their size.
    pub sets: Vec<(usize, usize)>,
    /// The greatest difference between the numbers of a transition's states; faults can lead to any state.
    pub reach: usize,
    /// The number of inputs, from the first one on, that suspicious sets belong to.
    pub n_fault_inputs: usize,
    /// The seed of all random draws.
    pub seed: u64,
}

/// The reason why no machine has a profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// No states, inputs, outputs or reach.
    #[error("a machine has at least one state, input and output, and transitions reach at least one state away")]
    Empty,
    /// A number is above 2^16.
    #[error("at most 65,536 states, inputs and outputs")]
    TooLarge,
    /// More suspicious sets than states times inputs for faults.
    #[error("more suspicious sets than states times inputs with faults")]
    TooManySets,
    /// A suspicious set of size 0 or 1, or larger than states times outputs.
    #[error("no suspicious set has {0} transitions: at least 2, and different ones")]
    SetSize(usize),
}

impl Profile {
    /// The profile of the air-quality controller of \[000\] section 4.2 and Table 1: 14 states, 24 inputs, 2 outputs,
    /// 12 suspicious sets of 3 and 17 of 2 on four inputs, so 3^12 * 2^17 machines.
    pub fn air_quality(seed: u64) -> Self {
        Self {
            n_states: 14,
            n_inputs: 24,
            n_outputs: 2,
            sets: vec![(12, 3), (17, 2)],
            reach: 1,
            n_fault_inputs: 4,
            seed,
        }
    }

    /// A random machine of this profile; all of its states are reachable.
    ///
    /// # Errors
    /// If no machine has the profile.
    pub fn generate(&self) -> Result<MutationMachine, ProfileError> {
        self.check()?;
        let mut random = Random::new(self.seed);
        let mut builder = MachineBuilder::new();
        let states: Vec<StateId> = (0..self.n_states).map(|at| builder.state(&format!("s{at}"))).collect();
        let inputs: Vec<InputId> = (0..self.n_inputs).map(|at| builder.input(&format!("i{at}"))).collect();
        let outputs: Vec<OutputId> = (0..self.n_outputs)
            .map(|at| builder.output(&format!("o{at}")))
            .collect();
        let mut specification = self.specification(&states, &outputs, &mut random);
        self.connect(&mut specification, &mut random);
        for (at, transition) in specification.iter().enumerate() {
            let (state, input) = (states[at / self.n_inputs], inputs[at % self.n_inputs]);
            builder.add(state, input, *transition, false);
        }
        let mut cells: Vec<usize> = (0..self.n_states * self.n_inputs)
            .filter(|cell| cell % self.n_inputs < self.n_fault_inputs)
            .collect();
        random.shuffle(&mut cells);
        let sizes = self.sets.iter().flat_map(|(n, size)| std::iter::repeat_n(*size, *n));
        for (cell, size) in cells.into_iter().zip(sizes) {
            let (state, input) = (states[cell / self.n_inputs], inputs[cell % self.n_inputs]);
            let mut chosen = vec![specification[cell]];
            while chosen.len() < size {
                let fault = Transition {
                    output: outputs[random.below(self.n_outputs)],
                    target: states[random.below(self.n_states)],
                };
                if !chosen.contains(&fault) {
                    chosen.push(fault);
                    builder.add(state, input, fault, true);
                }
            }
        }
        // Every cell has its own transition and every fault is a new one.
        builder.finish().map_err(|_| ProfileError::Empty)
    }

    fn check(&self) -> Result<(), ProfileError> {
        let sizes = [self.n_states, self.n_inputs, self.n_outputs, self.reach];
        if sizes.contains(&0) {
            return Err(ProfileError::Empty);
        }
        if sizes.iter().any(|size| *size > 1 << 16) {
            return Err(ProfileError::TooLarge);
        }
        let n_sets: usize = self.sets.iter().map(|(n, _)| n).sum();
        if n_sets > self.n_states * self.n_fault_inputs.min(self.n_inputs) {
            return Err(ProfileError::TooManySets);
        }
        let largest = self.n_states * self.n_outputs;
        let wrong = self.sets.iter().find(|(_, size)| *size < 2 || *size > largest);
        wrong.map_or(Ok(()), |(_, size)| Err(ProfileError::SetSize(*size)))
    }

    /// A transition for each state and input.
    fn specification(&self, states: &[StateId], outputs: &[OutputId], random: &mut Random) -> Vec<Transition> {
        let group = |target: usize| outputs[target * self.n_outputs / self.n_states];
        let mut transitions = Vec::with_capacity(self.n_states * self.n_inputs);
        for cell in 0..self.n_states * self.n_inputs {
            let own = cell / self.n_inputs;
            let nearby = own.saturating_sub(self.reach)..=(own + self.reach).min(self.n_states - 1);
            let target = match random.below(4) {
                0 => nearby.start() + random.below(nearby.end() - nearby.start() + 1),
                _ => own,
            };
            let output = match random.below(16) {
                0 => outputs[random.below(self.n_outputs)],
                _ => group(target),
            };
            transitions.push(Transition {
                output,
                target: states[target],
            });
        }
        transitions
    }
    /// Makes every state reachable: each gets a transition from an earlier state that has an unused input.
    fn connect(&self, transitions: &mut [Transition], random: &mut Random) {
        let mut left: Vec<Vec<usize>> = vec![(0..self.n_inputs).collect()];
        for state in 1..self.n_states {
            let near = state.saturating_sub(self.reach)..state;
            let open: Vec<usize> = near.filter(|from| !left[*from].is_empty()).collect();
            let from = open[random.below(open.len())];
            let at = random.below(left[from].len());
            let input = left[from].swap_remove(at);
            transitions[from * self.n_inputs + input].target = StateId::from_index(state);
            left.push((0..self.n_inputs).collect());
        }
    }
}
