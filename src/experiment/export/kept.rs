//! A mutant that is written.

use super::super::{Places, Record};
use crate::model::Automaton;
use crate::mutation::Mutation;

/// A mutant that is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its number.
    pub number: u64,
    /// What is known about it.
    pub record: Record,
    /// Its mutations, in order.
    pub mutations: Vec<Mutation>,
    /// Where they are.
    pub places: Places,
    /// The automaton that the last one is applied to.
    pub parent: Automaton,
}

impl Kept {
    /// The mutant.
    pub fn mutant(&self) -> Automaton {
        match self.mutations.last() {
            Some(last) => last.apply(&self.parent),
            None => self.parent.clone(),
        }
    }
    /// Its number and operators, e.g. `000012-CXL`: what its file is called.
    pub fn stem(&self) -> String {
        format!("{:06}-{}", self.number, self.record.operators.join("-"))
    }
}
