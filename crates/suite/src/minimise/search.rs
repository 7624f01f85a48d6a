//! Branch and bound on the part that the reductions leave, starting from a greedy choice.

use fixedbitset::FixedBitSet;

use super::problem::{CoverSubproblem, Problem};
use super::reduce::reduce;

/// The best cover found of an open part.
pub(super) struct CoverResult {
    pub tests: Vec<usize>,
    /// No cover of the part is cheaper than this.
    pub lower_bound: u64,
    pub proved: bool,
}

/// A cover of `open`, minimal unless the nodes of the search ran out.
pub(super) fn solve(problem: &Problem, mut open: CoverSubproblem, nodes: &mut u64) -> CoverResult {
    let mut tests = Vec::new();
    let is_coverable = reduce(problem, &mut open, &mut tests);
    debug_assert!(is_coverable, "only mutants that some test kills are open");
    let mut found = CoverResult {
        lower_bound: problem.cost(&tests),
        tests,
        proved: true,
    };
    for part in components(problem, &open) {
        let solved = branch(problem, part, nodes);
        found.lower_bound += solved.lower_bound;
        found.proved &= solved.proved;
        found.tests.extend(solved.tests);
    }
    found
}

/// Splits the open part into components: no test kills mutants of two of them.
fn components(problem: &Problem, open: &CoverSubproblem) -> Vec<CoverSubproblem> {
    let mut rest = open.clone();
    let mut parts = Vec::new();
    while let Some(first) = rest.mutants.ones().next() {
        let mut part = CoverSubproblem {
            tests: FixedBitSet::with_capacity(open.tests.len()),
            mutants: FixedBitSet::with_capacity(open.mutants.len()),
        };
        let mut pending = vec![first];
        rest.mutants.set(first, false);
        while let Some(mutant) = pending.pop() {
            part.mutants.insert(mutant);
            let joining: Vec<usize> = problem.killers[mutant].intersection(&rest.tests).collect();
            for test in joining {
                rest.tests.set(test, false);
                part.tests.insert(test);
                let reached: Vec<usize> = problem.kills[test].intersection(&rest.mutants).collect();
                for mutant in reached {
                    rest.mutants.set(mutant, false);
                    pending.push(mutant);
                }
            }
        }
        parts.push(part);
    }
    parts
}

/// Searches one component: starts from the greedy cover, and proves it minimal or improves it.
fn branch(problem: &Problem, open: CoverSubproblem, nodes: &mut u64) -> CoverResult {
    let lower_bound = bound(problem, &open);
    let tests = greedy(problem, open.clone());
    let mut search = CoverSearch {
        problem,
        nodes,
        best_cost: problem.cost(&tests),
        best: tests,
        chosen: Vec::new(),
        stopped: false,
    };
    if search.best_cost > lower_bound {
        search.visit(open);
    }
    let proved = !search.stopped;
    CoverResult {
        lower_bound: if proved { search.best_cost } else { lower_bound },
        tests: search.best,
        proved,
    }
}

struct CoverSearch<'a> {
    problem: &'a Problem,
    nodes: &'a mut u64,
    best: Vec<usize>,
    best_cost: u64,
    chosen: Vec<usize>,
    stopped: bool,
}

impl CoverSearch<'_> {
    /// Searches for covers of `open` that, together with the chosen tests, are cheaper than the best.
    fn visit(&mut self, mut open: CoverSubproblem) {
        if *self.nodes == 0 {
            self.stopped = true;
            return;
        }
        *self.nodes -= 1;
        let depth = self.chosen.len();
        if reduce(self.problem, &mut open, &mut self.chosen) {
            self.split(&open);
        }
        self.chosen.truncate(depth);
    }

    fn split(&mut self, open: &CoverSubproblem) {
        let cost = self.problem.cost(&self.chosen);
        if cost + bound(self.problem, open) >= self.best_cost {
            return;
        }
        let Some(mutant) = hardest_mutant(self.problem, open) else {
            self.best = self.chosen.clone();
            self.best_cost = cost;
            return;
        };
        let mut killers: Vec<usize> = self.problem.killers[mutant].intersection(&open.tests).collect();
        killers.sort_by_key(|&test| {
            let killed = self.problem.kills[test].intersection_count(&open.mutants);
            (usize::MAX - killed, self.problem.costs[test], test)
        });
        let mut rest = open.clone();
        for test in killers {
            let mut next = rest.clone();
            next.choose(self.problem, test);
            self.chosen.push(test);
            self.visit(next);
            self.chosen.pop();
            // All covers with this test have been searched.
            rest.tests.set(test, false);
        }
    }
}

/// The mutant with the fewest killers: each cover chooses one of them.
fn hardest_mutant(problem: &Problem, open: &CoverSubproblem) -> Option<usize> {
    let n_killers = |mutant: &usize| problem.killers[*mutant].intersection_count(&open.tests);
    open.mutants.ones().min_by_key(n_killers)
}

/// A lower bound on the cost of every cover of `open`: the cheapest killers of mutants of which no two share a killer.
fn bound(problem: &Problem, open: &CoverSubproblem) -> u64 {
    let mut mutants: Vec<(usize, usize)> = open
        .mutants
        .ones()
        .map(|mutant| (problem.killers[mutant].intersection_count(&open.tests), mutant))
        .collect();
    mutants.sort_unstable();
    let mut used = FixedBitSet::with_capacity(open.tests.len());
    let mut total = 0;
    for (_, mutant) in mutants {
        let killers = &problem.killers[mutant];
        if killers.intersection(&open.tests).all(|test| !used.contains(test)) {
            total += problem.cheapest_killer(open, mutant).unwrap_or(0);
            used.union_with(killers);
        }
    }
    total
}

/// Greedy tests that kill all living mutants of `open`, in the order they were chosen.
pub(super) fn greedy(problem: &Problem, mut open: CoverSubproblem) -> Vec<usize> {
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
