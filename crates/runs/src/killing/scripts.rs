//! Kills that rest on what tests set in place of a program's data.

use super::candidate::Candidate;
use super::suite_options::SuiteOptions;
use super::target::Target;
use crate::Timer;
use crate::error::Result;
use crate::plans::turns::in_turns;
use tamper_suite::{TestCase, Tester, reads};

/// Of `killed`, mutants by their positions with the tests that kill them: those that no test kills without asking, in the specification or
/// in the mutant, a variable that stands for data. All that the tests show of these is shown under a script of values, which the program's
/// data may never have. A test of which that is not known within the limits counts as one that asks.
pub fn under_script(
    tester: &Tester,
    candidates: &[Candidate],
    tests: &[TestCase],
    killed: &[(usize, Vec<usize>)],
    timer: &Timer,
) -> Vec<usize> {
    let specification = tester.automaton();
    if specification.scripted().is_empty() {
        return Vec::new();
    }
    let asks = in_turns(tests.len(), timer, |test, timer| {
        reads(&tests[test], specification, tester.spec(), &timer.budget()).unwrap_or(true)
    });
    let is_under_script = in_turns(killed.len(), timer, |at, timer| {
        let (mutant, by) = &killed[at];
        let candidate = &candidates[*mutant];
        let (Some(automaton), Ok(subject)) = (&candidate.automaton, &candidate.subject) else {
            return true;
        };
        let mut plain = by.iter().filter(|test| !asks[**test]);
        !plain.any(|test| matches!(reads(&tests[*test], automaton, subject, &timer.budget()), Ok(false)))
    });
    let mutants = killed.iter().zip(is_under_script);
    mutants
        .filter(|(_, is_under_script)| *is_under_script)
        .map(|((mutant, _), _)| *mutant)
        .collect()
}

/// Of the mutants that `tests` kill, how many there are, and how many are killed under a script only.
///
/// # Errors
/// As [`Target::kills`].
pub fn kills_under_script(
    tester: &Tester,
    candidates: &[Candidate],
    tests: &[TestCase],
    options: &SuiteOptions,
    timer: &Timer,
) -> Result<[usize; 2]> {
    let matrix = Target::new(tester, candidates, options).kills(tests, timer)?;
    let by = |mutant: usize| -> Vec<usize> {
        let tests = matrix.iter().enumerate();
        let killing = tests.filter(|(_, kills)| kills.contains(mutant));
        killing.map(|(test, _)| test).collect()
    };
    let all = (0..candidates.len()).map(|mutant| (mutant, by(mutant)));
    let killed: Vec<_> = all.filter(|(_, by)| !by.is_empty()).collect();
    let under = under_script(tester, candidates, tests, &killed, timer);
    Ok([killed.len(), under.len()])
}
