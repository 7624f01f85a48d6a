//! A suite of as few tests as can be found, each as long as necessary: walks that are extended from mutant to mutant as
//! long as some mutant can still be shown.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use super::generate::{Generated, SuiteRequest, outcome, per_mutant};
use super::suite_options::{KillGoal, SuiteOptions};
use super::target::{ChosenTests, Target};
use crate::error::Result;
use crate::suite_json::SuiteMutant;
use crate::{Progress, largest_constant};
use tamper_suite::{
    Extension, Kill, MutantEstimate, Pick, Reach, SearchLimits, Site, Style, Subject, TargetMutant, TestCase, TestTrace,
};

struct Walks<'a> {
    asked: SuiteRequest<'a>,
    target: Target,
    /// Delays of the walks.
    pick: Pick,
    /// Number of nodes of the specification that are reachable from each node.
    reach: Reach,
}

/// A mutant that the present walk has not shown yet.
struct Alive<'a> {
    mutant: usize,
    subject: &'a Subject,
    followed: MutantEstimate,
}

impl Alive<'_> {
    fn sought(&self) -> TargetMutant<'_> {
        TargetMutant {
            subject: self.subject,
            followed: &self.followed,
        }
    }
}

/// A suite of walks, and of tests for single mutants that no walk shows. Whatever `options` demands, the tests are single
/// traces that can fail.
pub(super) fn fewest(asked: SuiteRequest<'_>, progress: Progress<'_>) -> Result<Generated> {
    let options = SuiteOptions {
        wanted: KillGoal::Potential,
        style: Style::Adaptive,
        ..asked.options.clone()
    };
    let asked = SuiteRequest {
        options: &options,
        ..asked
    };
    let all = per_mutant(asked, &outcome, &|_| ());
    let mut walks = Walks {
        asked,
        target: asked.target(),
        pick: options.pick,
        reach: Reach::default(),
    };
    let bound = apart(asked, &all.mutants).len();
    let mut open = FixedBitSet::with_capacity(all.mutants.len());
    open.extend((0..all.mutants.len()).filter(|at| all.mutants[*at].test.is_some()));
    let mut pool = all.tests;
    if options.rounds > 1 {
        // Tests for single mutants do not make several rounds, so they are kept only for mutants that no walk shows.
        let long = walks.all(&open, options.pick, progress);
        let shown = walks.target.executed(&long, asked.timer)?.killed(Kill::Potential);
        let is_left = |test: &TestCase| {
            let mut left = open.difference(&shown);
            left.any(|at| all.mutants[at].test.as_ref() == Some(&test.id))
        };
        pool.retain(is_left);
        pool.extend(long);
    }
    let mut matrix = walks.target.executed(&pool, asked.timer)?;
    let mut found = ChosenTests::of(&pool, &matrix, &options);
    // Other delays reach other states: they are tried while fewer tests may suffice.
    let others = [Pick::Earliest, Pick::Middle, Pick::Latest]
        .into_iter()
        .filter(|pick| *pick != options.pick);
    for pick in [options.pick].into_iter().chain(others) {
        if found.tests.len() > bound && !asked.timer.is_over() {
            let more = walks.all(&open, pick, progress);
            matrix.extend(walks.target.executed(&more, asked.timer)?);
            pool.extend(more);
            found = ChosenTests::of(&pool, &matrix, &options);
        }
    }
    let ChosenTests { tests, matrix, .. } = found;
    let bound = Some((bound as u64, bound == tests.len()));
    let mut suite = Generated {
        bound,
        ..Generated::of(tests, all.mutants)
    };
    suite.name_tests(&matrix, asked.options.wanted);
    Ok(suite)
}

/// Positions of mutants that need one test each, because no trace shows two of them.
fn apart(asked: SuiteRequest<'_>, mutants: &[SuiteMutant]) -> Vec<usize> {
    let sites = |at: usize| {
        let candidate = &asked.candidates[at];
        let subject = candidate.subject.as_ref().ok()?;
        if candidate.is_one_run {
            return None;
        }
        // Left out are mutants that exceed the limits, and mutants that others may show by unknown runs.
        asked.tester.sites(subject, &asked.timer.budget()).ok()
    };
    let killed = (0..mutants.len())
        .into_par_iter()
        .filter(|at| mutants[*at].test.is_some());
    let (positions, sites): (Vec<usize>, Vec<BTreeSet<Site>>) = killed.filter_map(|at| Some((at, sites(at)?))).unzip();
    let found = asked
        .tester
        .apart(&sites, asked.options.max_nodes, &asked.timer.budget());
    found.into_iter().map(|at| positions[at]).collect()
}

