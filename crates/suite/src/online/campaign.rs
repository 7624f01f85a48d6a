//! The mutants of a specification that adaptive tests look for, and the mutants that no test has come to yet.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::{MutantEstimate, Pick, Subject, Tester};
use tamper_text::Budget;

/// Number of tries at a mutant before it is given up: a program with choices need not go where a test wants to.
const MOST_TRIES: u8 = 5;

/// A mutant that tests look for.
#[derive(Clone, Debug)]
pub struct CampaignTarget {
    /// Its id.
    pub id: String,
    /// The mutant.
    pub subject: Arc<Subject>,
    /// Whether it has tests before the others, which go for such mutants only: a test for others may come to it where a program's fault
    /// does not show.
    pub comes_first: bool,
}

/// The mutants that tests look for, and the parameters of the search.
pub struct AdaptiveCampaign {
    /// The specification.
    pub tester: Tester,
    /// Its mutants.
    pub targets: Vec<CampaignTarget>,
    /// Delay to pick inside each allowed interval.
    pub pick: Pick,
    /// Number of rounds in which a test goes for all mutants; from the second round on it treats each mutant as if it had been right so far.
    pub rounds: u32,
    /// Time that a test rests between rounds and at its end, in time units.
    pub longest: u32,
}

/// The mutants that are left, with the numbers of tries.
#[derive(Clone, Debug)]
pub struct Open {
    left: FixedBitSet,
    tries: Vec<u8>,
}

impl AdaptiveCampaign {
    /// Whether a way leads from the start to where `mutant` shows; `false` also if no way is found within the limits.
    pub fn shows(&self, mutant: &Subject, budget: &Budget) -> bool {
        let start = MutantEstimate::start(mutant);
        let extension = self
            .tester
            .extension(&self.tester.walk(), mutant, &start, usize::MAX, self.pick, budget);
        matches!(extension, Ok(Some(_)))
    }
}

impl Open {
    /// All mutants.
    pub fn all(n_mutants: usize) -> Self {
        let mut left = FixedBitSet::with_capacity(n_mutants);
        left.insert_range(..);
        Self {
            left,
            tries: vec![0; n_mutants],
        }
    }

    /// Keeps the mutants at the positions for which `is_kept` holds.
    pub fn retain(&mut self, is_kept: impl Fn(usize) -> bool) {
        let dropped: Vec<usize> = self.iter().filter(|at| !is_kept(*at)).collect();
        dropped.into_iter().for_each(|at| self.close(at));
    }

    /// Number of mutants left.
    pub fn len(&self) -> usize {
        self.left.count_ones(..)
    }

    /// Whether no mutant is left.
    pub fn is_empty(&self) -> bool {
        self.left.is_clear()
    }

    /// Number of mutants that were given up: the program went elsewhere each time.
    pub fn n_given_up(&self) -> usize {
        self.tries.iter().filter(|tries| **tries >= MOST_TRIES).count()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.left.ones()
    }

    pub(super) fn contains(&self, mutant: usize) -> bool {
        self.left.contains(mutant)
    }

    /// Closes a mutant: a test has come to where it would show, or the program cannot be this mutant.
    pub(super) fn close(&mut self, mutant: usize) {
        self.left.remove(mutant);
    }

    /// Notes a try: a test went for the mutant, and the program went elsewhere.
    pub(super) fn tried(&mut self, mutant: usize) {
        self.tries[mutant] += 1;
        if self.tries[mutant] >= MOST_TRIES {
            self.close(mutant);
        }
    }
}
