//! Which test to run first.

use fixedbitset::FixedBitSet;

/// `tests` in the order in which each kills most, for its cost, of what those before it leave, and how many that are.
/// Among equals the one that kills more comes first, then the one named first; so tests that kill nothing more come
/// last, as they were. `kills[t]` is the set of mutants that test `t` kills, `costs[t]` its cost.
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
