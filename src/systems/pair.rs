//! A mutant beside its specification: the same inputs and outputs.

use rustc_hash::FxHashSet;

use super::{InputId, OutputId, SystemError, TransitionSystem};
use crate::base::IndexVec;

/// Two systems with the same alphabets.
#[derive(Clone, Debug)]
pub struct Pair {
    mutant: TransitionSystem,
    specification: TransitionSystem,
}

impl Pair {
    /// `mutant` beside `specification`; the alphabets are numbered as in the specification, outputs that only the mutant has
    /// come after them.
    ///
    /// # Errors
    /// The inputs, or what is seen before the first step, are not the same.
    pub fn new(mutant: &TransitionSystem, specification: &TransitionSystem) -> Result<Self, SystemError> {
        let (own, other) = (mutant.inputs().as_slice(), specification.inputs().as_slice());
        let only_in = |left: &[String], right: &[String]| left.iter().find(|name| !right.contains(name)).cloned();
        if let Some(name) = only_in(own, other).or_else(|| only_in(other, own)) {
            return Err(SystemError::Inputs { name });
        }
        if mutant.initial_outputs() != specification.initial_outputs() {
            let list = |system: &TransitionSystem| system.initial_outputs().iter().cloned().collect();
            return Err(SystemError::InitialOutputs {
                mutant: list(mutant),
                specification: list(specification),
            });
        }
        let mut outputs: IndexVec<OutputId, String> = specification.outputs().clone();
        let known: FxHashSet<&String> = specification.outputs().iter().collect();
        for name in mutant.outputs().iter().filter(|name| !known.contains(name)) {
            outputs.push(name.clone());
        }
        let renumbered = |system: &TransitionSystem| system.renumbered(specification.inputs(), &outputs);
        Ok(Self {
            mutant: renumbered(mutant).ok_or(SystemError::TooLarge)?,
            specification: renumbered(specification).ok_or(SystemError::TooLarge)?,
        })
    }
    /// The mutant.
    pub fn mutant(&self) -> &TransitionSystem {
        &self.mutant
    }
    /// The specification.
    pub fn specification(&self) -> &TransitionSystem {
        &self.specification
    }
    /// The names of the inputs of both.
    pub fn inputs(&self) -> &IndexVec<InputId, String> {
        self.specification.inputs()
    }
    /// The names of the outputs of either.
    pub fn outputs(&self) -> &IndexVec<OutputId, String> {
        self.specification.outputs()
    }
}
