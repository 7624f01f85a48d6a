use super::*;
use crate::tests::grids::*;
use proptest::prelude::*;

fn union<const N: usize>(dim: usize, zones: [&[Raw]; N]) -> Federation {
    Federation::from_zones(dim, zones.iter().filter_map(|raws| zone(dim, raws)))
}

#[test]
fn one_clock_examples_derived_by_hand() {
    // good: x in [5, 6]; bad: x in [2, 3).
    let good = union(2, [&[(0, 1, -5, false), (1, 0, 6, false)]]);
    let bad = union(2, [&[(0, 1, -2, false), (1, 0, 3, true)]]);
    assert!(safe_past(&good, &bad).equals(&union(2, [&[(0, 1, -3, false), (1, 0, 6, false)]])));
    // Good before bad is reached in time; the instant of good counts: x == 2 is bad itself.
    let early = union(2, [&[(0, 1, -1, false), (1, 0, 2, false)]]);
    assert!(safe_past(&early, &bad).equals(&union(2, [&[(1, 0, 2, true)]])));
    assert!(safe_past(&union(2, [&[(0, 1, -2, false), (1, 0, 2, false)]]), &bad).is_empty());
    // Forward from x == 0: up to 2, exclusive.
    let start = union(2, [&[(1, 0, 0, false)]]);
    assert!(safe_future(&start, &bad).equals(&union(2, [&[(1, 0, 2, true)]])));
    assert!(safe_future(&good, &bad).equals(&union(2, [&[(0, 1, -5, false)]])));
}

#[test]
fn time_can_pass_a_little_before_a_strict_end_and_from_a_closed_start() {
    let zone = union(2, [&[(0, 1, -1, false), (1, 0, 2, false)]]);
    assert!(
        zone.delayable()
            .equals(&union(2, [&[(0, 1, -1, false), (1, 0, 2, true)]]))
    );
    // [1, 2] and (2, 3]: from 2 time passes into the other zone.
    let two = union(
        2,
        [
            &[(0, 1, -1, false), (1, 0, 2, false)],
            &[(0, 1, -2, true), (1, 0, 3, false)],
        ],
    );
    assert!(
        two.delayable()
            .equals(&union(2, [&[(0, 1, -1, false), (1, 0, 3, true)]]))
    );
    // An open start that is not in the set does not count.
    let open = union(2, [&[(0, 1, -1, true)]]);
    assert!(open.delayable().equals(&open) && open.forever().equals(&open));
    assert!(two.forever().is_empty());
    assert!(Federation::universe(1).forever().equals(&Federation::universe(1)));
}

/// How long to walk: beyond all constants of the zones nothing changes.
fn horizon(dim: usize, most: i64) -> i64 {
    (dim as i64 * most + 1) * denominator(dim)
}

/// Walks from the point in half steps of the grid, in the direction of `sign`, as far as clocks are not negative.
fn walk(point: &[i64], sign: i64, steps: i64) -> impl Iterator<Item = Vec<i64>> {
    (0..=steps).map_while(move |step| shifted(point, sign * step))
}

fn sizes() -> impl Strategy<Value = (usize, i64)> {
    prop_oneof![2 => Just((2, 3)), 3 => Just((3, 2)), 1 => Just((4, 1))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn safe_past_and_safe_future_agree_with_walking_the_grid(
        (most, goal, bad) in sizes().prop_flat_map(|(dim, most)| (Just(most), federations(dim, most), federations(dim, most))),
    ) {
        let (dim, unit) = (goal.dim(), denominator(goal.dim()));
        let (past, future) = (safe_past(&goal, &bad), safe_future(&goal, &bad));
        let (past_in, future_in) = (past_within(&goal, &bad), future_within(&goal, &bad));
        for point in grid(dim, most + 1) {
            let reaches = |sign| {
                walk(&point, sign, horizon(dim, most))
                    .take_while(|moved| !bad.contains_scaled(moved, unit))
                    .any(|moved| goal.contains_scaled(&moved, unit))
            };
            prop_assert_eq!(past.contains_scaled(&point, unit), reaches(1), "past {} at {:?}", past, point);
            prop_assert_eq!(future.contains_scaled(&point, unit), reaches(-1), "future {} at {:?}", future, point);
            let reaches = |sign| {
                walk(&point, sign, horizon(dim, most))
                    .take_while(|moved| bad.contains_scaled(moved, unit))
                    .any(|moved| goal.contains_scaled(&moved, unit))
            };
            prop_assert_eq!(past_in.contains_scaled(&point, unit), reaches(1), "past {} at {:?}", past_in, point);
            prop_assert_eq!(future_in.contains_scaled(&point, unit), reaches(-1), "future {} at {:?}", future_in, point);
        }
        prop_assert!(past_in.equals(&safe_past(&goal, &bad.complement())));
        prop_assert!(future_in.equals(&safe_future(&goal, &bad.complement())));
    }

    #[test]
    fn delayable_and_forever_agree_with_walking_the_grid(
        (most, set) in sizes().prop_flat_map(|(dim, most)| (Just(most), federations(dim, most))),
    ) {
        let (dim, unit) = (set.dim(), denominator(set.dim()));
        let (delayable, forever) = (set.delayable(), set.forever());
        for point in grid(dim, most + 1) {
            let stays = |steps| walk(&point, 1, steps).all(|moved| set.contains_scaled(&moved, unit));
            prop_assert_eq!(delayable.contains_scaled(&point, unit), stays(1), "{} at {:?}", delayable, point);
            prop_assert_eq!(forever.contains_scaled(&point, unit), stays(horizon(dim, most)), "{} at {:?}", forever, point);
        }
    }
    #[test]
    fn a_zone_is_unbounded_if_no_walk_leaves_it(
        (most, zone) in sizes().prop_flat_map(|(dim, most)| (Just(most), zones(dim, most))),
    ) {
        let unit = denominator(zone.dim());
        let inside = |point: &Vec<i64>| zone.contains_scaled(point, unit);
        let stays = |point: &Vec<i64>| walk(point, 1, horizon(zone.dim(), most)).all(|moved| inside(&moved));
        let within = |top| -> Vec<Vec<i64>> { grid(zone.dim(), top).into_iter().filter(inside).collect() };
        let mut points = within(most + 1);
        if points.is_empty() {
            // Differences add up: the zone begins beyond its constants.
            points = within(zone.dim() as i64 * most + 1);
        }
        prop_assert!(!points.is_empty(), "{} has no point on the grid", zone);
        prop_assert_eq!(zone.is_unbounded(), points.iter().all(stays), "{}", zone);
    }

    #[test]
    fn approached_agrees_with_a_step_back_on_the_grid(
        (most, zone) in sizes().prop_flat_map(|(dim, most)| (Just(most), zones(dim, most))),
    ) {
        let (dim, unit) = (zone.dim(), denominator(zone.dim()));
        let approached = Federation::from_zones(dim, zone.approached());
        for point in grid(dim, most + 1) {
            let before = shifted(&point, -1).is_some_and(|earlier| zone.contains_scaled(&earlier, unit));
            prop_assert_eq!(approached.contains_scaled(&point, unit), before, "{} at {:?}", approached, point);
        }
    }
}
