//! As few tests as can be found, each as long as it has to be: walks, led on from mutant to mutant as long as some mutant that
//! is alive can still be shown.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use super::generate::{Asked, Generated, outcome, per_mutant};
use super::target::{Chosen, Target};
use super::wish::{KillGoal, SuiteOptions};
use crate::error::Result;
use crate::suite_json::SuiteMutant;
use crate::{Progress, largest_constant};
use tamper_suite::{
    Extension, Kill, MutantEstimate, Pick, Reach, SearchLimits, Site, Style, Subject, TargetMutant, TestCase, TestTrace,
};

struct Walks<'a> {
    asked: Asked<'a>,
    target: Target,
    /// The delays of the walks.
    pick: Pick,
    /// How many nodes of the specification can be reached from each.
    reach: Reach,
}

/// A mutant that is alive beside the present walk.
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

/// A suite of walks, and of tests for single mutants where no walk shows them: of tests of one trace, which can fail, whatever
/// is wished.
pub(super) fn fewest(asked: Asked<'_>, progress: Progress<'_>) -> Result<Generated> {
    let wish = SuiteOptions {
        wanted: KillGoal::Potential,
        style: Style::Adaptive,
        ..asked.wish.clone()
    };
    let asked = Asked { wish: &wish, ..asked };
    let all = per_mutant(asked, &outcome, &|_| ());
    let mut walks = Walks {
        asked,
        target: asked.target(),
        pick: wish.pick,
        reach: Reach::default(),
    };
    let bound = apart(asked, &all.mutants).len();
    let mut open = FixedBitSet::with_capacity(all.mutants.len());
    open.extend((0..all.mutants.len()).filter(|at| all.mutants[*at].test.is_some()));
    let mut pool = all.tests;
    if wish.rounds > 1 {
        // Tests for single mutants go round once: they are for those that no walk shows.
        let long = walks.all(&open, wish.pick, progress);
        let shown = walks.target.executed(&long, asked.timer)?.killed(Kill::Potential);
        let is_left = |test: &TestCase| {
            let mut left = open.difference(&shown);
            left.any(|at| all.mutants[at].test.as_ref() == Some(&test.id))
        };
        pool.retain(is_left);
        pool.extend(long);
    }
    let mut matrix = walks.target.executed(&pool, asked.timer)?;
    let mut found = Chosen::of(&pool, &matrix, &wish);
    // Other delays lead elsewhere: they are tried while fewer tests may do.
    let others = [Pick::Earliest, Pick::Middle, Pick::Latest]
        .into_iter()
        .filter(|pick| *pick != wish.pick);
    for pick in [wish.pick].into_iter().chain(others) {
        if found.tests.len() > bound && !asked.timer.is_over() {
            let more = walks.all(&open, pick, progress);
            matrix.extend(walks.target.executed(&more, asked.timer)?);
            pool.extend(more);
            found = Chosen::of(&pool, &matrix, &wish);
        }
    }
    let Chosen { tests, matrix, .. } = found;
    let bound = Some((bound as u64, bound == tests.len()));
    let mut suite = Generated {
        bound,
        ..Generated::of(tests, all.mutants)
    };
    suite.name_tests(&matrix, asked.wish.wanted);
    Ok(suite)
}

/// Mutants that need a test each, as no trace shows two of them, by their positions.
fn apart(asked: Asked<'_>, mutants: &[SuiteMutant]) -> Vec<usize> {
    let sites = |at: usize| {
        let subject = asked.candidates[at].subject.as_ref().ok()?;
        // Of a mutant that is too large nothing is said.
        asked.tester.sites(subject, &asked.timer.budget()).ok()
    };
    let killed = (0..mutants.len())
        .into_par_iter()
        .filter(|at| mutants[*at].test.is_some());
    let (positions, sites): (Vec<usize>, Vec<BTreeSet<Site>>) = killed.filter_map(|at| Some((at, sites(at)?))).unzip();
    let found = asked.tester.apart(&sites, asked.wish.max_nodes, &asked.timer.budget());
    found.into_iter().map(|at| positions[at]).collect()
}

impl<'a> Walks<'a> {
    /// Walks for all of `open`, as far as some walk kills them.
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

    /// One more walk, and which mutants it kills; none if it would kill none of the open ones.
    fn next(&mut self, open: &FixedBitSet, progress: Progress<'_>) -> Option<(TestCase, FixedBitSet)> {
        let tester = self.asked.tester;
        let mut walk = tester.walk();
        let mut alive = self.alive(open, |subject| Some(MutantEstimate::start(subject)));
        let n_candidates = self.asked.candidates.len();
        let done = |killed: &FixedBitSet| progress((n_candidates - open.difference(killed).count()) as u64);
        let mut n_legs = 0;
        while let Some((shown, leg)) = self.nearest(&walk, &alive) {
            tester.go_on(&mut walk, &leg);
            alive.swap_remove(shown);
            alive
                .par_iter_mut()
                .for_each(|alive| alive.followed.follow(alive.subject, &walk));
            n_legs += 1;
            // Whom the walk kills besides.
            if n_legs % 8 == 0 {
                let killed = self.killed(&tester.walked(&walk).ok()?)?;
                alive.retain(|alive| !killed.contains(alive.mutant));
                done(&killed);
            }
        }
        for _ in 1..self.asked.wish.rounds {
            if !self.go_round(&mut walk, open) {
                break;
            }
        }
        let test = tester.walked(&walk).ok()?;
        let killed = self.killed(&test)?;
        done(&killed);
        (!killed.is_disjoint(open)).then_some((test, killed))
    }

    /// The mutants that are to be shown, each where it may be.
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

    /// Leads the walk to all of `open` once more, after a rest, each as if it had been right so far; whether it could rest.
    fn go_round(&mut self, walk: &mut TestTrace, open: &FixedBitSet) -> bool {
        let tester = self.asked.tester;
        let longest = largest_constant(tester.automaton()).saturating_add(1);
        let can_rest = u32::try_from(longest).is_ok_and(|longest| tester.rest(walk, longest));
        if !can_rest {
            return false;
        }
        let mut alive = self.alive(open, |subject| tester.beside(subject, walk));
        while let Some((shown, leg)) = self.nearest(walk, &alive) {
            alive.swap_remove(shown);
            let could_show = |alive: &Alive<'_>| tester.could_show(walk, &leg, alive.sought());
            let is_left: Vec<bool> = alive.par_iter().map(|alive| !could_show(alive)).collect();
            tester.go_on(walk, &leg);
            let mut is_left = is_left.into_iter();
            alive.retain(|_| is_left.next().unwrap_or(true));
            alive
                .par_iter_mut()
                .for_each(|alive| alive.followed.follow(alive.subject, walk));
        }
        true
    }

    /// The mutants that a walk kills; none where executing it hits a limit: then it is no test to be kept.
    fn killed(&self, test: &TestCase) -> Option<FixedBitSet> {
        let executed = self.target.executed(std::slice::from_ref(test), self.asked.timer);
        executed.ok()?.can_fail.into_iter().next()
    }

    /// The shortest way on that shows a mutant that is alive, and which.
    fn nearest(&mut self, walk: &TestTrace, alive: &[Alive<'_>]) -> Option<(usize, Extension)> {
        let Asked { tester, timer, .. } = self.asked;
        let sought: Vec<TargetMutant<'_>> = alive.iter().map(Alive::sought).collect();
        let limits = SearchLimits {
            is_over: &|| timer.is_over(),
            budget: &|| timer.budget(),
        };
        tester.nearest(walk, &sought, self.pick, &mut self.reach, limits)
    }
}
