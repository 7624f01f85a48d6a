//! The states that mutants can enter at one position of a test.

use super::clauses::Body;
use super::{MutationMachine, StateId};
use tamper_text::Id;

const NONE: u32 = u32::MAX;

/// States, each with the conditions for entering it. The states of a plain machine are in their order. Configurations
/// are in the order in which they are entered: their ids depend on earlier questions, and the clauses must not, since a
/// proof is checked without these questions.
pub(super) struct Entering {
    /// By state: its index in `entered`.
    numbers: Vec<u32>,
    entered: Vec<(StateId, Vec<Body>)>,
    is_plain: bool,
}

impl Entering {
    pub fn new(machine: &MutationMachine) -> Self {
        Self {
            numbers: vec![NONE; machine.states().len()],
            entered: Vec::new(),
            is_plain: machine.extended().is_none(),
        }
    }
    pub fn add(&mut self, state: StateId, body: Body) {
        match self.numbers[state.index()] {
            NONE => {
                self.numbers[state.index()] = self.entered.len() as u32;
                self.entered.push((state, vec![body]));
            }
            number => self.entered[number as usize].1.push(body),
        }
    }
    /// The states with the conditions for entering them.
    pub fn all(mut self) -> Vec<(StateId, Vec<Body>)> {
        if self.is_plain {
            self.entered.sort_by_key(|(state, _)| *state);
        }
        self.entered
    }
}
