//! Suites that are no suites of the specification: a test fails on the specification itself, which was changed since.

use rayon::prelude::*;

use crate::experiment::Timer;
use crate::features::Random;
use crate::suite::{CompiledTest, Ends, Event, Opponent, SuiteFailure, TestCase, Tester, execute, simulate_logged};

/// Random plays in which a run that fails is looked for.
const MOST_PLAYS: u64 = 1_000;

/// A test that fails on the specification.
#[derive(Clone, Debug)]
pub struct Stale {
    /// Its id.
    pub test: String,
    /// Whether every run of the specification fails it.
    pub always: bool,
    /// A run that fails; none if no random play found one.
    pub log: Vec<Event>,
}

/// The first of `tests` that some run of the specification fails.
///
/// # Errors
/// Bounds of tests that are too fine to be compared exactly, and limits.
pub fn stale(tests: &[TestCase], tester: &Tester, timer: &Timer) -> Result<Option<Stale>, SuiteFailure> {
    let fails = |test: &TestCase| -> Result<Option<Stale>, SuiteFailure> {
        let compiled = CompiledTest::in_own_unit(test)?;
        let opponent = Opponent::new(tester.spec(), &compiled)?;
        let ends: Ends = execute(&compiled, &opponent, &timer.budget())?;
        let stale = || Stale {
            test: test.id.clone(),
            always: ends.must_fail(),
            log: failing_play(&compiled, &opponent),
        };
        Ok(ends.can_fail().then(stale))
    };
    let found: Vec<Option<Stale>> = tests.par_iter().map(fails).collect::<Result<_, _>>()?;
    Ok(found.into_iter().flatten().next())
}

fn failing_play(test: &CompiledTest, spec: &Opponent) -> Vec<Event> {
    let plays = (0..MOST_PLAYS).map(|seed| simulate_logged(test, spec, &mut Random::new(seed)));
    let mut failing = plays.filter(|(ends, _)| ends.fail);
    failing.next().map(|(_, log)| log).unwrap_or_default()
}
