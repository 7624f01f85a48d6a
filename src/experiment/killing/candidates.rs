//! The mutants a suite is about.

use std::sync::Arc;

use crate::experiment::{Selection, Shard, Timer};
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
    /// Its mutations of the game, each made for the mutant before it; none for a mutant of a network, which is changed in a
    /// process.
    pub mutations: Vec<Mutation>,
    /// The mutant; none for one of a network that has no composition.
    pub automaton: Option<Automaton>,
    /// The mutant as a thing to test, or why it is none.
    pub subject: Result<Arc<Subject>, SuiteFailure>,
}

/// The selected mutants of a space, or the share of them that `shard` has, in order; none if the time is over before they are made.
pub fn candidates(
    space: &MutantSpace,
    selection: &Selection,
    shard: Option<Shard>,
    timer: &Timer,
) -> Option<Vec<Candidate>> {
    let numbers = (0..).zip(selection.slice(0..selection.len()));
    let numbers = numbers.filter(|(position, _)| shard.is_none_or(|shard| shard.has(*position)));
    let mut locator = space.locator();
    let mut candidate = |number: u64| {
        let (family, position) = locator.locate(number)?;
        let siblings = space.siblings(family)?;
        let last = siblings.last().get(position)?;
        let automaton = siblings.mutant(last);
        Some(Candidate {
            id: siblings.id(last),
            operators: siblings.operators(last),
            mutations: siblings.mutations(last),
            subject: Subject::new(&automaton, &timer.budget()).map(Arc::new),
            automaton: Some(automaton),
        })
    };
    let mut candidates = Vec::new();
    for (_, number) in numbers {
        if timer.is_over() {
            return None;
        }
        candidates.extend(candidate(number));
    }
    Some(candidates)
}
