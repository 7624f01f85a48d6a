//! A specification beside a mutation machine, as one mutation machine. So every procedure for mutants also compares the
//! machines of a family with a specification that is not one of them.
//!
//! A new first input is answered alike everywhere, and does something in the new initial state only: there the
//! unaltered transition leads into the specification, the mutated one into the mutation machine. So a mutant that
//! chooses the first conforms, and one that chooses the second conforms if and only if the machine with its other
//! choices answers as the specification does; a word that kills it begins with the new input.

use super::difference::common_inputs;
use super::{Incomparable, MachineBuilder, Mutant, MutationMachine, StateId, Transition};
use tamper_text::IndexVec;

/// A specification and a mutation machine in one machine.
#[derive(Clone, Debug)]
pub struct JointMachine {
    /// The joint machine; its first input is the new one, its first suspicious set the choice between the two.
    pub whole: MutationMachine,
}

impl JointMachine {
    /// Compares every machine of `family` with the specification of `specification`.
    ///
    /// # Errors
    /// If they do not have the same inputs.
    pub fn of(specification: &MutationMachine, family: &MutationMachine) -> Result<Self, Incomparable> {
        common_inputs(family, specification)?;
        let mut builder = MachineBuilder::new();
        let mut enter = "enter".to_owned();
        while family.inputs().iter().any(|name| *name == enter) {
            enter.push('_');
        }
        let (start, enter) = (builder.state("start"), builder.input(&enter));
        let entered = builder.output("entered");
        family.inputs().iter().for_each(|name| {
            builder.input(name);
        });
        let own = EmbeddedStates::add(specification, "specification ", false, &mut builder);
        let theirs = EmbeddedStates::add(family, "machine ", true, &mut builder);
        let stay = |target| Transition {
            output: entered,
            target,
        };
        for state in own.states.iter().chain(theirs.states.iter()) {
            builder.add(*state, enter, stay(*state), false);
        }
        for name in family.inputs() {
            let input = builder.input(name);
            builder.add(start, input, stay(start), false);
        }
        builder.add(start, enter, stay(own.states[specification.initial()]), false);
        builder.add(start, enter, stay(theirs.states[family.initial()]), true);
        // Both machines are complete, and no transition is listed twice.
        let whole = builder
            .finish()
            .map_err(|_| Incomparable::Inputs(Vec::new(), Vec::new()))?;
        Ok(Self { whole })
    }

    /// The machine of `family` that a mutant of the whole has chosen; `None` if it has chosen the specification.
    pub fn machine(&self, family: &MutationMachine, mutant: &Mutant) -> Option<Mutant> {
        let (chosen, choices) = mutant.choices().split_first()?;
        (*chosen == 1).then(|| Mutant::new(family, choices.to_vec())).flatten()
    }
}

/// The states of one of the two machines in the whole.
struct EmbeddedStates {
    states: IndexVec<StateId, StateId>,
}

impl EmbeddedStates {
    fn add(machine: &MutationMachine, prefix: &str, is_family: bool, builder: &mut MachineBuilder) -> Self {
        let names = machine.states().iter();
        let states: IndexVec<StateId, StateId> = names.map(|name| builder.state(&format!("{prefix}{name}"))).collect();
        for state in machine.states().ids() {
            for input in machine.inputs().ids() {
                let branches = machine.branches(state, input);
                let kept = if is_family { branches } else { &branches[..1] };
                for (number, branch) in kept.iter().enumerate() {
                    let transition = branch.transition;
                    let own_input = builder.input(&machine.inputs()[input]);
                    let transition = Transition {
                        output: builder.output(&machine.outputs()[transition.output]),
                        target: states[transition.target],
                    };
                    builder.add(states[state], own_input, transition, number > 0);
                }
            }
        }
        Self { states }
    }
}
