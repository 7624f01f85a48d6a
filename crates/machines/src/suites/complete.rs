//! Adds tests until nothing escapes: both options of \[000\] section 3.2.

use crate::conformance::{StatePair, killing_sequence_from};
use crate::{Analysis, Answer, Escape, InputId, Mutant};
use tamper_features::{Solver, SolverFailure};
use tamper_text::{Budget, StopReason};

/// The treatment of an escaping mutant when a suite is completed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strategy {
    /// A new test that kills it.
    NewTests,
    /// The last test is extended until it kills the mutant, without a reset. A new test is added only if there is no
    /// test yet, or if the mutant has reached a state from which it conforms.
    ExtendLast,
}

/// A step on the way to a complete suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found<'a> {
    /// A new test, for a mutant that escaped.
    Test(&'a [InputId]),
    /// The last test, extended.
    Extension(&'a [InputId]),
    /// A mutant that conforms to the specification.
    Conforming(&'a Mutant),
}

/// The outcome of completing a suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// Every mutant that does not conform is killed.
    Complete,
    /// A limit was hit; the tests found so far are kept.
    Stopped(StopReason),
}

impl<S: Solver> Analysis<'_, S> {
    /// Adds tests until the suite is complete. `on_found` receives each step, in order; a new analysis can resume from
    /// these steps through [`add_test`](Self::add_test), [`extend`](Self::extend) and [`exclude`](Self::exclude).
    ///
    /// # Errors
    /// If the solver does not answer.
    pub fn complete(
        &mut self,
        strategy: Strategy,
        budget: &Budget,
        on_found: &mut dyn FnMut(Found<'_>, &Self),
    ) -> Result<Completion, SolverFailure> {
        loop {
            let mut met = Vec::new();
            let answer = self.escape(budget, &mut |conforming| met.push(conforming.clone()))?;
            for conforming in &met {
                on_found(Found::Conforming(conforming), self);
            }
            let escape = match answer {
                Answer::Complete => return Ok(Completion::Complete),
                Answer::Unknown(reason) => return Ok(Completion::Stopped(reason)),
                Answer::Escape(escape) => escape,
            };
            match self.extension(strategy, &escape) {
                Some(extended) => {
                    self.extend_last(&extended);
                    on_found(Found::Extension(&extended), self);
                }
                None => {
                    self.add_test(&escape.killed_by);
                    on_found(Found::Test(&escape.killed_by), self);
                }
            }
        }
    }

    /// Replaces the last test by `inputs` if these extend it; otherwise adds `inputs` as a test.
    pub fn extend(&mut self, inputs: &[InputId]) {
        if self.tests().last().is_some_and(|last| inputs.starts_with(last)) {
            self.extend_last(inputs);
        } else {
            self.add_test(inputs);
        }
    }

    /// The last test, extended until it kills the escaping mutant.
    fn extension(&self, strategy: Strategy, escape: &Escape) -> Option<Vec<InputId>> {
        let last = self.tests().last().filter(|_| strategy == Strategy::ExtendLast)?;
        let right = self.machine().specification_after(last);
        let own = escape.mutant.after(self.machine(), last);
        let rest = killing_sequence_from(self.machine(), &escape.mutant, StatePair { right, own })?;
        Some(last.iter().copied().chain(rest).collect())
    }
}
