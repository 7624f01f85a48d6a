//! One machine of a mutation machine: a choice in each suspicious set.

use super::{Branch, InputId, MutationMachine, OutputId, SetId, StateId, Transition};
use tamper_text::Id;

/// A mutated transition that a mutant has instead of the specification's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The source state.
    pub state: StateId,
    /// The input on which it is taken.
    pub input: InputId,
    /// The transition of the mutant.
    pub new: Transition,
    /// The kind of difference from the specification's transition.
    pub kind: FaultKind,
}

tamper_text::named! {
    /// The kind of difference between a mutated transition and the specification's.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum FaultKind {
        /// It answers another output, and leads to the same state.
        Output = "output",
        /// It leads to another state, and answers the same output.
        Transfer = "transfer",
        /// It answers another output and leads to another state.
        Both = "output-and-transfer",
    }
}

/// A choice in each suspicious set, 0 being the unaltered transition. All zeros is the specification.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mutant {
    choices: Vec<u32>,
}

impl Mutant {
    /// The mutant as a machine without faults; `None` for an extended machine.
    pub fn as_machine(&self, machine: &MutationMachine) -> Option<MutationMachine> {
        machine.without_faults(|state, input| self.step(machine, state, input))
    }

    /// The machine with these choices, one per suspicious set; `None` if a choice does not exist.
    pub fn new(machine: &MutationMachine, choices: Vec<u32>) -> Option<Self> {
        let exists = |(set, choice): (SetId, &u32)| (*choice as usize) < machine.n_choices(set);
        let fits = choices.len() == machine.sets().len();
        let all = fits && machine.sets().zip(&choices).all(exists);
        all.then_some(Self { choices })
    }
    /// The machine with this number in the order of choices, the specification being number 0; `None` if there are
    /// fewer machines.
    pub fn numbered(machine: &MutationMachine, number: u64) -> Option<Self> {
        let mut left = number;
        let mut digit = |set| {
            let n_choices = machine.n_choices(set) as u64;
            let choice = left % n_choices;
            left /= n_choices;
            u32::try_from(choice).ok()
        };
        // The last set counts the ones.
        let mut choices: Vec<u32> = machine.sets().rev().map(&mut digit).collect::<Option<_>>()?;
        choices.reverse();
        (left == 0).then_some(Self { choices })
    }
    /// The mutant that makes the specification's choice in every set.
    pub fn specification(machine: &MutationMachine) -> Self {
        Self {
            choices: vec![0; machine.sets().len()],
        }
    }
    /// The choice of the mutant in `set`.
    pub fn choice(&self, set: SetId) -> usize {
        self.choices[set.index()] as usize
    }
    /// The choice of the mutant in each set.
    pub fn choices(&self) -> &[u32] {
        &self.choices
    }
    /// The transition of the mutant for a state and an input.
    pub fn step(&self, machine: &MutationMachine, state: StateId, input: InputId) -> Transition {
        let branches = machine.branches(state, input);
        let holds = |branch: &&Branch| branch.holds(|set| self.choices[set.index()]);
        // The branches of a plain machine's set are in the order of choices.
        let own = match branches[0].choices() {
            [(set, _)] => branches.get(self.choice(*set)).filter(holds),
            _ => None,
        };
        let own = own.or_else(|| branches.iter().find(holds));
        own.expect("every mutant has one of the branches").transition
    }
    /// The answers of the mutant to the inputs.
    pub fn outputs(&self, machine: &MutationMachine, inputs: &[InputId]) -> Vec<OutputId> {
        let mut state = machine.initial();
        let step = |input: &InputId| {
            let transition = self.step(machine, state, *input);
            state = transition.target;
            transition.output
        };
        inputs.iter().map(step).collect()
    }
    /// The state of the mutant after `inputs`.
    pub fn after(&self, machine: &MutationMachine, inputs: &[InputId]) -> StateId {
        inputs.iter().fold(machine.initial(), |state, input| {
            self.step(machine, state, *input).target
        })
    }
    /// Whether its answers to `inputs` differ from the specification's.
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
    /// The differences of its mutated transitions from the specification's; empty for an extended machine.
    pub fn faults<'a>(&'a self, machine: &'a MutationMachine) -> impl Iterator<Item = Fault> + 'a {
        self.mutated().filter_map(|set| {
            let (state, input) = machine.place(set)?;
            let (old, new) = (machine.unaltered(state, input), self.step(machine, state, input));
            let kind = match (old.output == new.output, old.target == new.target) {
                (false, true) => FaultKind::Output,
                (true, _) => FaultKind::Transfer,
                (false, false) => FaultKind::Both,
            };
            Some(Fault {
                state,
                input,
                new,
                kind,
            })
        })
    }
    /// Its mutated transitions in the notation of \[000\]; of an extended machine, its alternatives.
    pub fn show(&self, machine: &MutationMachine) -> Vec<String> {
        let show = |set: SetId| machine.show_choice(set, self.choices[set.index()]);
        self.mutated().map(show).collect()
    }
}
