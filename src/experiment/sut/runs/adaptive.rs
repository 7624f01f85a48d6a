//! Adaptive tests of a program, one after the other, for as long as each comes to a mutant that none before it has come to.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use num_rational::BigRational;
use num_traits::Zero as _;

use crate::suite::{AdaptiveGuide, Broken, Driven, Hunt, Open, Referee, Sut, Unjudged, drive_online};

/// Adaptive tests, and how far they have come.
pub struct AdaptiveTests {
    hunt: Hunt,
    state: Mutex<State>,
}

struct State {
    open: Open,
    /// The ids of the mutants that each test came to, by its number.
    came_to: BTreeMap<u64, Vec<String>>,
    /// No test came to anything the last time.
    is_stuck: bool,
}

impl std::fmt::Debug for AdaptiveTests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AdaptiveTests({} of {} open)", self.n_open(), self.n_mutants())
    }
}

impl AdaptiveTests {
    /// Tests for all mutants of the hunt.
    pub fn new(hunt: Hunt) -> Self {
        let state = State {
            open: Open::all(hunt.quarry.len()),
            came_to: BTreeMap::new(),
            is_stuck: false,
        };
        Self {
            hunt,
            state: Mutex::new(state),
        }
    }

    /// How many mutants no test has come to.
    pub fn n_open(&self) -> usize {
        self.state().open.len()
    }

    /// How long a test rests, in time units.
    pub(super) fn longest(&self) -> u32 {
        self.hunt.longest
    }

    /// How many were given up: the program went elsewhere each time.
    pub fn n_given_up(&self) -> usize {
        self.state().open.n_given_up()
    }

    /// How many mutants there are.
    pub fn n_mutants(&self) -> usize {
        self.hunt.quarry.len()
    }

    /// The last test came to nothing, or no way leads to what is left.
    pub(super) fn is_over(&self) -> bool {
        let state = self.state();
        let has_way = || AdaptiveGuide::new(&self.hunt, &mut state.open.clone(), &BigRational::zero()).has_way();
        state.is_stuck || !has_way()
    }

    pub(super) fn came_to(&self, number: u64) -> Vec<String> {
        self.state().came_to.get(&number).cloned().unwrap_or_default()
    }

    /// Runs the test of that number.
    pub(super) fn drive<S: Sut>(
        &self,
        number: u64,
        referee: Referee<'_>,
        sut: &mut S,
    ) -> Result<Driven, Broken<Unjudged<S::Error>>> {
        let mut open = self.state().open.clone();
        let before = open.len();
        let mut guide = AdaptiveGuide::new(&self.hunt, &mut open, referee.tolerance);
        let driven = drive_online(referee, &mut guide, sut);
        guide.end();
        let came_to = std::mem::take(&mut guide.came_to);
        let ids = came_to.iter().map(|at| self.hunt.quarry[*at].id.clone()).collect();
        let mut state = self.state();
        state.is_stuck = open.len() == before;
        state.open = open;
        state.came_to.insert(number, ids);
        driven
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic is its own message.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
