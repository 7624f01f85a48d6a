//! A suite for mutants, as it is wished.

use super::candidate::Candidate;
use super::fewest::fewest;
use super::generate::{Asked, Generated, per_mutant};
use super::on_the_fly::on_the_fly;
use super::target::Chosen;
use super::wish::{Strategy, Wish};
use crate::experiment::error::Result;
use crate::experiment::{Progress, Timer};
use crate::suite::Tester;

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
    generated.note_subsumed(tester, candidates, timer);
    Ok(generated)
}
