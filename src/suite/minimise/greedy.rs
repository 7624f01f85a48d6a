//! The greedy choice of tests: the answer where nothing is searched, and where a search begins.

use super::problem::{Open, Problem};

/// Greedy tests that kill all living mutants of `open`, in the order they were chosen.
pub(super) fn greedy(problem: &Problem, mut open: Open) -> Vec<usize> {
    let mut tests = Vec::new();
    while !open.is_done() {
        let killed = |test: usize| problem.kills[test].intersection_count(&open.mutants) as u128;
        // a/b > c/d without division; a test that costs nothing beats every other.
        let better =
            |a: usize, b: usize| killed(a) * u128::from(problem.costs[b]) > killed(b) * u128::from(problem.costs[a]);
        let useful = open.tests.ones().filter(|&test| killed(test) > 0);
        let best = useful.reduce(|best, test| if better(test, best) { test } else { best });
        let Some(best) = best else { break };
        open.choose(problem, best);
        tests.push(best);
    }
    tests
}
