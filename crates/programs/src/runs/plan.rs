//! The choice of the tests to run, and the time that they take.

use std::collections::BTreeSet;
use std::time::Duration;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive as _;

use tamper_suite::{TestCase, hoped_time};

/// A test of a plan.
#[derive(Clone, Debug)]
pub struct PlannedTest<'a> {
    /// Approximate wall time of the test.
    pub wall: Duration,
    /// The mutants that it kills, as far as the suite tells.
    pub kills: BTreeSet<&'a str>,
}

/// Approximate wall time of `test`, where a time unit lasts `unit`.
pub fn wall_time(test: &TestCase, unit: Duration) -> Duration {
    let nanos = hoped_time(test) * BigRational::from_integer(BigInt::from(unit.as_nanos()));
    Duration::from_nanos(nanos.to_integer().to_u64().unwrap_or(u64::MAX))
}

/// The time that tests take if `jobs` instances of the program run them side by side, each test in turn by the instance that is free first.
pub fn together(walls: impl IntoIterator<Item = Duration>, jobs: usize) -> Duration {
    let mut busy = vec![Duration::ZERO; jobs.max(1)];
    for wall in walls {
        if let Some(first) = busy.iter_mut().min() {
            *first = first.saturating_add(wall);
        }
    }
    busy.into_iter().max().unwrap_or_default()
}

/// The tests that kill the most within a time, chosen one after the other: among the tests that still fit, the one that kills the
/// most mutants per second that the chosen tests leave; then the one that kills more, then the first. Returns their positions,
/// ascending.
pub fn within(tests: &[PlannedTest<'_>], budget: Duration, jobs: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut killed = BTreeSet::new();
    loop {
        let fits = |at: usize| {
            let walls = (0..tests.len()).filter(|other| *other == at || chosen.contains(other));
            together(walls.map(|other| tests[other].wall), jobs) <= budget
        };
        let left = (0..tests.len()).filter(|at| !chosen.contains(at));
        let worth = left.map(|at| (at, tests[at].kills.difference(&killed).count() as u128));
        let useful = worth.filter(|(at, kills)| *kills > 0 && fits(*at));
        let nanos = |at: usize| tests[at].wall.as_nanos();
        let better = |a: (usize, u128), b: (usize, u128)| {
            let (one, other) = (a.1 * nanos(b.0), b.1 * nanos(a.0));
            (one, a.1) > (other, b.1)
        };
        let Some((best, _)) = useful.reduce(|best, test| if better(test, best) { test } else { best }) else {
            break;
        };
        killed.extend(tests[best].kills.iter().copied());
        chosen.push(best);
    }
    chosen.sort_unstable();
    chosen
}

/// Number of mutants that these tests kill together.
pub fn n_kills<'a>(tests: impl IntoIterator<Item = &'a PlannedTest<'a>>) -> usize {
    let kills = tests.into_iter().flat_map(|test| &test.kills);
    kills.collect::<BTreeSet<_>>().len()
}
