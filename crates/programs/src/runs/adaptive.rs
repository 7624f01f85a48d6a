//! Adaptive tests of a program: workers side by side, each with its share of the mutants. A worker makes one test after the other
//! for as long as each comes to a mutant that none before it has come to.
//!
//! The tests of a worker depend on nothing but its mutants and its instance of the program, so the same programs get the same tests.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use num_rational::BigRational;
use num_traits::Zero as _;

use super::outcome::TestRun;
use tamper_suite::{AdaptiveCampaign, AdaptiveGuide, Broken, Driven, OnlineOracle, Open, Sut, Unjudged, drive_online};

/// Adaptive tests, with their progress.
pub struct AdaptiveTests {
    campaign: AdaptiveCampaign,
    /// Number of passes, each of which goes for all mutants again.
    passes: u32,
    /// The number of the last test of the run that this one continues.
    first: u64,
    /// For each mutant, the number of passes of that run in which a test came to it.
    known: Vec<u32>,
    workers: Vec<Mutex<CampaignWorker>>,
}

/// The plan of adaptive tests.
#[derive(Debug)]
pub struct AdaptivePlan<'r> {
    /// Number of workers, each with an instance of the program.
    pub workers: usize,
    /// Number of passes, each of which goes for all mutants again.
    pub passes: u32,
    /// The tests that are already done.
    pub known: &'r [TestRun],
}

struct CampaignWorker {
    /// Its mutants: those that have tests first, and the others.
    shares: [Open; 2],
    /// The position of the share that tests are for at present.
    turn: usize,
    /// The number of the present pass, from 1.
    pass: u32,
    /// What this pass has left of each share.
    open: [Open; 2],
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
    /// Tests for all mutants of the campaign that the tests done already have not come to.
    pub fn new(campaign: AdaptiveCampaign, plan: &AdaptivePlan<'_>) -> Self {
        let mut times: BTreeMap<&str, u32> = BTreeMap::new();
        for id in plan.known.iter().flat_map(|run| &run.purpose) {
            *times.entry(id).or_default() += 1;
        }
        let known = campaign
            .targets
            .iter()
            .map(|target| times.get(&*target.id).copied().unwrap_or(0));
        let numbers = plan
            .known
            .iter()
            .filter_map(|run| run.test.strip_prefix(PREFIX)?.parse().ok());
        let mut tests = Self {
            known: known.collect(),
            first: numbers.max().unwrap_or(0),
            passes: plan.passes,
            workers: Vec::new(),
            campaign,
        };
        let worker = |number| {
            let shares = [true, false].map(|comes_first| {
                let is_meant = |at: usize| tests.campaign.targets[at].comes_first == comes_first;
                let mut share = Open::all(tests.known.len());
                share.retain(|at| at % plan.workers == number && is_meant(at));
                share
            });
            CampaignWorker {
                turn: 0,
                pass: 1,
                open: tests.left(&shares, 1),
                shares,
                came_to: BTreeMap::new(),
                is_stuck: false,
            }
        };
        tests.workers = (0..plan.workers).map(|number| Mutex::new(worker(number))).collect();
        tests
    }

    /// The mutants of each share that the run which this one continues has left for a pass.
    fn left(&self, shares: &[Open; 2], pass: u32) -> [Open; 2] {
        let mut open = shares.clone();
        for open in &mut open {
            open.retain(|at| self.known[at] < pass);
        }
        open
    }

    /// Number of mutants that no test of the last pass has come to.
    pub fn n_open(&self) -> usize {
        let n_open = |at: usize| self.worker(at).open.iter().map(Open::len).sum::<usize>();
        (0..self.workers.len()).map(n_open).sum()
    }

    /// Time that a test rests, in time units.
    pub(super) fn longest(&self) -> u32 {
        self.campaign.longest
    }

    /// Number of mutants that were given up in the last pass: the program went elsewhere each time.
    pub fn n_given_up(&self) -> usize {
        let n_given_up = |at: usize| self.worker(at).open.iter().map(Open::n_given_up).sum::<usize>();
        (0..self.workers.len()).map(n_given_up).sum()
    }

    /// Number of mutants.
    pub fn n_mutants(&self) -> usize {
        self.campaign.targets.len()
    }

    /// The position, among all tests, of the next test of a worker that has made `done` tests; `None` if it makes no other. Its
    /// passes are over when, in the last of them, a test came to nothing, or no way leads to what is left of both shares.
    pub(super) fn next(&self, worker: usize, done: usize) -> Option<usize> {
        let mut state = self.worker(worker);
        let has_way = |state: &CampaignWorker| {
            let (share, mut open) = (&state.shares[state.turn], state.open[state.turn].clone());
            !state.is_stuck && AdaptiveGuide::new(&self.campaign, share, &mut open, &BigRational::zero()).has_way()
        };
        while !has_way(&state) {
            match state.turn {
                0 => state.turn = 1,
                _ if state.pass >= self.passes => return None,
                _ => {
                    state.pass += 1;
                    state.turn = 0;
                    state.open = self.left(&state.shares, state.pass);
                }
            }
            state.is_stuck = false;
        }
        Some(done * self.workers.len() + worker)
    }

    /// The id of the test at that position.
    pub(super) fn id(&self, at: usize) -> String {
        format!("{PREFIX}{}", self.first + at as u64 + 1)
    }

    pub(super) fn came_to(&self, at: usize) -> Vec<String> {
        let worker = self.worker(at % self.workers.len());
        worker.came_to.get(&(at as u64)).cloned().unwrap_or_default()
    }

    /// Runs the test at that position.
    pub(super) fn drive<S: Sut>(
        &self,
        at: usize,
        oracle: OnlineOracle<'_>,
        sut: &mut S,
    ) -> Result<Driven, Broken<Unjudged<S::Error>>> {
        let worker = at % self.workers.len();
        let (share, mut open) = {
            let worker = self.worker(worker);
            (worker.shares[worker.turn].clone(), worker.open[worker.turn].clone())
        };
        let (before, tolerance) = (open.len(), oracle.tolerance);
        let mut guide = AdaptiveGuide::new(&self.campaign, &share, &mut open, tolerance);
        let driven = drive_online(oracle, &mut guide, sut);
        guide.end();
        let came_to = std::mem::take(&mut guide.came_to);
        let mut ids = came_to.iter().map(|at| self.campaign.targets[*at].id.clone()).collect();
        let mut state = self.worker(worker);
        // If the tester was late, the test tells nothing.
        if driven.as_ref().is_ok_and(|driven| driven.is_doubtful(tolerance)) {
            (state.is_stuck, ids) = (true, Vec::new());
        } else {
            state.is_stuck = open.len() == before;
            let turn = state.turn;
            state.open[turn] = open;
        }
        state.came_to.insert(at as u64, ids);
        driven
    }

    fn worker(&self, at: usize) -> MutexGuard<'_, CampaignWorker> {
        // A panic has already been reported.
        self.workers[at].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The prefix of the ids of adaptive tests.
const PREFIX: &str = "adaptive-";
