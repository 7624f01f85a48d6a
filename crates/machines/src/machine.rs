//! The machine: states, inputs, outputs, and for each state and input the branches of the mutants.
//!
//! A plain machine is one flat list of transitions, ordered by cell (state, then input); in a cell the unaltered
//! transition comes first, the mutated ones follow by the names of output and target. Built by `MachineBuilder` only.
//! An extended machine is unfolded on demand: its states are configurations, numbered in the order in which they are
//! found.

use std::sync::Arc;

use num_bigint::BigUint;

use super::extended::{Checked, ExtendedMachine, Unfolding};
use super::{Branch, InputId, NameList, OutputId, SetId, StateId, Transition};
use tamper_text::{Budget, Id, IndexVec, StopReason};

/// A specification with its suspicious transitions (\[000\] Definition 1). Complete: every cell has a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MutationMachine {
    pub(super) inputs: IndexVec<InputId, String>,
    pub(super) initial: StateId,
    pub(super) steps: TransitionRelation,
}

#[derive(Clone, Debug)]
pub(super) enum TransitionRelation {
    Table(TransitionTable),
    Unfolding(Arc<Unfolding>),
}

/// The transitions of a plain machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TransitionTable {
    pub states: NameList<StateId>,
    pub outputs: NameList<OutputId>,
    pub branches: Vec<Branch>,
    /// By cell: the index of its first transition; one more at the end.
    pub starts: Vec<u32>,
    /// The cells with several transitions.
    pub suspicious: IndexVec<SetId, (StateId, InputId)>,
}

impl PartialEq for TransitionRelation {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Table(one), Self::Table(other)) => one == other,
            (Self::Unfolding(one), Self::Unfolding(other)) => one.source() == other.source(),
            _ => false,
        }
    }
}

impl Eq for TransitionRelation {}

impl MutationMachine {
    /// The machine whose states are the configurations of `source`, whose specification is sound
    /// ([`ExtendedMachine::check`] returned `checked`). At most `most` configurations are kept apart; results that need
    /// more are unknown.
    pub fn unfolding(source: ExtendedMachine, checked: Checked, most: usize) -> Self {
        let unfolding = Unfolding::new(source, checked, most);
        Self {
            inputs: unfolding.inputs.clone(),
            initial: StateId::from_index(0),
            steps: TransitionRelation::Unfolding(Arc::new(unfolding)),
        }
    }
    /// The extended machine that is unfolded, if this is one.
    pub fn extended(&self) -> Option<&Unfolding> {
        match &self.steps {
            TransitionRelation::Table(_) => None,
            TransitionRelation::Unfolding(unfolding) => Some(unfolding),
        }
    }
    /// Limits unfolding to the memory and the time of `budget` from now on.
    pub fn keep_to(&self, budget: &Budget) {
        if let Some(unfolding) = self.extended() {
            unfolding.keep_to(budget);
        }
    }
    /// The limit that unfolding has hit; later results are unknown.
    pub fn stopped(&self) -> Option<StopReason> {
        self.extended().and_then(Unfolding::stopped)
    }

