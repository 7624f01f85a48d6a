//! Strategies for choosing the tests of a suite.

use rayon::prelude::*;

use super::candidate::Candidate;
use super::chains::along_chains;
use super::fewest::fewest;
use super::generate::{Generated, SuiteRequest, outcome, per_mutant};
use super::on_the_fly::{note_weak_kills, on_the_fly};
use super::second_time::for_programs;
use super::suite_options::{Strategy, SuiteOptions};
use super::target::ChosenTests;
use crate::error::Result;
use crate::{Progress, Timer};
use tamper_suite::{TestCase, Tester};
use tamper_text::Budget;

/// A suite for `candidates`. `progress` is told the number of mutants done.
///
/// # Errors
/// If bounds of tests are too fine to be compared exactly.
pub fn generate(
    tester: &Tester,
    candidates: &[Candidate],
    options: &SuiteOptions,
    timer: &Timer,
    progress: Progress<'_>,
) -> Result<Generated> {
    let asked = SuiteRequest {
        tester,
        candidates,
        options,
        timer,
    };
    let mut generated = wished(asked, progress)?;
    generated.note_subsumed(tester, candidates, timer);
    Ok(generated)
}

/// The requested tests, with lingering after their last step if that is requested.
pub(super) fn wished(asked: SuiteRequest<'_>, progress: Progress<'_>) -> Result<Generated> {
    let SuiteRequest {
        tester, options, timer, ..
    } = asked;
    // Kill matrix of the tests made on the fly.
    let mut matrix = None;
    let mut generated = match options.strategy {
        Strategy::PerMutant => per_mutant(asked, &outcome, progress),
        Strategy::Chain => per_mutant(asked, &along_chains, progress),
        Strategy::OnTheFly => {
            let (suite, own) = on_the_fly(asked, progress)?;
            matrix = Some(own);
            suite
        }
        Strategy::Fewest => fewest(asked, progress)?,
        Strategy::ForPrograms => return for_programs(asked, &wished, progress),
        Strategy::Minimal => {
            let all = per_mutant(asked, &outcome, progress);
            let matrix = asked.target().executed(&all.tests, timer)?;
            let chosen = ChosenTests::of(&all.tests, &matrix, options);
            let mut suite = Generated {
                // Where only one run of a mutant is known, other tests may kill it, too.
                bound: (!asked.has_one_runs()).then_some((chosen.lower_bound, chosen.proved)),
                ..Generated::of(chosen.tests, all.mutants)
            };
            suite.name_tests(&chosen.matrix, options.wanted);
            suite
        }
    };
    if let Some(quiet) = options.linger {
        let budget = Budget {
            deadline: None,
            ..timer.budget()
        };
        let linger = |test: &TestCase| tester.lingering(test, quiet, &budget);
        let lingering = generated.tests.par_iter().map(linger);
        generated.tests = lingering.collect::<std::result::Result<_, _>>()?;
        // Lingering tests may kill more, so that fewer of them may suffice.
        generated.bound = None;
        if let Some(matrix) = &mut matrix {
            *matrix = asked.target().executed(&generated.tests, timer)?;
        }
    }
    if let Some(matrix) = matrix {
        note_weak_kills(asked, &mut generated, &matrix)?;
    }
    Ok(generated)
}
