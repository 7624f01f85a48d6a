//! Dropping tests whose mutants the other tests kill anyway (\[000\] section 3.3: tests compared by their formulas).

use super::encoding::Encoding;
use super::{AlphaAutomaton, InputId, MutationMachine};
use crate::features::{Lit, Solver, SolverFailure};

/// The numbers of the tests to keep, in order: together they kill what all do, and none of them is needless. Not
/// always as few as possible. Short tests are dropped before long ones; `solver` is a fresh one; `on_done` hears how
/// many tests were looked at.
///
/// # Errors
/// If the solver does not answer.
pub fn minimise(
    machine: &MutationMachine,
    tests: &[Vec<InputId>],
    solver: &mut dyn Solver,
    on_done: &mut dyn FnMut(usize),
) -> Result<Vec<usize>, SolverFailure> {
    let (encoding, _) = Encoding::new(machine, solver);
    let kills: Vec<Lit> = tests
        .iter()
        .map(|inputs| encoding.define(&AlphaAutomaton::new(machine, inputs), solver))
        .collect();
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by_key(|test| (tests[*test].len(), std::cmp::Reverse(*test)));
    let mut kept = vec![true; tests.len()];
    for (n_done, test) in order.into_iter().enumerate() {
        // Is there a mutant that this test kills and no other one that is kept?
        let others = (0..tests.len()).filter(|other| *other != test && kept[*other]);
        let mut assumptions: Vec<Lit> = others.map(|other| !kills[other]).collect();
        assumptions.push(kills[test]);
        kept[test] = solver.solve(&assumptions)?;
        on_done(n_done + 1);
    }
    Ok((0..tests.len()).filter(|test| kept[*test]).collect())
}
