//! A suite made one test after the other, each chosen for the mutants that are still alive (\[002\]).
//!
//! Every test is executed once against all mutants together. The next test is taken from the tests of a few living
//! mutants: the one that kills most of the living. Then it is extended, within the same run, for further mutants, as
//! long as an extension takes no more steps than a new test would, which would also need a reset.

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use super::candidate::Candidate;
use super::generate::{Generated, KillOutcome, SuiteRequest, outcome, remark, surest};
use super::suite_options::KillGoal;
use super::target::Target;
use crate::Progress;
use crate::error::Result;
use crate::suite_json::SuiteMutant;
use tamper_suite::{CompiledTest, Draft, Kill, KillMatrix, Style, SuiteFailure, TestCase, kills_weakly};

/// Number of living mutants whose tests are compared.
const POOL: usize = 8;

/// Largest number of clocks of a test while it is made: each mutant that it is extended for brings its own.
const MOST_CLOCKS: usize = 40;

/// The outcome for a mutant, and the kills of its test.
type OutcomeWithKills = (KillOutcome, Option<KillRow>);

struct Fly<'a> {
    asked: SuiteRequest<'a>,
    target: Target,
    outcomes: Vec<Option<OutcomeWithKills>>,
    /// The mutants that are alive and may be killed.
    open: Vec<usize>,
    /// The union of the kills of all tests so far.
    so_far: KillRow,
}

/// The kills of one or more tests: the mutants on which they can fail, and the mutants on which they always fail.
#[derive(Clone)]
struct KillRow {
    can_fail: FixedBitSet,
    must_fail: FixedBitSet,
}

/// A test and its kills.
struct Grown {
    test: TestCase,
    row: KillRow,
}

/// A suite made one test after the other, and the kill matrix of its tests.
pub(super) fn on_the_fly(asked: SuiteRequest<'_>, progress: Progress<'_>) -> Result<(Generated, KillMatrix)> {
    let n_candidates = asked.candidates.len();
    let nobody = FixedBitSet::with_capacity(n_candidates);
    let mut fly = Fly {
        asked,
        target: asked.target(),
        outcomes: asked.candidates.iter().map(|_| None).collect(),
        open: (0..n_candidates).collect(),
        so_far: KillRow {
            can_fail: nobody.clone(),
            must_fail: nobody,
        },
    };
    let (mut tests, mut rows) = (Vec::new(), Vec::new());
    while let Some((best, first)) = fly.best()? {
        // The mutant is taken once, whatever its test is worth.
        fly.open.retain(|mutant| *mutant != best);
        let grown = fly.grow(best, first)?;
        fly.takes(&grown.row);
        tests.push(grown.test);
        rows.push(grown.row);
        progress((n_candidates - fly.open.len()) as u64);
    }
    let mut suite = Generated::of(tests, fly.mutants());
    let (can_fail, must_fail) = rows.into_iter().map(|row| (row.can_fail, row.must_fail)).unzip();
    let matrix = KillMatrix { can_fail, must_fail };
    suite.name_tests(&matrix, asked.options.wanted);
    Ok((suite, matrix))
}

