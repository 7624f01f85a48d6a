//! The mutants a suite is about.

use std::sync::Arc;

use crate::base::Budget;
use crate::experiment::Selection;
use crate::model::Automaton;
use crate::mutation::{MutantSpace, Mutation, Operator};
use crate::suite::{Subject, SuiteFailure};

/// A mutant, ready to be tested.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its id.
    pub id: String,
    /// The operators of its mutations, in order.
    pub operators: Vec<Operator>,
    /// Its mutations, each made for the mutant before it.
    pub mutations: Vec<Mutation>,
    /// The mutant.
    pub automaton: Automaton,
    /// The mutant as a thing to test, or why it is none.
    pub subject: Result<Arc<Subject>, SuiteFailure>,
}

/// The selected mutants of a space, in order; each is lowered within `budget`.
pub fn candidates(space: &MutantSpace, selection: &Selection, budget: &impl Fn() -> Budget) -> Vec<Candidate> {
    let numbers = selection.slice(0..selection.len());
    let mut locator = space.locator();
    let candidate = |number: u64| {
        let (family, position) = locator.locate(number)?;
        let siblings = space.siblings(family)?;
        let last = siblings.last().get(position)?;
        let automaton = siblings.mutant(last);
        Some(Candidate {
            id: siblings.id(last),
            operators: siblings.operators(last),
            mutations: siblings.mutations(last),
            subject: Subject::new(&automaton, &budget()).map(Arc::new),
            automaton,
        })
    };
    numbers.into_iter().filter_map(candidate).collect()
}
