//! The tests to run, and the manner of running them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::adaptive::AdaptiveTests;
use super::failure_location::Place;
use super::finding::Finding;
use super::judged::LogJudge;
use tamper_suite::{Driven, TestCase, Words};

/// All tests that a program is put through.
#[derive(Debug)]
pub enum Trials {
    /// The tests of a suite.
    Suite(Vec<TestCase>),
    /// Random tests; a run of them needs a judge.
    Random(RandomTests),
    /// Tests that plan while they run; they need a judge, too.
    Adaptive(Arc<AdaptiveTests>),
}

/// The choice of random tests, and their number.
#[derive(Clone, Debug)]
pub struct RandomTests {
    /// The seed; the same seed draws the same tests.
    pub seed: u64,
    /// Maximum number of tests, if that is limited.
    pub most: Option<u64>,
    /// The time at which the last test ends, if that is limited.
    pub until: Option<Instant>,
    /// Number of inputs and outputs after which no test begins, if that is limited.
    pub events: Option<usize>,
    /// The longest wait in a test, in time units.
    pub longest: u32,
}

/// One of the tests.
#[derive(Clone, Copy)]
pub(super) enum Trial<'t> {
    Test(&'t TestCase),
    /// A random test, by its number from 1.
    Random(&'t RandomTests, u64),
    /// An adaptive test, by its position.
    Adaptive(&'t AdaptiveTests, usize),
}

impl Trials {
    /// The position of the next trial of an instance of the program that had `done` of them. Tests that are not adaptive take their
    /// positions from `next`.
    pub(super) fn next(&self, next: &AtomicUsize, instance: usize, done: usize) -> Option<usize> {
        match self {
            Self::Adaptive(tests) => tests.next(instance, done),
            _ => Some(next.fetch_add(1, Ordering::Relaxed)),
        }
    }

    /// The trial at that position, when the tests before it have seen `n_seen` inputs and outputs.
    pub(super) fn get(&self, at: usize, n_seen: usize) -> Option<Trial<'_>> {
        match self {
            Self::Suite(tests) => tests.get(at).map(Trial::Test),
            Self::Random(tests) => {
                let number = at as u64 + 1;
                let is_enough = tests.events.is_some_and(|events| n_seen >= events);
                let is_over = is_enough || tests.is_over() || tests.most.is_some_and(|most| number > most);
                (!is_over).then_some(Trial::Random(tests, number))
            }
            Self::Adaptive(tests) => Some(Trial::Adaptive(tests, at)),
        }
    }
}

impl RandomTests {
    /// Whether the time is up.
    pub(super) fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// The seed of the test with that number.
    pub(super) fn seed_of(&self, number: u64) -> u64 {
        self.seed.rotate_left(32) ^ number
    }
}

impl Trial<'_> {
    pub fn id(&self) -> String {
        match self {
            Self::Test(test) => test.id.clone(),
            Self::Random(_, number) => format!("random-{number}"),
            Self::Adaptive(tests, at) => tests.id(*at),
        }
    }

    /// The mutants that it is made to show, or has come to.
    pub fn purpose(&self) -> Vec<String> {
        match self {
            Self::Test(test) => test.targets.clone(),
            Self::Random(..) => Vec::new(),
            Self::Adaptive(tests, at) => tests.came_to(*at),
        }
    }

    /// The finding for a run that tells nothing.
    pub fn unreached(&self, driven: &Driven, words: &Words) -> Finding {
        match self {
            Self::Test(_) => Finding::unreached(driven, words),
            Self::Random(..) | Self::Adaptive(..) => Finding::plain(
                "an input came when the specification need not take it any more: it says nothing of what follows"
                    .to_owned(),
            )
            .placed(Place::of_last_wait(driven, &driven.until)),
        }
    }
}

/// The manner in which a test is run.
#[derive(Clone)]
pub struct Manner {
    /// The tolerance for outputs, and the unit of times.
    pub words: Words,
    /// The number of runs of each test.
    pub repeats: Repeats,
    /// The judge of the observations, beside the test.
    pub judge: Option<Arc<LogJudge>>,
}

/// The number of runs of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeats {
    /// This number of times, at least once.
    Times(u32),
    /// Once, and after a failure this many times more, until a run does not fail.
    AfterFailure(u32),
}