    /// The names of the states; of an extended machine, of the configurations found so far.
    pub fn states(&self) -> &NameList<StateId> {
        match &self.steps {
            TransitionRelation::Table(table) => &table.states,
            TransitionRelation::Unfolding(unfolding) => &unfolding.states,
        }
    }
    /// The names of the inputs.
    pub fn inputs(&self) -> &IndexVec<InputId, String> {
        &self.inputs
    }
    /// The names of the outputs; of an extended machine, the outputs found so far.
    pub fn outputs(&self) -> &NameList<OutputId> {
        match &self.steps {
            TransitionRelation::Table(table) => &table.outputs,
            TransitionRelation::Unfolding(unfolding) => &unfolding.outputs,
        }
    }
    /// The state in which every machine starts.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// The branches of a state on an input: every mutant has exactly one of them, the specification the first.
    pub fn branches(&self, state: StateId, input: InputId) -> &[Branch] {
        match &self.steps {
            TransitionRelation::Table(table) => {
                let cell = state.index() * self.inputs.len() + input.index();
                &table.branches[table.starts[cell] as usize..table.starts[cell + 1] as usize]
            }
            TransitionRelation::Unfolding(unfolding) => unfolding.branches(state, input),
        }
    }
    /// The transition of the specification for a state and an input.
    pub fn unaltered(&self, state: StateId, input: InputId) -> Transition {
        self.branches(state, input)[0].transition
    }
    /// The ids of all suspicious sets.
    pub fn sets(&self) -> impl DoubleEndedIterator<Item = SetId> + ExactSizeIterator + Clone + use<> {
        let n_sets = match &self.steps {
            TransitionRelation::Table(table) => table.suspicious.len(),
            TransitionRelation::Unfolding(unfolding) => unfolding.source().sets.len(),
        };
        (0..n_sets).map(SetId::from_index)
    }
    /// The number of choices in a suspicious set; choice 0 is the specification's.
    pub fn n_choices(&self, set: SetId) -> usize {
        match &self.steps {
            TransitionRelation::Table(table) => {
                let (state, input) = table.suspicious[set];
                self.branches(state, input).len()
            }
            TransitionRelation::Unfolding(unfolding) => unfolding.source().sets[set].len(),
        }
    }
    /// The state and the input of a suspicious set; `None` for an extended machine.
    pub fn place(&self, set: SetId) -> Option<(StateId, InputId)> {
        match &self.steps {
            TransitionRelation::Table(table) => Some(table.suspicious[set]),
            TransitionRelation::Unfolding(_) => None,
        }
    }
    /// The number of transitions, mutated ones included; of an extended machine, the number of rules.
    pub fn n_transitions(&self) -> usize {
        match &self.steps {
            TransitionRelation::Table(table) => table.branches.len(),
            TransitionRelation::Unfolding(unfolding) => unfolding.source().n_rules(),
        }
    }
    /// The number of mutated transitions; of an extended machine, of alternatives beside the specification's.
    pub fn n_mutated(&self) -> usize {
        self.sets().map(|set| self.n_choices(set) - 1).sum()
    }
    /// The number of machines, the specification included: the product of the sizes of the suspicious sets (\[000\]
    /// section 2.2).
    pub fn n_machines(&self) -> BigUint {
        let sizes = self.sets().map(|set| self.n_choices(set));
        sizes.map(BigUint::from).product()
    }
    /// The state of the specification after `inputs`.
    pub fn specification_after(&self, inputs: &[InputId]) -> StateId {
        inputs
            .iter()
            .fold(self.initial, |state, input| self.unaltered(state, *input).target)
    }
    /// The answers of the specification to `inputs`, by name.
    pub fn answers(&self, inputs: &[InputId]) -> Vec<String> {
        let mut state = self.initial;
        let step = |input: &InputId| {
            let transition = self.unaltered(state, *input);
            state = transition.target;
            self.outputs()[transition.output].clone()
        };
        inputs.iter().map(step).collect()
    }
    /// The plain machine with these transitions and no faults; `None` if this is an extended machine.
    pub(crate) fn without_faults(&self, step: impl Fn(StateId, InputId) -> Transition) -> Option<Self> {
        let TransitionRelation::Table(table) = &self.steps else {
            return None;
        };
        let cells = table
            .states
            .ids()
            .flat_map(|state| self.inputs.ids().map(move |input| (state, input)));
        let branches: Vec<Branch> = cells
            .map(|(state, input)| Branch::new(&[], step(state, input)))
            .collect();
        Some(Self {
            inputs: self.inputs.clone(),
            initial: self.initial,
            steps: TransitionRelation::Table(TransitionTable {
                states: table.states.clone(),
                outputs: table.outputs.clone(),
                starts: (0..=branches.len() as u32).collect(),
                branches,
                suspicious: IndexVec::new(),
            }),
        })
    }
    /// The states of a plain machine that no mutant reaches.
    pub fn unreachable(&self) -> Vec<StateId> {
        let TransitionRelation::Table(table) = &self.steps else {
            return Vec::new();
        };
        let mut reached = vec![false; table.states.len()];
        let mut agenda = vec![self.initial];
        reached[self.initial.index()] = true;
        while let Some(state) = agenda.pop() {
            let cells = self.inputs.ids().flat_map(|input| self.branches(state, input));
            for branch in cells {
                let target = branch.transition.target;
                if !std::mem::replace(&mut reached[target.index()], true) {
                    agenda.push(target);
                }
            }
        }
        table.states.ids().filter(|state| !reached[state.index()]).collect()
    }
    /// `(state, input, output, target)`, the notation of \[000\] for a transition.
    pub fn show(&self, state: StateId, input: InputId, transition: Transition) -> String {
        format!(
            "({}, {}, {}, {})",
            self.states()[state],
            self.inputs[input],
            self.outputs()[transition.output],
            self.states()[transition.target]
        )
    }
    /// A choice for display: the transition, or the alternative.
    pub fn show_choice(&self, set: SetId, choice: u32) -> String {
        match &self.steps {
            TransitionRelation::Table(table) => {
                let (state, input) = table.suspicious[set];
                self.show(state, input, self.branches(state, input)[choice as usize].transition)
            }
            TransitionRelation::Unfolding(unfolding) => unfolding.source().sets[set][choice as usize].clone(),
        }
    }
    /// The inputs' names with spaces between them.
    pub fn show_inputs(&self, inputs: &[InputId]) -> String {
        let names: Vec<&str> = inputs.iter().map(|input| self.inputs[*input].as_str()).collect();
        names.join(" ")
    }
}
