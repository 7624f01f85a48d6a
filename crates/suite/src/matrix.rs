//! Kill matrices: each test against each mutant, one mutant after the other or all of them at once.

use fixedbitset::FixedBitSet;
use num_integer::Integer as _;
use num_traits::ToPrimitive as _;
use rayon::prelude::*;

use super::error::SuiteFailure;
use super::family::{Family, FamilyWorld};
use super::{Kill, TestCase};
use crate::execution::compiled::CompiledTest;
use crate::execution::opponent::{Opponent, execute};
use crate::execution::subject::Subject;
use tamper_text::Budget;

/// A kill matrix: a row per test, a bit per mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KillMatrix {
    /// For each test, the mutants with a run that fails the test.
    pub can_fail: Vec<FixedBitSet>,
    /// For each test, the mutants whose every run fails the test; empty rows if only potential kills were asked for.
    pub must_fail: Vec<FixedBitSet>,
}

impl KillMatrix {
    /// The rows of these tests.
    pub fn of_tests(&self, tests: &[usize]) -> Self {
        let rows = |all: &[FixedBitSet]| tests.iter().map(|at| all[*at].clone()).collect();
        Self {
            can_fail: rows(&self.can_fail),
            must_fail: rows(&self.must_fail),
        }
    }

    /// Adds the rows of other tests for the same mutants.
    pub fn extend(&mut self, others: Self) {
        self.can_fail.extend(others.can_fail);
        self.must_fail.extend(others.must_fail);
    }

    /// The mutants that some test kills, potentially or definitely.
    pub fn killed(&self, kill: Kill) -> FixedBitSet {
        let rows = match kill {
            Kill::Potential => &self.can_fail,
            Kill::Definite => &self.must_fail,
        };
        let mut killed = FixedBitSet::with_capacity(rows.first().map_or(0, FixedBitSet::len));
        rows.iter().for_each(|row| killed.union_with(row));
        killed
    }
}

/// Compiled tests with the same number of clocks and one unit of time, with their positions.
struct TestBatch {
    tests: Vec<(usize, CompiledTest)>,
}

/// The finest common unit; tests that need a finer one have a batch for themselves.
const MOST_SCALE: i64 = 1 << 10;

fn batches(tests: &[TestCase]) -> Result<Vec<TestBatch>, SuiteFailure> {
    // The number of clocks, the common scale and the positions of each group.
    let mut groups: Vec<(usize, i64, Vec<usize>)> = Vec::new();
    for (at, test) in tests.iter().enumerate() {
        let too_fine = || SuiteFailure::TooFine { test: test.id.clone() };
        let scale = test.scale().to_i64().ok_or_else(too_fine)?;
        let n_clocks = test.clocks.len();
        let joins = |group: &&mut (usize, i64, Vec<usize>)| {
            group.0 == n_clocks && scale <= MOST_SCALE && group.1.lcm(&scale) <= MOST_SCALE
        };
        match groups.iter_mut().find(joins) {
            Some(group) => {
                group.1 = group.1.lcm(&scale);
                group.2.push(at);
            }
            None => groups.push((n_clocks, scale, vec![at])),
        }
    }
    let batch = |(_, scale, positions): (usize, i64, Vec<usize>)| {
        let compiled = positions
            .into_iter()
            .map(|at| Ok((at, CompiledTest::new(&tests[at], scale)?)));
        Ok(TestBatch {
            tests: compiled.collect::<Result<_, SuiteFailure>>()?,
        })
    };
    groups.into_iter().map(batch).collect()
}

fn empty(tests: &[TestCase], n_mutants: usize) -> KillMatrix {
    let rows = vec![FixedBitSet::with_capacity(n_mutants); tests.len()];
    KillMatrix {
        can_fail: rows.clone(),
        must_fail: rows,
    }
}

/// Executes each test against each mutant. A `None` mutant (a game without a meaning or an initial state) is killed by no test.
///
/// # Errors
/// Bounds too fine to be compared exactly, and the budget of each execution.
pub fn one_by_one(
    tests: &[TestCase],
    mutants: &[Option<Subject>],
    budget: &Budget,
) -> Result<KillMatrix, SuiteFailure> {
    let mut matrix = empty(tests, mutants.len());
    for batch in batches(tests)? {
        let Some((_, some_test)) = batch.tests.first() else {
            continue;
        };
        let column = |subject: &Option<Subject>| -> Result<Vec<(bool, bool)>, SuiteFailure> {
            let Some(subject) = subject else {
                return Ok(vec![(false, false); batch.tests.len()]);
            };
            let opponent = Opponent::new(subject, some_test)?;
            let ends = |(_, test): &(usize, CompiledTest)| {
                let ends = execute(test, &opponent, budget)?;
                Ok((ends.can_fail(), ends.must_fail()))
            };
            batch.tests.iter().map(ends).collect()
        };
        let columns: Vec<_> = mutants.par_iter().map(column).collect::<Result<_, _>>()?;
        for (mutant, column) in columns.into_iter().enumerate() {
            for ((at, _), (can_fail, must_fail)) in batch.tests.iter().zip(column) {
                matrix.can_fail[*at].set(mutant, can_fail);
                matrix.must_fail[*at].set(mutant, must_fail);
            }
        }
    }
    Ok(matrix)
}

/// Executes each test once against all mutants of a family. If `kill` is potential, a mutant's runs are not followed further than
/// its first fail, and `must_fail` stays empty.
///
/// # Errors
/// Bounds too fine to be compared exactly, and the budget of each execution.
pub fn family_based(
    tests: &[TestCase],
    family: &Family,
    kill: Kill,
    budget: &Budget,
) -> Result<KillMatrix, SuiteFailure> {
    let mut matrix = empty(tests, family.n_members());
    let only_fails = kill == Kill::Potential;
    for batch in batches(tests)? {
        let Some((_, some_test)) = batch.tests.first() else {
            continue;
        };
        let (n_clocks, scale) = (some_test.n_clocks, some_test.scale);
        let size = batch.tests.len().div_ceil(rayon::current_num_threads());
        let rows = batch.tests.par_chunks(size).map(|chunk| {
            // Views are made once per thread.
            let mut world = FamilyWorld::new(family, n_clocks, scale, only_fails);
            let row = |(at, test): &(usize, CompiledTest)| Ok((*at, world.execute(test, budget)?));
            chunk.iter().map(row).collect::<Result<Vec<_>, SuiteFailure>>()
        });
        for (at, ends) in rows.collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
            matrix.can_fail[at] = ends.can_fail;
            if !only_fails {
                matrix.must_fail[at] = ends.must_fail;
            }
        }
    }
    Ok(matrix)
}