/// Adds a remark to mutants on which no test fails, by `matrix`, if a test brings them into another state (a weak
/// kill).
pub(super) fn note_weak_kills(asked: SuiteRequest<'_>, suite: &mut Generated, matrix: &KillMatrix) -> Result<()> {
    let fails = matrix.killed(Kill::Potential);
    let compiled: Vec<CompiledTest> = suite
        .tests
        .iter()
        .map(CompiledTest::in_own_unit)
        .collect::<Result<_, SuiteFailure>>()?;
    let budget = asked.timer.budget();
    let first = |at: usize| -> Result<Option<usize>, SuiteFailure> {
        let subject = match &asked.candidates[at].subject {
            Ok(subject) if !fails.contains(at) && !asked.candidates[at].is_one_run => subject,
            _ => return Ok(None),
        };
        for (position, test) in compiled.iter().enumerate() {
            if kills_weakly(test, asked.tester.spec(), subject, &budget)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    };
    let found: Vec<_> = (0..suite.mutants.len()).into_par_iter().map(first).collect();
    let mut n_weak = 0;
    for (mutant, found) in suite.mutants.iter_mut().zip(found) {
        match found {
            Ok(None) => {}
            Ok(Some(position)) => {
                n_weak += 1;
                let id = &suite.tests[position].id;
                let weakly = format!("test {id} brings it into another state, which nothing shows: a weak kill");
                remark(mutant, &weakly);
            }
            Err(failure) => remark(
                mutant,
                &format!("whether a test brings it into another state is open: {failure}"),
            ),
        }
    }
    suite.only_weakly = Some(n_weak);
    Ok(())
}

impl Fly<'_> {
    /// Whether the kills `row` include the mutant in the required strength. If tests that always fail are preferred, a
    /// mutant that can only fail counts as killed if no test always fails on it.
    fn is_killed_by(&self, row: &KillRow, mutant: usize) -> bool {
        let is_all =
            || matches!(&self.outcomes[mutant], Some((outcome, _)) if outcome.killable == Kill::Potential.name());
        match self.asked.options.wanted {
            KillGoal::Potential => row.can_fail.contains(mutant),
            // If blind tests are requested, all tests are blind.
            KillGoal::Definite | KillGoal::Blind => row.must_fail.contains(mutant),
            KillGoal::Both => row.must_fail.contains(mutant) || (row.can_fail.contains(mutant) && is_all()),
        }
    }

    /// The mutant whose test, among the tests of the next living mutants, kills most of the living; and this test.
    fn best(&mut self) -> Result<Option<(usize, Grown)>> {
        let pool = self.pool(None)?;
        let found = |mutant: usize| match &self.outcomes[mutant] {
            Some((outcome, Some(row))) => outcome.test.as_ref().map(|test| (test, row)),
            _ => None,
        };
        let alive = |mutant: &usize| found(*mutant).map_or(0, |(_, row)| self.living(row));
        // The first one of equals.
        let best = pool.iter().rev().max_by_key(|mutant| alive(mutant)).copied();
        Ok(best.and_then(|best| {
            let (test, row) = found(best)?;
            let (test, row) = (test.clone(), row.clone());
            Some((best, Grown { test, row }))
        }))
    }

    /// The next living mutants that have a test. Mutants that turn out to be killed, or that cannot be killed, are
    /// removed from the open ones.
    fn pool(&mut self, besides: Option<&KillRow>) -> Result<Vec<usize>> {
        let mut pool: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < self.open.len() && pool.len() < POOL {
            let mutant = self.open[at];
            if !self.ask(mutant)? || self.is_killed_by(&self.so_far, mutant) {
                self.open.remove(at);
                continue;
            }
            if besides.is_none_or(|row| !self.is_killed_by(row, mutant)) {
                pool.push(mutant);
            }
            at += 1;
        }
        Ok(pool)
    }

    /// Adds the kills of a new test to the union, and removes the killed mutants from the open ones.
    fn takes(&mut self, row: &KillRow) {
        self.so_far.can_fail.union_with(&row.can_fail);
        self.so_far.must_fail.union_with(&row.must_fail);
        let mut open = std::mem::take(&mut self.open);
        open.retain(|mutant| !self.is_killed_by(&self.so_far, *mutant));
        self.open = open;
    }

    /// Determines the outcome for a mutant; returns whether it has a test.
    fn ask(&mut self, mutant: usize) -> Result<bool> {
        if self.outcomes[mutant].is_none() {
            let outcome = outcome(self.asked, &self.asked.candidates[mutant]);
            let row = outcome.test.as_ref().map(|test| self.row(test)).transpose()?;
            self.outcomes[mutant] = Some((outcome, row));
        }
        Ok(matches!(&self.outcomes[mutant], Some((_, Some(_)))))
    }

    /// The kills of a test.
    fn row(&self, test: &TestCase) -> Result<KillRow> {
        let matrix = self.target.executed(std::slice::from_ref(test), self.asked.timer)?;
        let row = |rows: Vec<FixedBitSet>| rows.into_iter().next().unwrap_or_default();
        Ok(KillRow {
            can_fail: row(matrix.can_fail),
            must_fail: row(matrix.must_fail),
        })
    }

    fn living(&self, row: &KillRow) -> usize {
        let is_killed = |mutant: &&usize| self.is_killed_by(row, **mutant);
        self.open.iter().filter(is_killed).count()
    }

    /// The test of mutant `best`, extended for other mutants while that pays.
    fn grow(&mut self, best: usize, first: Grown) -> Result<Grown> {
        let mut grown = first;
        if grown.test.style != Style::Cooperative {
            return Ok(grown);
        }
        let Ok(subject) = &self.asked.candidates[best].subject else {
            return Ok(grown);
        };
        let draft = self
            .asked
            .tester
            .draft(subject, self.asked.options.pick, &self.asked.timer.budget());
        let mut draft = match draft {
            Ok(Some(draft)) => draft,
            // Without a draft the test stays unchanged.
            Ok(None) | Err(_) => return Ok(grown),
        };
        while draft.n_clocks() <= MOST_CLOCKS {
            let pool = self.pool(Some(&grown.row))?;
            let tries: Vec<Option<(Draft, Grown)>> = pool
                .par_iter()
                .map(|mutant| self.try_for(best, *mutant, &draft, &grown))
                .collect::<Result<_>>()?;
            let gain = |(_, grown): &(Draft, Grown)| (self.living(&grown.row), usize::MAX - grown.test.n_steps());
            let Some((longer, better)) = tries.into_iter().flatten().rev().max_by_key(gain) else {
                break;
            };
            (draft, grown) = (longer, better);
        }
        Ok(grown)
    }

    /// The test for mutant `first`, extended for one more mutant; `None` unless it then kills both and more of the open
    /// ones than before, in no more additional steps than that mutant's own test has. It may lose kills: of mutants
    /// that only a wait at its former end shows.
    fn try_for(&self, first: usize, mutant: usize, draft: &Draft, before: &Grown) -> Result<Option<(Draft, Grown)>> {
        let (Ok(subject), Some((outcome, _))) = (&self.asked.candidates[mutant].subject, &self.outcomes[mutant]) else {
            return Ok(None);
        };
        let Some(own) = outcome.test.as_ref().filter(|test| test.style == Style::Cooperative) else {
            return Ok(None);
        };
        let longer = self.asked.tester.extend(draft, subject, &self.asked.timer.budget());
        let (longer, test) = match longer {
            Ok(Some(longer)) => match self.asked.tester.finish(&longer, &self.asked.timer.budget()) {
                Ok(test) => (longer, test),
                Err(_) => return Ok(None),
            },
            Ok(None) | Err(_) => return Ok(None),
        };
        if test.n_steps() > before.test.n_steps() + own.n_steps() {
            return Ok(None);
        }
        let row = self.row(&test)?;
        let kills_both = [first, mutant].into_iter().all(|each| self.is_killed_by(&row, each));
        let is_better = kills_both && self.living(&row) > self.living(&before.row);
        Ok(is_better.then_some((longer, Grown { test, row })))
    }

    fn mutants(&self) -> Vec<SuiteMutant> {
        let mutants = self.asked.candidates.iter().zip(&self.outcomes);
        let mutant = |(candidate, known): (&Candidate, &Option<OutcomeWithKills>)| {
            let (killable, reason) = match known {
                Some((outcome, _)) => (outcome.killable, outcome.reason.clone()),
                None if self.asked.options.wanted == KillGoal::Potential => (
                    Kill::Potential.name(),
                    Some("killed by a test for another mutant; how surely was not asked".to_owned()),
                ),
                // Nothing had to be determined: a test for another mutant always fails on it.
                None => (surest(self.asked.options.wanted), None),
            };
            SuiteMutant {
                id: candidate.id.clone(),
                killable: killable.to_owned(),
                test: None,
                reason,
            }
        };
        mutants.map(mutant).collect()
    }
}
