//! The smallest or cheapest suites, and the order in which to run tests.

use fixedbitset::FixedBitSet;

use super::problem::Problem;
use super::search::{greedy, solve};

/// Tests that together kill every mutant that some test kills.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// The positions of the chosen tests, ascending.
    pub tests: Vec<usize>,
    /// The sum of the costs of the chosen tests.
    pub cost: u64,
    /// A lower bound on the cost of every set of tests with the same kills.
    pub lower_bound: u64,
    /// Whether `cost` is the minimum (and then `lower_bound`).
    pub proved: bool,
}

/// The cheapest tests that kill all mutants that some test kills. `kills[t]` is the set of mutants that test `t` kills, `costs[t]`
/// its cost (1 each for the fewest tests). At most `max_nodes` nodes are searched, so the answer depends on nothing else; with 0 it
/// is the greedy cover after reductions.
///
/// # Panics
/// If there are more or fewer costs than tests.
pub fn minimum_cover(kills: &[FixedBitSet], costs: &[u64], max_nodes: u64) -> Cover {
    let problem = Problem::new(kills, costs);
    let mut nodes = max_nodes;
    let found = solve(&problem, problem.open(), &mut nodes);
    let cost = problem.cost(&found.tests);
    cover(
        &problem,
        found.tests,
        found.lower_bound,
        found.proved || cost == found.lower_bound,
    )
}

/// The classical approximation: always takes the test that kills the most living mutants for its cost, the first one in a tie. The
/// lower bound is trivial: the most expensive of the cheapest killers.
///
/// # Panics
/// If there are more or fewer costs than tests.
pub fn greedy_cover(kills: &[FixedBitSet], costs: &[u64]) -> Cover {
    let problem = Problem::new(kills, costs);
    let open = problem.open();
    let needed = open
        .mutants
        .ones()
        .filter_map(|mutant| problem.cheapest_killer(&open, mutant));
    let lower_bound = needed.max().unwrap_or(0);
    let tests = greedy(&problem, open);
    let proved = problem.cost(&tests) == lower_bound;
    cover(&problem, tests, lower_bound, proved)
}

fn cover(problem: &Problem, mut tests: Vec<usize>, lower_bound: u64, proved: bool) -> Cover {
    tests.sort_unstable();
    Cover {
        cost: problem.cost(&tests),
        lower_bound,
        proved,
        tests,
    }
}

/// `tests` in an order in which each kills, for its cost, the most of the mutants that the tests before it leave, with the number
/// of these mutants. Among equals the test that kills more comes first, then the one named first; tests that kill nothing more come
/// last, in the given order. `kills[t]` is the set of mutants that test `t` kills, `costs[t]` its cost.
pub fn prioritised(kills: &[FixedBitSet], costs: &[u64], tests: &[usize]) -> Vec<(usize, usize)> {
    let mut left = tests.to_vec();
    let mut killed = FixedBitSet::new();
    let mut order = Vec::with_capacity(tests.len());
    while !left.is_empty() {
        let additional = |test: usize| kills[test].difference(&killed).count();
        let counted: Vec<_> = left.iter().map(|test| (*test, additional(*test))).collect();
        let better = |a: (usize, usize), b: (usize, usize)| {
            let worth = |of: (usize, usize), other: (usize, usize)| of.1 as u128 * u128::from(costs[other.0]);
            (worth(a, b), a.1) > (worth(b, a), b.1)
        };
        let first = (0..counted.len()).reduce(|best, at| if better(counted[at], counted[best]) { at } else { best });
        let Some(first) = first else { break };
        if counted[first].1 == 0 {
            order.extend(counted);
            break;
        }
        killed.union_with(&kills[counted[first].0]);
        order.push(counted[first]);
        left.remove(first);
    }
    order
}
