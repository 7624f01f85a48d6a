//! A mutant that tests are looked for.

use std::sync::Arc;

use tamper_suite::{Subject, SuiteFailure};
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{Mutation, Operator};

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
