//! The questions of this module.

use fixedbitset::FixedBitSet;

use super::greedy::greedy;
use super::problem::Problem;
use super::search::solve;

/// Tests that together kill every mutant that some test kills.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// The positions of the chosen tests, ascending.
    pub tests: Vec<usize>,
    /// The sum of the costs of the chosen tests.
    pub cost: u64,
    /// No such set of tests costs less than this.
    pub lower_bound: u64,
    /// Whether `cost` is the minimum (and then `lower_bound`).
    pub proved: bool,
}

/// The cheapest tests that kill what all of them kill. `kills[t]` is the set of mutants that test `t` kills, `costs[t]`
/// its cost (1 each for the fewest tests). At most `max_nodes` nodes are searched, so the answer depends on
/// nothing else; with 0 it is the greedy one after reductions.
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

/// The classical approximation: always the test that kills most of the living for its cost, ties to the first.
/// The lower bound is trivial: the dearest of the cheapest killers.
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
