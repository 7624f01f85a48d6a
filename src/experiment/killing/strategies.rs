//! What tests are wanted, and how they are chosen.

use rayon::prelude::*;

use super::candidates::Candidate;
use super::fewest::fewest;
use super::generate::{Asked, Generated, per_mutant};
use super::on_the_fly::on_the_fly;
use super::target::Chosen;
use crate::experiment::error::Result;
use crate::experiment::{Progress, Timer};
use crate::mutation::MutationOptions;
use crate::suite::{Kill, Pick, Refusals, Style, TestCase, Tester};
use crate::text::Budget;

crate::text::named! {
    /// Which kills are wanted.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Wanted {
        /// Tests that can fail.
        Potential = "potential",
        /// Tests that always fail.
        Definite = "definite",
        /// Tests that always fail and are words of inputs and delays.
        Blind = "blind",
        /// Tests that always fail where there are such, else tests that can.
        Both = "both",
    }
}

/// How tests are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// One for each mutant; equal tests are one.
    PerMutant,
    /// One after the other: always the test that kills most of those still alive, among the tests of the next of them,
    /// led on for others as long as that takes no more steps than a new test (\[002\]).
    OnTheFly,
    /// The fewest of the tests per mutant that kill as many.
    Minimal,
    /// As few tests as can be found, each one trace, as long as it has to be; of tests that can fail.
    Fewest,
}

/// What suite is wanted.
#[derive(Clone, Debug)]
pub struct Wish {
    /// Which kills.
    pub wanted: Wanted,
    /// The style of tests that can fail.
    pub style: Style,
    /// Their delays.
    pub pick: Pick,
    /// How they are chosen.
    pub strategy: Strategy,
    /// With [`Strategy::Fewest`]: how often each test goes for all mutants; before each time but the first it rests.
    pub rounds: u32,
    /// What a refused input means: the mutants are candidates that are [`ignoring`](super::ignoring) inputs, or are not.
    pub refusals: Refusals,
    /// For how many time units nothing must come before a test ends that goes on after its last step; none: it does not go on.
    pub linger: Option<u32>,
    /// What the mutants were made by.
    pub mutation: MutationOptions,
    /// Search steps for the fewest tests.
    pub max_nodes: u64,
}

impl Wanted {
    /// How surely a test has to kill for that to be of interest: what a kill matrix is to know.
    pub fn kill(self) -> Kill {
        match self {
            Self::Definite | Self::Blind | Self::Both => Kill::Definite,
            Self::Potential => Kill::Potential,
        }
    }
}

/// A suite for `candidates`. `progress` is told how many mutants are dealt with.
///
/// # Errors
/// Bounds of tests that are too fine to be compared exactly.
pub fn generate(
    tester: &Tester,
    candidates: &[Candidate],
    wish: &Wish,
    timer: &Timer,
    progress: Progress<'_>,
) -> Result<Generated> {
    let asked = Asked {
        tester,
        candidates,
        wish,
        timer,
    };
    let mut generated = wished(asked, progress)?;
    generated.note_subsumed(tester, candidates, timer);
    Ok(generated)
}

/// The tests that are wished for, going on after their last step where that is wished, too.
pub(super) fn wished(asked: Asked<'_>, progress: Progress<'_>) -> Result<Generated> {
    let Asked {
        tester, wish, timer, ..
    } = asked;
    let mut generated = match wish.strategy {
        Strategy::PerMutant => per_mutant(asked, progress),
        Strategy::OnTheFly => on_the_fly(asked, progress)?,
        Strategy::Fewest => fewest(asked, progress)?,
        Strategy::Minimal => {
            let all = per_mutant(asked, progress);
            let matrix = asked.target().executed(&all.tests, timer)?;
            let chosen = Chosen::of(&all.tests, &matrix, wish);
            let mut suite = Generated {
                bound: Some((chosen.lower_bound, chosen.proved)),
                ..Generated::of(chosen.tests, all.mutants)
            };
            suite.name_tests(&chosen.matrix, wish.wanted);
            suite
        }
    };
    if let Some(quiet) = wish.linger {
        let budget = Budget {
            deadline: None,
            ..timer.budget()
        };
        let linger = |test: &TestCase| tester.lingering(test, quiet, &budget);
        let lingering = generated.tests.par_iter().map(linger);
        generated.tests = lingering.collect::<std::result::Result<_, _>>()?;
        // They may kill more so, and fewer of them as much.
        generated.bound = None;
    }
    Ok(generated)
}
