//! The tester's decision of blind kills, and the order in which its possible answers are tried.

use super::word::{InputWord, PARTS};
use super::{committed, search, word};
use crate::definite::DefiniteSolution;
use crate::error::SuiteFailure;
use crate::execution::opponent::Ends;
use crate::execution::subject::Subject;
use crate::generate::{Tester, ends};
use crate::pairing::Pairing;
use crate::{Kill, Style, TestCase};
use tamper_game::symbolic::Arena;
use tamper_text::Budget;
use tamper_zones::Dbm;

/// Whether one word of inputs and delays makes every run of a mutant fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Blind {
    /// This test kills the mutant; its id is empty.
    Killed(TestCase),
    /// No tester makes every run fail, whatever it sees.
    Avoidable,
    /// A tester makes every run fail, but no tester does that has to choose its next input before it sees the outputs that come first.
    Reacting,
    /// No such word was found among this number of prefixes; one may exist.
    Unknown {
        /// The number of prefixes that were examined.
        looked_at: usize,
    },
}

impl Tester {
    /// A word of inputs and delays on which every run of `mutant` fails, as a test.
    ///
    /// # Errors
    /// Constants too large for parts of a time unit, and the budget.
    ///
    /// # Panics
    /// If the test that was found can fail on the specification: an error of this module.
    pub fn blind(&self, mutant: &Subject, budget: &Budget) -> Result<Blind, SuiteFailure> {
        let (spec, finer) = (in_parts(self.spec())?, with_clock(in_parts(mutant)?));
        let pairing = Pairing::new(&spec, &finer);
        let solution = DefiniteSolution::complete(&pairing, budget)?;
        if !solution.is_won() {
            return Ok(Blind::Avoidable);
        }
        if !committed::can_win(&pairing, budget)? {
            return Ok(Blind::Reacting);
        }
        let run = |word: &InputWord<'_>| -> Result<(TestCase, Ends), SuiteFailure> {
            let test = self.completed(&self.giving(word, &spec.arena))?;
            let ends = ends(&test, mutant, budget)?;
            Ok((test, ends))
        };
        match search::search(&solution, &run, budget)? {
            search::WordSearchResult::Word(test) => Ok(Blind::Killed(self.harmless(test, budget)?)),
            search::WordSearchResult::Nothing { looked_at } => Ok(Blind::Unknown { looked_at }),
        }
    }

    /// The test for the word; `finer` is the specification in parts of a time unit.
    fn giving(&self, word: &InputWord<'_>, finer: &Arena) -> TestCase {
        let (clocks, nodes) = word::nodes(word, self.spec(), finer);
        TestCase::unnamed(Style::Blind, Kill::Definite, clocks, nodes)
    }
}

/// The game in [`PARTS`] of a time unit.
fn in_parts(subject: &Subject) -> Result<Subject, SuiteFailure> {
    let arena = subject.arena.scaled(PARTS).ok_or(SuiteFailure::ConstantTooLarge)?;
    Ok(Subject {
        arena,
        ..subject.clone()
    })
}

/// The game with an additional last clock that it neither tests nor sets.
fn with_clock(mut subject: Subject) -> Subject {
    let arena = &mut subject.arena;
    let nodes = arena.nodes.ids();
    let rows = nodes.flat_map(|node| arena.max_bounds_of(node).iter().copied().chain([Dbm::NEVER_COMPARED]));
    arena.max_bounds = rows.collect();
    arena.n_clocks += 1;
    subject
}
