//! Prioritisation of tests by their formulas (\[000\] section 3.3).

use num_bigint::BigUint;

use crate::{Counter, InputId, MutationMachine};
use tamper_text::{Budget, StopReason};

/// The tests in an order in which each kills the most of the mutants that its predecessors leave; ties are broken by
/// the given order. Each test is a position in `tests` with the number of mutants it kills in addition.
///
/// # Errors
/// The limit that was hit; the budget's states are the nodes of a diagram.
pub fn prioritised(
    machine: &MutationMachine,
    tests: &[Vec<InputId>],
    budget: &Budget,
) -> Result<Vec<(usize, BigUint)>, StopReason> {
    let mut counter = Counter::new(machine, budget.clone());
    // A test never kills more mutants when fewer are alive: its last known number is an upper bound.
    let mut left: Vec<(usize, BigUint)> = (0..tests.len()).map(|at| (at, machine.n_machines())).collect();
    let mut order = Vec::with_capacity(tests.len());
    while !left.is_empty() {
        let alive = counter.survivors();
        let mut best: Option<(usize, Counter<'_>)> = None;
        left.sort_by(|(one, most), (other, least)| least.cmp(most).then(one.cmp(other)));
        for place in 0..left.len() {
            let (at, bound) = &left[place];
            let beats = |known: usize| (bound, &left[known].0) > (&left[known].1, at);
            if best.as_ref().is_some_and(|(known, _)| !beats(*known)) {
                continue;
            }
            let mut with = counter.clone();
            with.add_test(&tests[*at]);
            if let Some(reason) = with.stopped() {
                return Err(reason);
            }
            left[place].1 = &alive - with.survivors();
            let (at, kills) = &left[place];
            if best
                .as_ref()
                .is_none_or(|(known, _)| (kills, &left[*known].0) > (&left[*known].1, at))
            {
                best = Some((place, with));
            }
        }
        let Some((place, with)) = best else { break };
        counter = with;
        order.push(left.remove(place));
    }
    Ok(order)
}
