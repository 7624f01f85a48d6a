//! The fewest tests that are complete, among all suites (`docs/notes/0015-smallest-suites.md`).
//!
//! Starting from a suite of the fewest tests for some mutants, the search looks for an escaping mutant, which becomes
//! one more mutant to kill. If a test can be extended to kill it, this is done; only otherwise, the fewest tests for
//! all mutants met are computed again. When nothing escapes, the suite is complete, and no complete suite has fewer
//! tests.

use crate::conformance::{StatePair, killing_sequence_from};
use crate::suites::joint::{fewest_tests, shortest_tests};
use crate::suites::minimise::minimise;
use crate::{Analysis, Answer, Escape, InputId, Mutant, MutationMachine};
use tamper_features::{Solver, SolverFailure};
use tamper_text::{Budget, StopReason};

/// A complete suite of few tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Smallest {
    /// The tests of the smallest complete suite.
    pub tests: Vec<Vec<InputId>>,
    /// A lower bound on the number of tests of a complete suite.
    pub lower_bound: usize,
    /// Mutants that cannot be killed with fewer tests.
    pub witnesses: Vec<Mutant>,
    /// Whether this suite is known to have the fewest inputs of all complete suites with this number of tests.
    pub is_shortest: bool,
    /// The reason why the suite is not complete.
    pub stopped: Option<StopReason>,
}

impl Smallest {
    /// Whether the suite is complete and no complete one has fewer tests.
    pub fn is_proved(&self) -> bool {
        self.stopped.is_none() && self.tests.len() == self.lower_bound
    }
}

/// Looks for a complete suite of the fewest tests. `fresh` makes solvers; `progress` receives the number of tests, and
/// the number that is known to be needed. The budget's states are the questions to one solver.
///
/// # Errors
/// If a solver does not answer.
pub fn smallest<S: Solver>(
    machine: &MutationMachine,
    fresh: &dyn Fn() -> S,
    budget: &Budget,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Smallest, SolverFailure> {
    let mut search = GrowingSuite {
        machine,
        fresh,
        budget,
        analysis: Analysis::new(machine, fresh()),
        tests: Vec::new(),
        met: Some(Vec::new()),
        lower_bound: 0,
        witnesses: Vec::new(),
    };
    let stopped = loop {
        match search.analysis.escape(budget, &mut |_| ())? {
            Answer::Complete => break None,
            Answer::Unknown(reason) => break Some(reason),
            Answer::Escape(escape) => search.kill(escape),
        }
        progress(search.tests.len(), search.lower_bound);
    };
    let GrowingSuite {
        mut tests,
        met,
        lower_bound,
        witnesses,
        ..
    } = search;
    if stopped.is_none() && tests.len() > lower_bound {
        let needed = minimise(machine, &tests, &mut fresh(), budget, &mut |_| ())?;
        tests = needed.tests.into_iter().map(|at| tests[at].clone()).collect();
    }
    let stopped = stopped.or(machine.stopped());
    let mut is_shortest = false;
    if let (None, Some(met), true) = (stopped, met, tests.len() == lower_bound)
        && let Some(shorter) = shortened(machine, fresh, met, tests.len(), budget)?
    {
        tests = shorter;
        is_shortest = true;
    }
    Ok(Smallest {
        tests,
        lower_bound,
        witnesses: core(machine, witnesses, lower_bound, budget),
        is_shortest,
        stopped,
    })
}

/// A suite that grows until no mutant escapes it, with a lower bound on the number of tests.
struct GrowingSuite<'m, S: Solver> {
    machine: &'m MutationMachine,
    fresh: &'m dyn Fn() -> S,
    budget: &'m Budget,
    analysis: Analysis<'m, S>,
    tests: Vec<Vec<InputId>>,
    /// The mutants met, as long as the number of tests that they need is known.
    met: Option<Vec<Mutant>>,
    lower_bound: usize,
    witnesses: Vec<Mutant>,
}

impl<S: Solver> GrowingSuite<'_, S> {
    /// Lets the suite kill a mutant that escaped it: extends a test, recomputes all tests, or adds a test.
    fn kill(&mut self, escape: Escape) {
        if let Some(met) = &mut self.met {
            met.push(escape.mutant.clone());
        }
        if let Some((at, longer)) = led_on(self.machine, &self.tests, &escape) {
            self.analysis.add_test(&longer);
            self.tests[at] = longer;
            return;
        }
        let met = self.met.take();
        if let Some(met) = met
            && let Ok(fewest) = fewest_tests(self.machine, &met, self.budget)
        {
            if fewest.len() == self.tests.len() {
                self.restart(fewest);
                self.met = Some(met);
                return;
            }
            self.lower_bound = fewest.len();
            self.witnesses.clone_from(&met);
            self.met = Some(met);
        }
        self.analysis.add_test(&escape.killed_by);
        self.tests.push(escape.killed_by);
    }

    /// Continues with other tests; mutants known to conform stay excluded.
    fn restart(&mut self, tests: Vec<Vec<InputId>>) {
        let centres: Vec<Mutant> = self.analysis.centres().to_vec();
        self.analysis = Analysis::new(self.machine, (self.fresh)());
        for conforming in &centres {
            self.analysis.exclude(conforming);
        }
        tests.iter().for_each(|test| self.analysis.add_test(test));
        self.tests = tests;
    }
}

/// The largest number of rounds of shortening; each round adds one mutant to kill.
const MOST_ROUNDS: usize = 512;

/// The complete suite of at most `most` tests with the fewest inputs, found by adding escaping mutants to `met` until
/// none escapes. `None` if a limit was hit or the rounds are used up.
fn shortened<S: Solver>(
    machine: &MutationMachine,
    fresh: &dyn Fn() -> S,
    mut met: Vec<Mutant>,
    most: usize,
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

/// A subset of the mutants that still needs that many tests, as far as limits allow: none of them can be left out.
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

/// The test that kills the escaping mutant with the fewest additional inputs: its position, and the extended test.
fn led_on(machine: &MutationMachine, tests: &[Vec<InputId>], escape: &Escape) -> Option<(usize, Vec<InputId>)> {
    let longer = |(at, test): (usize, &Vec<InputId>)| {
        let states = StatePair {
            right: machine.specification_after(test),
            own: escape.mutant.after(machine, test),
        };
        let rest = killing_sequence_from(machine, &escape.mutant, states)?;
        Some((rest.len(), at, [test.as_slice(), &rest].concat()))
    };
    let least = tests.iter().enumerate().filter_map(longer).min()?;
    Some((least.1, least.2))
}
