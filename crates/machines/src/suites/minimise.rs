//! Drops tests whose mutants the other tests kill anyway (\[000\] section 3.3: tests compared by their formulas).

use crate::encoding::Encoding;
use crate::{AlphaAutomaton, InputId, MutationMachine};
use tamper_features::{Lit, Solver, SolverFailure};
use tamper_text::{Budget, StopReason};

/// The tests that remain after needless ones are dropped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needed {
    /// The positions of the tests that are kept, ascending.
    pub tests: Vec<usize>,
    /// The limit that was hit, if any: then some of the tests may be needless.
    pub stopped: Option<StopReason>,
}

/// The tests to keep: together they kill the same mutants as all tests, and none of them can be dropped. The result
/// need not be a smallest one. Short tests are dropped before long ones; `solver` must be fresh; `on_done` receives the
/// number of tests decided. The budget's states are the questions to the solver; a test that a limit leaves undecided
/// is kept.
///
/// # Errors
/// If the solver does not answer.
pub fn minimise(
    machine: &MutationMachine,
    tests: &[Vec<InputId>],
    solver: &mut dyn Solver,
    budget: &Budget,
    on_done: &mut dyn FnMut(usize),
) -> Result<Needed, SolverFailure> {
    let all = |reason| Needed {
        tests: (0..tests.len()).collect(),
        stopped: Some(reason),
    };
    let (encoding, _) = Encoding::new(machine, solver);
    let mut kills: Vec<Lit> = Vec::with_capacity(tests.len());
    for inputs in tests {
        kills.push(encoding.define(&AlphaAutomaton::new(machine, inputs), solver));
        if let Some(reason) = budget.exceeded(0, 0).or(machine.stopped()) {
            return Ok(all(reason));
        }
    }
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by_key(|test| (tests[*test].len(), std::cmp::Reverse(*test)));
    let mut kept = vec![true; tests.len()];
    let mut stopped = None;
    for (n_done, test) in order.into_iter().enumerate() {
        stopped = budget.exceeded(n_done as u64 + 1, 0);
        if stopped.is_some() {
            break;
        }
        // Asks for a mutant that this test kills and no other kept test kills.
        let others = (0..tests.len()).filter(|other| *other != test && kept[*other]);
        let mut assumptions: Vec<Lit> = others.map(|other| !kills[other]).collect();
        assumptions.push(kills[test]);
        kept[test] = solver.solve(&assumptions)?;
        on_done(n_done + 1);
    }
    Ok(Needed {
        tests: (0..tests.len()).filter(|test| kept[*test]).collect(),
        stopped,
    })
}
