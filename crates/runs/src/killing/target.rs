//! Execution of tests against mutants, and the kills that count; also a check that the specification passes the tests.

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use super::candidate::Candidate;
use super::suite_options::{KillGoal, SuiteOptions};
use crate::Timer;
use crate::error::Result;
use tamper_features::{Product, Random};
use tamper_suite::{
    CompiledTest, Ends, Event, Family, Kill, KillMatrix, Opponent, Subject, SuiteFailure, TestCase, Tester, execute,
    family_based, minimum_cover, one_by_one, simulate_logged,
};
use tamper_text::Budget;
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{FeaturedMutants, ProductBound};

/// Mutants that tests are executed against: mutants of order 1 all at once as a family, others one by one.
pub struct Target {
    wanted: KillGoal,
    n_candidates: usize,
    /// The family, and the number of each member among the candidates.
    family: Option<(Family, Vec<usize>)>,
    subjects: Vec<Option<Subject>>,
    /// The candidates of which only one run is known.
    one_runs: FixedBitSet,
}

impl Target {
    /// The `candidates` as a target; `options` says which kills count.
    pub fn new(tester: &Tester, candidates: &[Candidate], options: &SuiteOptions) -> Self {
        let family = family_of(tester.automaton(), candidates, options);
        let subjects = match family {
            Some(_) => Vec::new(),
            None => candidates.iter().map(subject).collect(),
        };
        Self {
            wanted: options.wanted,
            n_candidates: candidates.len(),
            family,
            subjects,
            one_runs: (0..candidates.len()).filter(|at| candidates[*at].is_one_run).collect(),
        }
    }

    /// Whether the mutants are executed together.
    pub fn is_family(&self) -> bool {
        self.family.is_some()
    }

    /// The kills of each test, by the candidates' numbers. If tests that always fail are preferred, a test kills the
    /// mutants on which it always fails, and the mutants on which it can fail if none of `tests` always fails on them.
    ///
    /// # Errors
    /// If bounds are too fine to be compared exactly, or a limit is hit.
    pub fn kills(&self, tests: &[TestCase], timer: &Timer) -> Result<Vec<FixedBitSet>> {
        Ok(kills(&self.executed(tests, timer)?, tests, self.wanted))
    }

    /// The possible results of each test, by the candidates' numbers. If potential kills suffice, `must_fail` of a
    /// family stays empty.
    ///
    /// # Errors
    /// If bounds are too fine to be compared exactly, or a limit is hit.
    pub fn executed(&self, tests: &[TestCase], timer: &Timer) -> Result<KillMatrix> {
        // Every test terminates, so only the number of states is limited.
        let budget = Budget {
            deadline: None,
            ..timer.budget()
        };
        let matrix = match &self.family {
            Some((family, _)) => family_based(tests, family, self.wanted.kill(), &budget)?,
            None => one_by_one(tests, &self.subjects, &budget)?,
        };
        let Some((_, members)) = &self.family else {
            let mut matrix = matrix;
            let rows = matrix.must_fail.iter_mut();
            rows.for_each(|row| row.difference_with(&self.one_runs));
            return Ok(matrix);
        };
        let spread = |row: FixedBitSet| {
            let mut whole = FixedBitSet::with_capacity(self.n_candidates);
            whole.extend(row.ones().map(|member| members[member]));
            whole
        };
        Ok(KillMatrix {
            can_fail: matrix.can_fail.into_iter().map(spread).collect(),
            must_fail: matrix.must_fail.into_iter().map(spread).collect(),
        })
    }
}

/// The kills of each of `tests` that count, as for [`Target::kills`].
pub fn kills(matrix: &KillMatrix, tests: &[TestCase], wanted: KillGoal) -> Vec<FixedBitSet> {
    let definite = matrix.killed(Kill::Definite);
    let as_surely_as_any = |(can_fail, must_fail): (&FixedBitSet, &FixedBitSet)| {
        let mut row = can_fail.clone();
        row.difference_with(&definite);
        row.union_with(must_fail);
        row
    };
    match wanted {
        KillGoal::Potential => matrix.can_fail.clone(),
        KillGoal::Definite => matrix.must_fail.clone(),
        KillGoal::Blind => {
            let of_blind = |(row, test): (&FixedBitSet, &TestCase)| match test.is_blind() {
                true => row.clone(),
                false => FixedBitSet::with_capacity(row.len()),
            };
            matrix.must_fail.iter().zip(tests).map(of_blind).collect()
        }
        KillGoal::Both => matrix
            .can_fail
            .iter()
            .zip(&matrix.must_fail)
            .map(as_surely_as_any)
            .collect(),
    }
}

/// A smallest subset of given tests that kills all mutants that the given tests kill.
pub struct ChosenTests {
    /// The tests.
    pub tests: Vec<TestCase>,
    /// The possible results of the chosen tests.
    pub matrix: KillMatrix,
    /// Lower bound on the number of tests that suffice.
    pub lower_bound: u64,
    /// Whether the chosen tests are proved to meet the bound.
    pub proved: bool,
}

impl ChosenTests {
    /// Chooses among `tests`, whose kills `matrix` contains, counted according to `options`.
    pub fn of(tests: &[TestCase], matrix: &KillMatrix, options: &SuiteOptions) -> Self {
        let rows = kills(matrix, tests, options.wanted);
        let cover = minimum_cover(&rows, &vec![1; rows.len()], options.max_nodes);
        Self {
            tests: cover.tests.iter().map(|at| tests[*at].clone()).collect(),
            matrix: matrix.of_tests(&cover.tests),
            lower_bound: cover.lower_bound,
            proved: cover.proved,
        }
    }
}

fn subject(candidate: &Candidate) -> Option<Subject> {
    candidate.subject.as_ref().ok().map(|subject| (**subject).clone())
}

/// The family of all candidates of order 1 that have a meaning, and their positions; `None` if some candidate is of
/// another order.
fn family_of(spec: &Automaton, candidates: &[Candidate], options: &SuiteOptions) -> Option<(Family, Vec<usize>)> {
    // Checked first: planning a family for mutants of a composed network would take longer than executing them one by
    // one.
    if candidates.iter().any(|candidate| candidate.mutations.len() != 1) {
        return None;
    }
    let featured = FeaturedMutants::of(
        &options.refusals.met(spec.clone()),
        &options.mutation,
        ProductBound::Sequences(1),
    )
    .ok()?;
    let mut members = Vec::new();
    let mut products: Vec<Product> = Vec::new();
    for (at, candidate) in candidates.iter().enumerate() {
        if candidate.subject.is_ok() {
            members.push(at);
            products.push(featured.product_of(&candidate.mutations)?);
        }
    }
    Some((Family::new(&featured, &products), members))
}

/// Number of random plays in which a failing run is sought.
const MOST_PLAYS: u64 = 1_000;

/// A test that fails on the specification.
#[derive(Clone, Debug)]
pub struct Stale {
    /// Its id.
    pub test: String,
    /// Whether every run of the specification fails it.
    pub always: bool,
    /// A failing run; empty if no random play found one.
    pub log: Vec<Event>,
}

/// The first of `tests` that some run of the specification fails.
///
/// # Errors
/// If bounds of tests are too fine to be compared exactly, or a limit is hit.
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
