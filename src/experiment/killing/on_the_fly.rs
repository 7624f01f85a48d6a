//! A suite made one test after the other, each chosen for the mutants that are still alive (\[002\]).
//!
//! Every test is executed once against all mutants together. The next one is, of the tests of a few living mutants, that
//! which kills most of the living; then it is led on, in the same run, for others, as long as that takes no more
//! steps than a new test for them would, which would need a reset besides.

use anyhow::Result;
use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use super::candidates::Candidate;
use super::generate::{Asked, Generated, Outcome, Wanted, outcome, remark};
use super::score::Target;
use crate::formats::suite_json::SuiteMutant;
use crate::suite::{CompiledTest, Draft, Style, SuiteFailure, TestCase, kills_weakly};

/// How many of the living mutants' tests are compared.
const POOL: usize = 8;

/// Most clocks of a test while it is made: each mutant that it is led on for brings its own.
const MOST_CLOCKS: usize = 40;

/// What is known about a mutant: what can be done about it, and whom its test kills.
type Known = (Outcome, Option<FixedBitSet>);

struct Fly<'a> {
    asked: Asked<'a>,
    target: Target,
    outcomes: Vec<Option<Known>>,
    /// The mutants that are alive and may be killed.
    open: Vec<usize>,
}

/// A test and whom it kills.
struct Grown {
    test: TestCase,
    kills: FixedBitSet,
}

/// A suite as [`super::generate`] makes it, one test after the other.
pub(super) fn on_the_fly(asked: Asked<'_>, progress: &(dyn Fn(u64) + Sync)) -> Result<Generated> {
    let candidates = asked.candidates;
    let mut fly = Fly {
        asked,
        target: asked.target(),
        outcomes: candidates.iter().map(|_| None).collect(),
        open: (0..candidates.len()).collect(),
    };
    let (mut tests, mut rows) = (Vec::new(), Vec::new());
    while let Some((best, first)) = fly.best()? {
        fly.open
            .retain(|mutant| *mutant != best && !first.kills.contains(*mutant));
        let grown = fly.grow(best, first)?;
        fly.open.retain(|mutant| !grown.kills.contains(*mutant));
        tests.push(grown.test);
        rows.push(grown.kills);
        progress((candidates.len() - fly.open.len()) as u64);
    }
    let mut suite = Generated::of(tests, fly.mutants(&rows));
    suite.name_tests(&rows);
    fly.note_weak_kills(&mut suite)?;
    Ok(suite)
}

