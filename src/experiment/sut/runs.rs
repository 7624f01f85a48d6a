//! A suite run against a program, test by test.

use std::time::{Duration, Instant};

use num_rational::BigRational;

use super::error::SutError;
use super::remote::RemoteSut;
use crate::suite::{Driven, Event, TestCase, TestVerdict, drive};

/// A test that was run.
#[derive(Debug)]
pub struct TestRun {
    /// The test's id.
    pub test: String,
    /// What it ended in.
    pub outcome: Outcome,
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
        let (outcome, log) = match drive(test, sut, tolerance) {
            Ok(Driven { verdict, log }) => (Outcome::Verdict(verdict), log),
            Err(broken) if matches!(broken.error, SutError::Unreachable { .. }) => return Err(broken.error),
            Err(broken) => (Outcome::Broken(broken.error), broken.log),
        };
        let test = test.id.clone();
        let wall = started.elapsed();
        runs.push(TestRun {
            test,
            outcome,
            log,
            wall,
        });
        progress(runs.len() as u64);
    }
    Ok(runs)
}