impl<'a> Walks<'a> {
    /// Walks that together kill all mutants of `open` that some walk kills.
    fn all(&mut self, open: &FixedBitSet, pick: Pick, progress: Progress<'_>) -> Vec<TestCase> {
        self.pick = pick;
        let mut open = open.clone();
        let mut tests = Vec::new();
        while let Some((test, killed)) = self.next(&open, progress) {
            open.difference_with(&killed);
            tests.push(test);
        }
        tests
    }

    /// The next walk, and the mutants that it kills; `None` if it would kill no open one.
    fn next(&mut self, open: &FixedBitSet, progress: Progress<'_>) -> Option<(TestCase, FixedBitSet)> {
        let tester = self.asked.tester;
        let mut walk = tester.walk();
        let mut alive = self.alive(open, |subject| Some(MutantEstimate::start(subject)));
        let n_candidates = self.asked.candidates.len();
        let done = |killed: &FixedBitSet| progress((n_candidates - open.difference(killed).count()) as u64);
        let mut n_legs = 0;
        while let Some((shown, extension)) = self.nearest(&walk, &alive) {
            tester.go_on(&mut walk, &extension);
            alive.swap_remove(shown);
            alive
                .par_iter_mut()
                .for_each(|alive| alive.followed.follow(alive.subject, &walk));
            n_legs += 1;
            // The other mutants that the walk kills.
            if n_legs % 8 == 0 {
                let killed = self.killed(&tester.walked(&walk).ok()?)?;
                alive.retain(|alive| !killed.contains(alive.mutant));
                done(&killed);
            }
        }
        for _ in 1..self.asked.options.rounds {
            if !self.go_round(&mut walk, open) {
                break;
            }
        }
        let test = tester.walked(&walk).ok()?;
        let killed = self.killed(&test)?;
        done(&killed);
        (!killed.is_disjoint(open)).then_some((test, killed))
    }

    /// The open mutants, each with the states that `place` assigns to it.
    fn alive(&self, open: &FixedBitSet, place: impl Fn(&Subject) -> Option<MutantEstimate>) -> Vec<Alive<'a>> {
        let candidates = self.asked.candidates;
        let one = |mutant: usize| {
            let subject: &Subject = candidates[mutant].subject.as_ref().ok()?;
            Some(Alive {
                mutant,
                subject,
                followed: place(subject)?,
            })
        };
        open.ones().filter_map(one).collect()
    }

    /// Extends the walk to all of `open` once more, after a rest, as if each mutant had behaved correctly so far.
    /// Returns false if the walk cannot rest.
    fn go_round(&mut self, walk: &mut TestTrace, open: &FixedBitSet) -> bool {
        let tester = self.asked.tester;
        let longest = largest_constant(tester.automaton()).saturating_add(1);
        let can_rest = u32::try_from(longest).is_ok_and(|longest| tester.rest(walk, longest));
        if !can_rest {
            return false;
        }
        let mut alive = self.alive(open, |subject| tester.beside(subject, walk));
        while let Some((shown, extension)) = self.nearest(walk, &alive) {
            alive.swap_remove(shown);
            let could_show = |alive: &Alive<'_>| tester.could_show(walk, &extension, alive.sought());
            let is_left: Vec<bool> = alive.par_iter().map(|alive| !could_show(alive)).collect();
            tester.go_on(walk, &extension);
            let mut is_left = is_left.into_iter();
            alive.retain(|_| is_left.next().unwrap_or(true));
            alive
                .par_iter_mut()
                .for_each(|alive| alive.followed.follow(alive.subject, walk));
        }
        true
    }

    /// The mutants that a walk kills; `None` if executing it hits a limit: then it is not kept as a test.
    fn killed(&self, test: &TestCase) -> Option<FixedBitSet> {
        let executed = self.target.executed(std::slice::from_ref(test), self.asked.timer);
        executed.ok()?.can_fail.into_iter().next()
    }

    /// The shortest extension that shows a mutant of `alive`, and the position of this mutant.
    fn nearest(&mut self, walk: &TestTrace, alive: &[Alive<'_>]) -> Option<(usize, Extension)> {
        let SuiteRequest { tester, timer, .. } = self.asked;
        let sought: Vec<TargetMutant<'_>> = alive.iter().map(Alive::sought).collect();
        let limits = SearchLimits {
            is_over: &|| timer.is_over(),
            budget: &|| timer.budget(),
        };
        tester.nearest(walk, &sought, self.pick, &mut self.reach, limits)
    }
}