impl Fly<'_> {
    /// Of the tests of the next living mutants the one that kills most of the living, and whose test it is.
    fn best(&mut self) -> Result<Option<(usize, Grown)>> {
        let mut pool: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < self.open.len() && pool.len() < POOL {
            let mutant = self.open[at];
            if self.ask(mutant)? {
                pool.push(mutant);
                at += 1;
            } else {
                self.open.remove(at);
            }
        }
        let found = |mutant: usize| match &self.outcomes[mutant] {
            Some((outcome, Some(kills))) => outcome.test.as_ref().map(|test| (test, kills)),
            _ => None,
        };
        let alive = |mutant: &usize| found(*mutant).map_or(0, |(_, kills)| self.living(kills));
        // Of equals the first.
        let best = pool.iter().rev().max_by_key(|mutant| alive(mutant)).copied();
        Ok(best.and_then(|best| {
            let (test, kills) = found(best)?;
            let (test, kills) = (test.clone(), kills.clone());
            Some((best, Grown { test, kills }))
        }))
    }

    /// Finds out what can be done about a mutant; whether there is a test for it.
    fn ask(&mut self, mutant: usize) -> Result<bool> {
        if self.outcomes[mutant].is_none() {
            let outcome = outcome(self.asked, &self.asked.candidates[mutant]);
            let kills = match &outcome.test {
                Some(test) => {
                    let kills = self.target.kills(std::slice::from_ref(test), self.asked.timer)?;
                    kills.into_iter().next()
                }
                None => None,
            };
            self.outcomes[mutant] = Some((outcome, kills));
        }
        Ok(matches!(&self.outcomes[mutant], Some((_, Some(_)))))
    }

    fn living(&self, kills: &FixedBitSet) -> usize {
        self.open.iter().filter(|mutant| kills.contains(**mutant)).count()
    }

    /// The test of mutant `best` led on for others while that pays.
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
            .draft(subject, self.asked.wish.pick, &self.asked.timer.budget());
        let mut draft = match draft {
            Ok(Some(draft)) => draft,
            // Without it the test stays as it is.
            Ok(None) | Err(_) => return Ok(grown),
        };
        while draft.n_clocks() <= MOST_CLOCKS {
            let mut pool = Vec::new();
            for mutant in self.open.clone() {
                if pool.len() == POOL {
                    break;
                }
                if !grown.kills.contains(mutant) && self.ask(mutant)? {
                    pool.push(mutant);
                }
            }
            let tries: Vec<Option<(Draft, Grown)>> = pool
                .par_iter()
                .map(|mutant| self.try_for(*mutant, &draft, &grown))
                .collect::<Result<_>>()?;
            let gain = |(_, grown): &(Draft, Grown)| (self.living(&grown.kills), usize::MAX - grown.test.n_steps());
            let Some((longer, better)) = tries.into_iter().flatten().rev().max_by_key(gain) else {
                break;
            };
            (draft, grown) = (longer, better);
        }
        Ok(grown)
    }

    /// The test led on for one more mutant, if it then kills it and all that it killed, in no more additional steps than that
    /// mutant's own test has.
    fn try_for(&self, mutant: usize, draft: &Draft, before: &Grown) -> Result<Option<(Draft, Grown)>> {
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
        let rows = self.target.kills(std::slice::from_ref(&test), self.asked.timer)?;
        let kills = rows.into_iter().next();
        let kills = kills.filter(|kills| kills.contains(mutant) && before.kills.is_subset(kills));
        Ok(kills.map(|kills| (longer, Grown { test, kills })))
    }

    fn mutants(&self, rows: &[FixedBitSet]) -> Vec<SuiteMutant> {
        let mutants = self.asked.candidates.iter().zip(&self.outcomes).enumerate();
        let mutant = |(at, (candidate, known)): (usize, (&Candidate, &Option<Known>))| {
            let killed = rows.iter().any(|row| row.contains(at));
            let (killable, reason) = match known {
                Some((outcome, _)) => (outcome.killable, outcome.reason.clone()),
                None if killed && self.asked.wish.wanted == Wanted::Definite => ("definite", None),
                None => (
                    "potential",
                    Some("killed by a test for another mutant; how surely was not asked".to_owned()),
                ),
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

    /// Says of mutants that no test fails on which test brings them into another state (a weak kill).
    fn note_weak_kills(&self, suite: &mut Generated) -> Result<()> {
        let compiled: Vec<CompiledTest> = suite
            .tests
            .iter()
            .map(CompiledTest::in_own_unit)
            .collect::<Result<_, SuiteFailure>>()?;
        let budget = self.asked.timer.budget();
        let first = |(at, mutant): (usize, &SuiteMutant)| -> Result<Option<usize>, SuiteFailure> {
            let Some(subject) = self.asked.candidates[at]
                .subject
                .as_ref()
                .ok()
                .filter(|_| mutant.test.is_none())
            else {
                return Ok(None);
            };
            for (position, test) in compiled.iter().enumerate() {
                if kills_weakly(test, self.asked.tester.spec(), subject, &budget)? {
                    return Ok(Some(position));
                }
            }
            Ok(None)
        };
        let found: Vec<_> = suite.mutants.par_iter().enumerate().map(first).collect();
        let mut n_weak = 0;
        for (mutant, found) in suite.mutants.iter_mut().zip(found) {
            // A limit that is hit leaves the mutant without this remark.
            if let Ok(Some(position)) = found {
                n_weak += 1;
                let id = &suite.tests[position].id;
                let weakly = format!("test {id} brings it into another state, which nothing shows: a weak kill");
                remark(mutant, &weakly);
            }
        }
        suite.only_weakly = Some(n_weak);
        Ok(())
    }
}
