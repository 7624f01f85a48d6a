//! Against trying every set of tests.

use fixedbitset::FixedBitSet;
use proptest::prelude::*;

use super::{Cover, greedy_cover, minimum_cover, prioritised};

/// Rows of a matrix from masks over `n_mutants` mutants.
fn rows(masks: &[u32], n_mutants: usize) -> Vec<FixedBitSet> {
    let row = |mask: &u32| (0..n_mutants).filter(|mutant| mask >> mutant & 1 == 1).collect();
    masks
        .iter()
        .map(|mask| {
            let mut row: FixedBitSet = row(mask);
            row.grow(n_mutants);
            row
        })
        .collect()
}

/// The least cost of a set of tests that kills what all of them kill, by trying all sets.
fn least_cost(masks: &[u32], costs: &[u64]) -> u64 {
    let union = |set: u32| {
        let in_set = masks.iter().enumerate().filter(|(test, _)| set >> test & 1 == 1);
        in_set.fold(0, |killed, (_, mask)| killed | mask)
    };
    let cost = |set: u32| {
        let in_set = costs.iter().enumerate().filter(|(test, _)| set >> test & 1 == 1);
        in_set.map(|(_, cost)| cost).sum::<u64>()
    };
    let all = (1u32 << masks.len()) - 1;
    let covers = (0..=all).filter(|&set| union(set) == union(all));
    covers.map(cost).min().expect("all tests are a cover")
}

fn assert_covers(masks: &[u32], costs: &[u64], cover: &Cover) {
    let union = |tests: &mut dyn Iterator<Item = usize>| tests.fold(0, |killed, test| killed | masks[test]);
    assert_eq!(union(&mut cover.tests.iter().copied()), union(&mut (0..masks.len())));
    assert_eq!(cover.tests.iter().map(|&test| costs[test]).sum::<u64>(), cover.cost);
    assert!(cover.tests.is_sorted());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 300 } else { 3000 }))]

    #[test]
    fn the_minimum_is_what_trying_all_sets_of_tests_gives(
        masks in prop::collection::vec(0u32..1 << 12, 0..11),
        costs in prop::collection::vec(0u64..4, 11),
        sparse in any::<bool>(),
    ) {
        let masks: Vec<u32> = if sparse { masks.iter().map(|mask| mask & (mask >> 3)).collect() } else { masks };
        let costs = &costs[..masks.len()];
        let least = least_cost(&masks, costs);
        let kills = rows(&masks, 12);
        let minimum = minimum_cover(&kills, costs, u64::MAX);
        assert_covers(&masks, costs, &minimum);
        prop_assert_eq!((minimum.cost, minimum.lower_bound, minimum.proved), (least, least, true));
        for limit in [0, 1, 3] {
            let limited = minimum_cover(&kills, costs, limit);
            assert_covers(&masks, costs, &limited);
            prop_assert!(limited.lower_bound <= least && least <= limited.cost);
            prop_assert!(!limited.proved || limited.cost == least);
        }
        let greedy = greedy_cover(&kills, costs);
        assert_covers(&masks, costs, &greedy);
        prop_assert!(greedy.lower_bound <= least && least <= greedy.cost);
    }
}

#[test]
fn greedy_may_need_one_test_more_than_the_minimum() {
    // The classical trap: {1,2,3,4} first, then {1,3,5} and {2,4,6} are both needed.
    let masks = [0b001111, 0b010101, 0b101010];
    let kills = rows(&masks, 6);
    assert_eq!(greedy_cover(&kills, &[1; 3]).tests, [0, 1, 2]);
    let minimum = minimum_cover(&kills, &[1; 3], u64::MAX);
    assert_eq!((minimum.tests.as_slice(), minimum.proved), ([1, 2].as_slice(), true));
}

#[test]
fn a_dear_test_is_replaced_by_cheap_ones() {
    let kills = rows(&[0b11, 0b01, 0b10], 2);
    assert_eq!(minimum_cover(&kills, &[5, 2, 2], u64::MAX).tests, [1, 2]);
    assert_eq!(minimum_cover(&kills, &[3, 2, 2], u64::MAX).tests, [0]);
}

#[test]
fn nothing_to_kill_needs_no_test() {
    assert!(minimum_cover(&[], &[], u64::MAX).tests.is_empty());
    let idle = minimum_cover(&rows(&[0, 0], 3), &[1, 1], u64::MAX);
    assert_eq!((idle.tests.len(), idle.cost, idle.proved), (0, 0, true));
}

proptest! {
    /// At every place stands a test of the greatest worth of those that are left, by counting bits.
    #[test]
    fn tests_are_put_in_the_order_of_what_they_add(
        tests in prop::collection::vec((0u32..1 << 9, 1u64..4), 1..9),
    ) {
        let (masks, costs): (Vec<_>, Vec<_>) = tests.into_iter().unzip();
        let kept: Vec<usize> = (0..masks.len()).filter(|test| test % 4 != 3).collect();
        let order = prioritised(&rows(&masks, 9), &costs, &kept);
        let mut listed: Vec<_> = order.iter().map(|(test, _)| *test).collect();
        let mut killed = 0;
        for (at, (test, kills)) in order.iter().enumerate() {
            let adds = |test: usize| u64::from((masks[test] & !killed).count_ones());
            prop_assert_eq!(*kills as u64, adds(*test));
            for later in &listed[at..] {
                prop_assert!(adds(*test) * costs[*later] >= adds(*later) * costs[*test]);
            }
            killed |= masks[*test];
        }
        listed.sort_unstable();
        prop_assert_eq!(listed, kept);
    }
}
