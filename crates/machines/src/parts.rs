//! The parts of machines: ids, transitions, and the choices that a transition depends on.

use tamper_text::define_ids;

define_ids! {
    /// A state; of an extended machine, a configuration.
    StateId,
    /// The number of an input of a machine.
    InputId,
    /// The number of an output of a machine.
    OutputId,
    /// A suspicious set: a place at which mutants choose. Of a plain machine a state and an input with more than one
    /// transition, numbered by state, then input; the variable `z_i` of \[000\] is the choice in set number `i - 1`.
    SetId,
}

/// The reaction of a machine to an input: an output and a next state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition {
    /// The output with which the machine answers.
    pub output: OutputId,
    /// The next state.
    pub target: StateId,
}

/// A choice in a suspicious set.
pub type Assignment = (SetId, u32);

/// The mutants that have a transition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum When {
    Always,
    Is(Assignment),
    /// The mutants with all these choices, two or more.
    All(Box<[Assignment]>),
}

/// A transition, and the choices that give it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Branch {
    pub(super) when: When,
    /// The transition of the mutants that take the branch.
    pub transition: Transition,
}

impl Branch {
    /// A transition of the mutants with all these choices, in different sets.
    pub fn new(choices: &[Assignment], transition: Transition) -> Self {
        let when = match choices {
            [] => When::Always,
            [one] => When::Is(*one),
            several => When::All(several.into()),
        };
        Self { when, transition }
    }
    /// The choices that a mutant must have made for this to happen.
    pub fn choices(&self) -> &[Assignment] {
        match &self.when {
            When::Always => &[],
            When::Is(one) => std::slice::from_ref(one),
            When::All(all) => all,
        }
    }
    /// Whether all of its choices are in `chosen`.
    pub fn holds(&self, chosen: impl Fn(SetId) -> u32) -> bool {
        self.choices().iter().all(|(set, choice)| chosen(*set) == *choice)
    }
}
