//! The fewest tests that are complete, among all tests there are (`docs/notes/0015-smallest-suites.md`).
//!
//! A suite that kills some mutants with as few tests as can be is asked what escapes it; the answer is one more mutant
//! to be killed. Tests are led on for it where that is possible; only where it is not, the fewest tests for all mutants that
//! came up are looked for again. When nothing escapes, the suite is complete, and no complete suite has fewer tests.

use super::joint::{fewest_tests, shortest_tests};
use super::{Analysis, Answer, Escape, InputId, Mutant, MutationMachine, killing_sequence_from, minimise};
use tamper_features::{Solver, SolverFailure};
use tamper_text::{Budget, StopReason};

/// A complete suite of few tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Smallest {
    /// Its tests.
    pub tests: Vec<Vec<InputId>>,
    /// No complete suite has fewer.
    pub lower_bound: usize,
    /// Mutants that need as many tests, whatever the tests are.
    pub witnesses: Vec<Mutant>,
    /// Whether it is known that no complete suite of so few tests has fewer inputs in all.
    pub is_shortest: bool,
    /// Why the suite is not complete.
    pub stopped: Option<StopReason>,
}

impl Smallest {
    /// Whether the suite is complete and no complete one has fewer tests.
    pub fn is_proved(&self) -> bool {
        self.stopped.is_none() && self.tests.len() == self.lower_bound
    }
}

/// Looks for the complete suite of the fewest tests. `fresh` makes solvers; `progress` hears how many tests there are, and how many
/// are known to be needed. The budget's states are the questions to one solver.
///
/// # Errors
/// If a solver does not answer.
pub fn smallest<S: Solver>(
    machine: &MutationMachine,
    fresh: &dyn Fn() -> S,
    budget: &Budget,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Smallest, SolverFailure> {
    let mut analysis = Analysis::new(machine, fresh());
    let mut tests: Vec<Vec<InputId>> = Vec::new();
    let mut found = Smallest {
        tests: Vec::new(),
        lower_bound: 0,
        witnesses: Vec::new(),
        is_shortest: false,
        stopped: None,
    };
    // The mutants that came up, while it is known how many tests they need.
    let mut met: Option<Vec<Mutant>> = Some(Vec::new());
    loop {
        let escape = match analysis.escape(budget, &mut |_| ())? {
            Answer::Complete => break,
            Answer::Unknown(reason) => {
                found.stopped = Some(reason);
                break;
            }
            Answer::Escape(escape) => escape,
        };
        if let Some(met) = &mut met {
            met.push(escape.mutant.clone());
        }
        if let Some((at, longer)) = led_on(machine, &tests, &escape) {
            analysis.add_test(&longer);
            tests[at] = longer;
        } else {
            let fewest = met.as_ref().map(|met| fewest_tests(machine, met, budget));
            match (fewest, &met) {
                (Some(Ok(fewest)), _) if fewest.len() == tests.len() => {
                    let boxes: Vec<Mutant> = analysis.centres().to_vec();
                    analysis = Analysis::new(machine, fresh());
                    boxes.iter().for_each(|conforming| {
                        analysis.exclude(conforming);
                    });
                    fewest.iter().for_each(|test| analysis.add_test(test));
                    tests = fewest;
                }
                (Some(Ok(fewest)), Some(met)) => {
                    found.lower_bound = fewest.len();
                    found.witnesses.clone_from(met);
                    analysis.add_test(&escape.killed_by);
                    tests.push(escape.killed_by);
                }
                _ => {
                    met = None;
                    analysis.add_test(&escape.killed_by);
                    tests.push(escape.killed_by);
                }
            }
        }
        progress(tests.len(), found.lower_bound);
    }
    if found.stopped.is_none() && tests.len() > found.lower_bound {
        let needed = minimise(machine, &tests, &mut fresh(), budget, &mut |_| ())?;
        tests = needed.tests.into_iter().map(|at| tests[at].clone()).collect();
    }
    found.stopped = found.stopped.or(machine.stopped());
    if let (None, Some(met), true) = (found.stopped, met, tests.len() == found.lower_bound)
        && let Some(shorter) = shortened(machine, fresh, (met, tests.len()), budget)?
    {
        tests = shorter;
        found.is_shortest = true;
    }
    found.tests = tests;
    found.witnesses = core(machine, std::mem::take(&mut found.witnesses), found.lower_bound, budget);
    Ok(found)
}

/// So many mutants more come up at most while tests are made shorter.
const MOST_ROUNDS: usize = 512;

/// The complete suite of at most `most` tests with the fewest inputs, which `met` and more mutants need; none if a limit was hit.
fn shortened<S: Solver>(
    machine: &MutationMachine,
    fresh: &dyn Fn() -> S,
    (mut met, most): (Vec<Mutant>, usize),
    budget: &Budget,
) -> Result<Option<Vec<Vec<InputId>>>, SolverFailure> {
    let mut boxes: Vec<Mutant> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let Ok(tests) = shortest_tests(machine, &met, most, budget) else {
            return Ok(None);
        };
        let mut analysis = Analysis::new(machine, fresh());
        boxes.iter().for_each(|conforming| {
            analysis.exclude(conforming);
        });
        tests.iter().for_each(|test| analysis.add_test(test));
        match analysis.escape(budget, &mut |_| ())? {
            Answer::Complete => return Ok(Some(tests)),
            Answer::Unknown(_) => return Ok(None),
            Answer::Escape(escape) => met.push(escape.mutant),
        }
        boxes = analysis.centres().to_vec();
    }
    Ok(None)
}

/// As few of the mutants as need as many tests, as far as limits allow: none of them can be left out.
fn core(machine: &MutationMachine, mut mutants: Vec<Mutant>, needed: usize, budget: &Budget) -> Vec<Mutant> {
    let mut size = mutants.len().next_power_of_two();
    while size > 0 {
        let mut end = mutants.len();
        while end > 0 {
            let start = end.saturating_sub(size);
            let fewer = [&mutants[..start], &mutants[end..]].concat();
            if fewest_tests(machine, &fewer, budget).is_ok_and(|tests| tests.len() == needed) {
                mutants = fewer;
            }
            end = start;
        }
        size /= 2;
    }
    mutants
}

/// Of the tests the one that kills the escaping mutant with the fewest more inputs, and what it becomes.
fn led_on(machine: &MutationMachine, tests: &[Vec<InputId>], escape: &Escape) -> Option<(usize, Vec<InputId>)> {
    let longer = |(at, test): (usize, &Vec<InputId>)| {
        let states = (machine.specification_after(test), escape.mutant.after(machine, test));
        let rest = killing_sequence_from(machine, &escape.mutant, states)?;
        Some((rest.len(), at, [test.as_slice(), &rest].concat()))
    };
    let least = tests.iter().enumerate().filter_map(longer).min()?;
    Some((least.1, least.2))
}
