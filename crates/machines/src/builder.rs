//! Builds a machine from transitions in any order, which are checked together at the end.

use std::collections::BTreeMap;
use std::fmt;

use rustc_hash::FxHashMap;

use super::machine::{TransitionRelation, TransitionTable};
use super::{Assignment, Branch, InputId, MutationMachine, OutputId, SetId, StateId, Transition};
use tamper_text::{Id, IndexVec};

/// An error in a list of transitions; numbers count the calls of [`MachineBuilder::add`] from 0.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MachineError {
    /// The machine has no state at all.
    #[error("the machine has no transition")]
    Empty,
    /// The specification has two transitions for one state and input.
    #[error("the specification has two transitions for this state and input")]
    Nondeterministic {
        /// The first of both transitions, by number of addition.
        first: usize,
        /// The second of both transitions, by number of addition.
        second: usize,
    },
    /// A transition is listed twice, or a mutated one equals the unaltered one.
    #[error("this transition is there already")]
    Repeated {
        /// The first of both transitions, by number of addition.
        first: usize,
        /// The second of both transitions, by number of addition.
        second: usize,
    },
    /// The specification has no transition for some state and input.
    #[error("the specification has no transition from state `{state_name}` on input `{input_name}`")]
    Incomplete {
        /// The state without a transition.
        state: StateId,
        /// The name of the state without a transition.
        state_name: String,
        /// The name of the input without a transition.
        input_name: String,
    },
    /// There are more transitions than 32 bits can number.
    #[error("the machine has more than 2^32 transitions")]
    TooLarge,
}

/// The kinds of faults that are added to every transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Faults {
    /// Any other output, the same target.
    Outputs,
    /// The same output, any other target.
    Transfers,
    /// Any output and any target: the chaos machine of \[000\] section 2.2.
    All,
}

#[derive(Clone, Copy)]
struct Added {
    cell: (StateId, InputId),
    transition: Transition,
    mutated: bool,
}

/// Collects states, inputs, outputs (by name, numbered in order of appearance) and transitions.
#[derive(Default)]
pub struct MachineBuilder {
    states: NameTable<StateId>,
    inputs: NameTable<InputId>,
    outputs: NameTable<OutputId>,
    added: Vec<Added>,
    initial: Option<StateId>,
}

impl fmt::Debug for MachineBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MachineBuilder")
            .field("n_added", &self.added.len())
            .finish_non_exhaustive()
    }
}

impl MachineBuilder {
    /// A builder without states and transitions.
    pub fn new() -> Self {
        Self::default()
    }
    /// The state of that name.
    pub fn state(&mut self, name: &str) -> StateId {
        self.states.intern(name)
    }
    /// The name of a state.
    pub(crate) fn name_of(&self, state: StateId) -> &str {
        &self.states.names[state]
    }
    /// The input of that name.
    pub fn input(&mut self, name: &str) -> InputId {
        self.inputs.intern(name)
    }
    /// The output of that name.
    pub fn output(&mut self, name: &str) -> OutputId {
        self.outputs.intern(name)
    }
    /// Makes `state` the initial state; by default, it is the first state.
    pub fn set_initial(&mut self, state: StateId) {
        self.initial = Some(state);
    }
    /// Adds a transition, of the specification or mutated.
    pub fn add(&mut self, state: StateId, input: InputId, transition: Transition, mutated: bool) {
        self.added.push(Added {
            cell: (state, input),
            transition,
            mutated,
        });
    }

    /// Gives each state and input without a transition a loop that answers `output`.
    pub fn loop_where_unspecified(&mut self, output: &str) {
        let specified = self.specified();
        let missing: Vec<_> = self.cells().filter(|cell| !specified.contains_key(cell)).collect();
        if missing.is_empty() {
            return;
        }
        let output = self.output(output);
        for (state, input) in missing {
            let transition = Transition { output, target: state };
            self.add(state, input, transition, false);
        }
    }

    /// Adds faults of the given kind to every transition of the specification; existing mutated transitions stay.
    pub fn add_faults(&mut self, faults: Faults) {
        let mut known: std::collections::BTreeSet<_> =
            self.added.iter().map(|added| (added.cell, added.transition)).collect();
        for (cell, number) in self.specified() {
            let own = self.added[number].transition;
            let (outputs, states) = (self.outputs.names.ids(), self.states.names.ids());
            let all = outputs.flat_map(|output| states.clone().map(move |target| Transition { output, target }));
            let wanted = all.filter(|other| match faults {
                Faults::Outputs => other.target == own.target,
                Faults::Transfers => other.output == own.output,
                Faults::All => true,
            });
            for transition in wanted.collect::<Vec<_>>() {
                if known.insert((cell, transition)) {
                    self.add(cell.0, cell.1, transition, true);
                }
            }
        }
    }

