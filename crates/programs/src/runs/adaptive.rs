//! Adaptive tests of a program: hunters side by side, each with its share of the mutants. A hunter makes one test after the other
//! for as long as each comes to a mutant that none before it has come to.
//!
//! The tests of a hunter depend on nothing but its mutants and its instance of the program, so the same programs get the same tests.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use num_rational::BigRational;
use num_traits::Zero as _;

use super::outcome::TestRun;
use tamper_suite::{AdaptiveCampaign, AdaptiveGuide, Broken, Driven, OnlineOracle, Open, Sut, Unjudged, drive_online};

/// Adaptive tests, with their progress.
pub struct AdaptiveTests {
    hunt: AdaptiveCampaign,
    /// Number of hunts, each of which goes for all mutants again.
    hunts: u32,
    /// The number of the last test of the run that this one continues.
    first: u64,
    /// For each mutant, the number of hunts of that run in which a test came to it.
    known: Vec<u32>,
    hunters: Vec<Mutex<Hunter>>,
}

/// The plan of adaptive tests.
#[derive(Debug)]
pub struct AdaptivePlan<'r> {
    /// Number of hunters, each with an instance of the program.
    pub hunters: usize,
    /// Number of hunts, each of which goes for all mutants again.
    pub hunts: u32,
    /// The tests that are already done.
    pub known: &'r [TestRun],
}

struct Hunter {
    /// Its mutants.
    share: Open,
    /// The number of the present hunt, from 1.
    hunt: u32,
    open: Open,
    /// The ids of the mutants that each test came to, by its number.
    came_to: BTreeMap<u64, Vec<String>>,
    /// Whether the last test came to no mutant.
    is_stuck: bool,
}

impl std::fmt::Debug for AdaptiveTests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AdaptiveTests({} of {} open)", self.n_open(), self.n_mutants())
    }
}

impl AdaptiveTests {
    /// Tests for all mutants of the hunt that the tests done already have not come to.
    pub fn new(hunt: AdaptiveCampaign, plan: &AdaptivePlan<'_>) -> Self {
        let mut times: BTreeMap<&str, u32> = BTreeMap::new();
        for id in plan.known.iter().flat_map(|run| &run.purpose) {
            *times.entry(id).or_default() += 1;
        }
        let known = hunt
            .quarry
            .iter()
            .map(|quarry| times.get(&*quarry.id).copied().unwrap_or(0));
        let numbers = plan
            .known
            .iter()
            .filter_map(|run| run.test.strip_prefix(PREFIX)?.parse().ok());
        let mut tests = Self {
            known: known.collect(),
            first: numbers.max().unwrap_or(0),
            hunts: plan.hunts,
            hunters: Vec::new(),
            hunt,
        };
        let hunter = |number| {
            let mut share = Open::all(tests.known.len());
            share.retain(|at| at % plan.hunters == number);
            Hunter {
                hunt: 1,
                open: tests.left(&share, 1),
                share,
                came_to: BTreeMap::new(),
                is_stuck: false,
            }
        };
        tests.hunters = (0..plan.hunters).map(|number| Mutex::new(hunter(number))).collect();
        tests
    }

    /// The mutants of a share that the run which this one continues has left for a hunt.
    fn left(&self, share: &Open, hunt: u32) -> Open {
        let mut open = share.clone();
        open.retain(|at| self.known[at] < hunt);
        open
    }

    /// Number of mutants that no test of the last hunt has come to.
    pub fn n_open(&self) -> usize {
        (0..self.hunters.len()).map(|at| self.hunter(at).open.len()).sum()
    }

    /// Time that a test rests, in time units.
    pub(super) fn longest(&self) -> u32 {
        self.hunt.longest
    }

    /// Number of mutants that were given up in the last hunt: the program went elsewhere each time.
    pub fn n_given_up(&self) -> usize {
        (0..self.hunters.len())
            .map(|at| self.hunter(at).open.n_given_up())
            .sum()
    }

    /// Number of mutants.
    pub fn n_mutants(&self) -> usize {
        self.hunt.quarry.len()
    }

    /// The position, among all tests, of the next test of a hunter that has made `done` tests; `None` if it makes no other. Its
    /// hunts are over when, in the last of them, a test came to nothing, or no way leads to what is left.
    pub(super) fn next(&self, hunter: usize, done: usize) -> Option<usize> {
        let mut state = self.hunter(hunter);
        let has_way = |Hunter {
                           share, open, is_stuck, ..
                       }: &Hunter| {
            !is_stuck && AdaptiveGuide::new(&self.hunt, share, &mut open.clone(), &BigRational::zero()).has_way()
        };
        while !has_way(&state) {
            if state.hunt >= self.hunts {
                return None;
            }
            state.hunt += 1;
            state.is_stuck = false;
            state.open = self.left(&state.share, state.hunt);
        }
        Some(done * self.hunters.len() + hunter)
    }

    /// The id of the test at that position.
    pub(super) fn id(&self, at: usize) -> String {
        format!("{PREFIX}{}", self.first + at as u64 + 1)
    }

    pub(super) fn came_to(&self, at: usize) -> Vec<String> {
        let hunter = self.hunter(at % self.hunters.len());
        hunter.came_to.get(&(at as u64)).cloned().unwrap_or_default()
    }

    /// Runs the test at that position.
    pub(super) fn drive<S: Sut>(
        &self,
        at: usize,
        referee: OnlineOracle<'_>,
        sut: &mut S,
    ) -> Result<Driven, Broken<Unjudged<S::Error>>> {
        let hunter = at % self.hunters.len();
        let (share, mut open) = {
            let hunter = self.hunter(hunter);
            (hunter.share.clone(), hunter.open.clone())
        };
        let (before, tolerance) = (open.len(), referee.tolerance);
        let mut guide = AdaptiveGuide::new(&self.hunt, &share, &mut open, tolerance);
        let driven = drive_online(referee, &mut guide, sut);
        guide.end();
        let came_to = std::mem::take(&mut guide.came_to);
        let mut ids = came_to.iter().map(|at| self.hunt.quarry[*at].id.clone()).collect();
        let mut state = self.hunter(hunter);
        // If the tester was late, the test tells nothing.
        if driven.as_ref().is_ok_and(|driven| driven.is_doubtful(tolerance)) {
            (state.is_stuck, ids) = (true, Vec::new());
        } else {
            state.is_stuck = open.len() == before;
            state.open = open;
        }
        state.came_to.insert(at as u64, ids);
        driven
    }

    fn hunter(&self, at: usize) -> MutexGuard<'_, Hunter> {
        // A panic has already been reported.
        self.hunters[at].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The prefix of the ids of adaptive tests.
const PREFIX: &str = "adaptive-";
