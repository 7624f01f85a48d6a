//! Reductions that keep some minimum. They are repeated until nothing changes: tests that are the only killers of a mutant are
//! chosen, mutants that die with another one are dropped, and tests that another one replaces are dropped.

use fixedbitset::FixedBitSet;

use super::problem::{CoverSubproblem, Problem};

/// Shrinks `open` while keeping some minimum, and adds the tests that must be chosen to `chosen`. Returns `false` if a living
/// mutant is killed by no open test.
pub(super) fn reduce(problem: &Problem, open: &mut CoverSubproblem, chosen: &mut Vec<usize>) -> bool {
    loop {
        let Some(essential) = essential_tests(problem, open) else {
            return false;
        };
        let mut changed = !essential.is_empty();
        for test in essential {
            open.choose(problem, test);
            chosen.push(test);
        }
        changed |= drop_mutants(problem, open);
        changed |= drop_tests(problem, open);
        if !changed {
            return true;
        }
    }
}

/// The tests that are the only killers of some mutant, ascending; `None` if a mutant has no killer.
fn essential_tests(problem: &Problem, open: &CoverSubproblem) -> Option<Vec<usize>> {
    let mut tests = Vec::new();
    for mutant in open.mutants.ones() {
        let mut killers = problem.killers[mutant].intersection(&open.tests);
        match (killers.next(), killers.next()) {
            (None, _) => return None,
            (Some(only), None) => tests.push(only),
            _ => (),
        }
    }
    tests.sort_unstable();
    tests.dedup();
    Some(tests)
}

/// Drops mutants whose killers include all killers of another one: a test that kills the other one kills them too.
fn drop_mutants(problem: &Problem, open: &mut CoverSubproblem) -> bool {
    let restricted = |mutant: usize| {
        let mut killers = problem.killers[mutant].clone();
        killers.intersect_with(&open.tests);
        killers
    };
    // Few killers first: only a mutant with fewer (or equally many) killers can make another one redundant.
    let mut alive: Vec<(usize, usize, FixedBitSet)> = open
        .mutants
        .ones()
        .map(|mutant| {
            let killers = restricted(mutant);
            (killers.count_ones(..), mutant, killers)
        })
        .collect();
    alive.sort_unstable_by_key(|(n_killers, mutant, _)| (*n_killers, *mutant));
    let mut kept: Vec<&FixedBitSet> = Vec::new();
    let mut dropped = false;
    for (_, mutant, killers) in &alive {
        if kept.iter().any(|fewer| fewer.is_subset(killers)) {
            open.mutants.set(*mutant, false);
            dropped = true;
        } else {
            kept.push(killers);
        }
    }
    dropped
}

/// Drops tests that kill nothing alive, or nothing that another test of at most the same cost does not kill as well.
fn drop_tests(problem: &Problem, open: &mut CoverSubproblem) -> bool {
    let mut candidates: Vec<(usize, usize, FixedBitSet)> = open
        .tests
        .ones()
        .map(|test| {
            let mut killed = problem.kills[test].clone();
            killed.intersect_with(&open.mutants);
            (killed.count_ones(..), test, killed)
        })
        .collect();
    // Many kills first, cheap before dear: only an earlier test can replace a later one.
    candidates.sort_unstable_by_key(|(n_killed, test, _)| (usize::MAX - n_killed, problem.costs[*test], *test));
    let mut kept: Vec<(u64, &FixedBitSet)> = Vec::new();
    let mut dropped = false;
    for (n_killed, test, killed) in &candidates {
        let cost = problem.costs[*test];
        if *n_killed == 0
            || kept
                .iter()
                .any(|(other, more)| *other <= cost && killed.is_subset(more))
        {
            open.tests.set(*test, false);
            dropped = true;
        } else {
            kept.push((cost, killed));
        }
    }
    dropped
}