    fn cells(&self) -> impl Iterator<Item = (StateId, InputId)> + use<> {
        let (states, inputs) = (self.states.names.ids(), self.inputs.names.ids());
        states.flat_map(move |state| inputs.clone().map(move |input| (state, input)))
    }
    /// By cell: the first unaltered transition.
    fn specified(&self) -> BTreeMap<(StateId, InputId), usize> {
        let mut specified = BTreeMap::new();
        for (number, added) in self.added.iter().enumerate().filter(|(_, added)| !added.mutated) {
            specified.entry(added.cell).or_insert(number);
        }
        specified
    }

    /// The finished machine.
    ///
    /// # Errors
    /// Everything that is wrong with the transitions.
    pub fn finish(self) -> Result<MutationMachine, Vec<MachineError>> {
        if self.states.names.is_empty() || self.inputs.names.is_empty() {
            return Err(vec![MachineError::Empty]);
        }
        if u32::try_from(self.added.len()).is_err() {
            return Err(vec![MachineError::TooLarge]);
        }
        let mut errors = self.repetitions();
        let specified = self.specified();
        for (state, input) in self.cells().filter(|cell| !specified.contains_key(cell)) {
            errors.push(MachineError::Incomplete {
                state,
                state_name: self.states.names[state].clone(),
                input_name: self.inputs.names[input].clone(),
            });
        }
        if errors.is_empty() {
            Ok(self.assemble())
        } else {
            Err(errors)
        }
    }

    fn repetitions(&self) -> Vec<MachineError> {
        let mut errors = Vec::new();
        let mut own: FxHashMap<_, usize> = FxHashMap::default();
        let mut seen: FxHashMap<_, usize> = FxHashMap::default();
        for (second, added) in self.added.iter().enumerate() {
            let first = *seen.entry((added.cell, added.transition)).or_insert(second);
            if first != second {
                errors.push(MachineError::Repeated { first, second });
                continue;
            }
            if !added.mutated {
                let first = *own.entry(added.cell).or_insert(second);
                if first != second {
                    errors.push(MachineError::Nondeterministic { first, second });
                }
            }
        }
        errors
    }

    fn assemble(mut self) -> MutationMachine {
        let (states, inputs, outputs) = (self.states.names, self.inputs.names, self.outputs.names);
        self.added.sort_by(|a, b| {
            let key = |added: &Added| {
                let names = (&outputs[added.transition.output], &states[added.transition.target]);
                (added.cell, added.mutated, names)
            };
            key(a).cmp(&key(b))
        });
        let n_cells = states.len() * inputs.len();
        let mut sizes = vec![0_u32; n_cells];
        for added in &self.added {
            sizes[added.cell.0.index() * inputs.len() + added.cell.1.index()] += 1;
        }
        let mut starts = vec![0];
        let mut suspicious: IndexVec<SetId, _> = IndexVec::new();
        let mut branches = Vec::with_capacity(self.added.len());
        let mut added = self.added.iter();
        let mut end = 0;
        for (cell, size) in sizes.iter().enumerate() {
            end += size;
            starts.push(end);
            let (state, input) = (cell / inputs.len(), cell % inputs.len());
            let place = (StateId::from_index(state), InputId::from_index(input));
            let set = (*size > 1).then(|| suspicious.push(place));
            for (choice, added) in (0..*size).zip(added.by_ref()) {
                let choices: Option<Assignment> = set.map(|set| (set, choice));
                branches.push(Branch::new(choices.as_slice(), added.transition));
            }
        }
        MutationMachine {
            initial: self.initial.unwrap_or_else(|| StateId::from_index(0)),
            inputs,
            steps: TransitionRelation::Table(TransitionTable {
                states: states.iter().cloned().collect(),
                outputs: outputs.iter().cloned().collect(),
                branches,
                starts,
                suspicious,
            }),
        }
    }
}

/// Distinct names in order of appearance.
struct NameTable<I> {
    names: IndexVec<I, String>,
    known: FxHashMap<String, I>,
}

impl<I> Default for NameTable<I> {
    fn default() -> Self {
        Self {
            names: IndexVec::default(),
            known: FxHashMap::default(),
        }
    }
}

impl<I: Id> NameTable<I> {
    fn intern(&mut self, name: &str) -> I {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let id = self.names.push(name.to_owned());
        self.known.insert(name.to_owned(), id);
        id
    }
}
