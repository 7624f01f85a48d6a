//! Suites of few long tests that kill all mutants of a specification with one fault, also in addition to earlier tests.

use crate::suites::parallel_walk::{ParallelWalk, n_places};
use crate::suites::reduced::{Apart, MOST_STATES, Reduced, test};
use crate::{InputId, MutationMachine, SuiteError};
use tamper_text::{Budget, Id};

/// The faults that a mutant can have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OneFault {
    /// One transition: its output, its target or both.
    Transition,
    /// The same; or one transition leads to a copy of its target, an additional state, in which one transition is
    /// wrong.
    Split,
}

/// The parameters of a suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FirstOrderPlan {
    /// The faults that the mutants of the suite have.
    pub faults: OneFault,
    /// The approximate number of inputs of a test.
    pub length: usize,
    /// The largest number of tests.
    pub most: usize,
}

/// A suite for mutants with one fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstOrder {
    /// The tests, each a word of inputs.
    pub tests: Vec<Vec<InputId>>,
    /// The number of mutants known to conform, which no test kills.
    pub n_conforming: usize,
    /// The number of mutants left alive because the plan allows no more tests; the wrong outputs of one transition
    /// count once.
    pub n_left: usize,
}

/// The largest number of mutants that is handled.
const MOST_MUTANTS: usize = 40_000_000;

/// Tests for the specification of `machine` (restricted to its reachable, different states) that together with the
/// words in `seen` kill every mutant that some test kills.
///
/// # Errors
/// If the machine is too large, or a limit is hit; the budget's states are the inputs of the tests.
pub fn first_order_suite(
    machine: &MutationMachine,
    seen: &[Vec<InputId>],
    plan: &FirstOrderPlan,
    budget: &Budget,
) -> Result<FirstOrder, SuiteError> {
    let reduced = Reduced::of(machine);
    let is_split = plan.faults == OneFault::Split;
    if reduced.n_states() > MOST_STATES {
        return Err(SuiteError::States(MOST_STATES));
    }
    if n_places(&reduced, is_split) * reduced.n_states() > MOST_MUTANTS {
        return Err(SuiteError::Mutants(MOST_MUTANTS));
    }
    let apart = Apart::of(&reduced);
    let mut walk = ParallelWalk::new(&reduced, &apart, is_split);
    for word in seen {
        walk.walk_along(word.iter().map(|input| input.index() as u32));
    }
    let mut words: Vec<Vec<u32>> = Vec::new();
    let (mut n_conforming, mut n_symbols) = (0, 0);
    while walk.n_left() > 0 && words.len() < plan.most {
        if let Some(reason) = budget.exceeded(n_symbols as u64, 0) {
            return Err(SuiteError::Stopped(reason));
        }
        let n_left = walk.n_left();
        let (word, stray) = walk.walk(plan.length);
        let n_before = words.len();
        if walk.n_left() < n_left {
            words.push(word);
        } else {
            // A mutant that passes its fault again may be hard to kill, or conform.
            let hard = match stray.as_slice() {
                [] => walk.first_left(),
                stray => stray.iter().map(|one| (one.place, one.target)).collect(),
            };
            words.extend(walk.decide(&hard, plan.most - n_before, &mut n_conforming));
        }
        n_symbols += words[n_before..].iter().map(Vec::len).sum::<usize>();
    }
    Ok(FirstOrder {
        tests: words.iter().map(|word| test(word)).collect(),
        n_conforming,
        n_left: walk.n_left(),
    })
}
