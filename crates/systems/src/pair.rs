//! A mutant beside its specification: the same inputs and outputs.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::antichain::{NumberSet, set_of};
use super::{InputId, OutputId, SystemError, TransitionSystem};
use tamper_text::{Id, IndexVec};

/// Two systems with the same inputs and outputs.
#[derive(Clone, Debug)]
pub struct Pair {
    mutant: TransitionSystem,
    specification: TransitionSystem,
}

impl Pair {
    /// `mutant` beside `specification`; inputs and outputs are numbered as in the specification, followed by the
    /// outputs that only the mutant has.
    ///
    /// # Errors
    /// The inputs are not the same.
    pub fn new(mutant: &TransitionSystem, specification: &TransitionSystem) -> Result<Self, SystemError> {
        let (own, other) = (mutant.inputs().as_slice(), specification.inputs().as_slice());
        let only_in = |left: &[String], right: &[String]| left.iter().find(|name| !right.contains(name)).cloned();
        if let Some(name) = only_in(own, other).or_else(|| only_in(other, own)) {
            return Err(SystemError::Inputs { name });
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
    /// The transition system of the mutant.
    pub fn mutant(&self) -> &TransitionSystem {
        &self.mutant
    }
    /// The transition system of the specification.
    pub fn specification(&self) -> &TransitionSystem {
        &self.specification
    }
    /// The initial states of both systems, by their first output.
    pub(super) fn starts(&self) -> Vec<Start> {
        let systems = [&self.mutant, &self.specification];
        let seen: BTreeSet<&String> = systems.iter().flat_map(|system| system.starts().keys()).collect();
        let states = |system: &TransitionSystem, seen: &String| {
            let states = system.starts().get(seen).into_iter().flatten();
            set_of(states.map(|state| state.index() as u32).collect())
        };
        let start = |seen: &String| Start {
            seen: seen.clone(),
            own: states(&self.mutant, seen),
            others: states(&self.specification, seen),
        };
        seen.into_iter().map(start).collect()
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

/// An output before the first input, and the initial states of both systems that show it; not both sets are empty.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub seen: String,
    pub own: NumberSet,
    pub others: NumberSet,
}

/// Whether the output before the first input carries information: there are several.
pub(super) fn tells(starts: &[Start]) -> bool {
    starts.len() > 1
}
