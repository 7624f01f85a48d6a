//! A mutant for which tests are generated.

use std::sync::Arc;

use tamper_suite::{Subject, SuiteFailure};
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{AppliedOperator, Mutation};

/// The reason why more is not known of a mutant of which one run was looked at.
pub(super) const ONE_RUN: &str = "its composition is large, and only a run that shows it was looked at";

/// A mutant, ready to be tested.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its id.
    pub id: String,
    /// The operators of its mutations, in order.
    pub operators: Vec<AppliedOperator>,
    /// Its mutations of the game, each made for the mutant before it; empty for a mutant of a network, which is changed
    /// in one of its processes.
    pub mutations: Vec<Mutation>,
    /// The mutant as an automaton; `None` for a mutant of a network that was not composed.
    pub automaton: Option<Automaton>,
    /// Whether the automaton makes only one run of the mutant, which shows it. A test that can fail on the run can fail on the
    /// mutant; nothing else follows.
    pub is_one_run: bool,
    /// The mutant as a test subject, or the reason why it cannot be tested.
    pub subject: Result<Arc<Subject>, SuiteFailure>,
}
