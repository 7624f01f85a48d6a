//! A suite run against a program, test by test.

use std::time::{Duration, Instant};

use num_rational::BigRational;

use super::error::SutError;
use super::remote::RemoteSut;
use crate::suite::{Broken, Driven, Event, Failure, TestCase, TestVerdict, drive};

/// A test that was run.
#[derive(Debug)]
pub struct TestRun {
    /// The test's id.
    pub test: String,
    /// The mutants that it is to show.
    pub purpose: Vec<String>,
    /// What it ended in.
    pub outcome: Outcome,
    /// If it failed, why.
    pub failure: Option<Failure>,
    /// What happened.
    pub log: Vec<Event>,
    /// How long it took.
    pub wall: Duration,
}

/// What a run ended in.
#[derive(Debug)]
pub enum Outcome {
    /// A verdict of the test.
    Verdict(TestVerdict),
    /// None: the program cannot be tested.
    Broken(SutError),
}

/// Runs `tests` in their order; a program that fails to answer is started anew for the next one. `progress` hears how
/// many tests are done.
///
/// # Errors
/// The program cannot be reached at all.
pub fn run_tests(
    tests: &[&TestCase],
    sut: &mut RemoteSut,
    tolerance: &BigRational,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<TestRun>, SutError> {
    let mut runs = Vec::with_capacity(tests.len());
    for test in tests {
        let started = Instant::now();
        let (outcome, failure, log) = match drive(test, sut, tolerance) {
            Ok(Driven { verdict, failure, log }) => (Outcome::Verdict(verdict), failure, log),
            Err(Broken { error, .. }) if cannot_be_had(&error, runs.is_empty()) => return Err(error),
            Err(Broken { error, log }) => (Outcome::Broken(error), None, log),
        };
        runs.push(TestRun {
            test: test.id.clone(),
            purpose: test.targets.clone(),
            outcome,
            failure,
            log,
            wall: started.elapsed(),
        });
        progress(runs.len() as u64);
    }
    Ok(runs)
}

/// Whether there is no program at all: nothing to say of each test.
fn cannot_be_had(error: &SutError, is_first: bool) -> bool {
    match error {
        SutError::Unreachable { .. } => true,
        SutError::NotStarted { .. } => is_first,
        _ => false,
    }
}
