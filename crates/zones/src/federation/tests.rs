use super::*;
use crate::dbm::minimal::Cutter;
use crate::tests::grids::*;
use proptest::prelude::*;

#[test]
fn the_complement_of_a_square_is_what_is_right_of_it_and_above_it() {
    let square = zone(3, &[(1, 0, 2, false), (2, 0, 1, true)]).unwrap();
    let outside = Federation::from(square.clone()).complement();
    let right = zone(3, &[(0, 1, -2, true)]).unwrap();
    let above = zone(3, &[(0, 2, -1, false)]).unwrap();
    assert!(outside.equals(&Federation::from_zones(3, [right, above])));
    assert!(!outside.intersects_dbm(&square));
    assert!(outside.complement().equals(&square.into()));
    assert!(Federation::empty(3).complement().equals(&Federation::universe(3)));
    assert!(Federation::universe(3).complement().is_empty());
}

#[test]
fn adjacent_zones_merge_and_overlapping_covers_disappear() {
    let left = zone(2, &[(1, 0, 2, true)]).unwrap();
    let right = zone(2, &[(0, 1, -2, false)]).unwrap();
    let mut line = Federation::from_zones(2, [left, right]);
    assert_eq!(line.zones().len(), 2);
    line.reduce();
    assert_eq!(line.zones(), [Dbm::universe(2)]);
    // x < 2 and x > 2 leave a hole: no merge.
    let mut holed = Federation::universe(2);
    holed.subtract_dbm(&zone(2, &[(1, 0, 2, false), (0, 1, -2, false)]).unwrap());
    holed.reduce();
    assert_eq!(holed.to_string(), "(x1>2) || (x1<2)");
}

#[test]
fn a_zone_that_only_two_others_cover_together_disappears() {
    let rectangle =
        |left: i64, right: i64, top: i64| zone(3, &[(0, 1, -left, false), (1, 0, right, false), (2, 0, top, false)]);
    // No two of these have a convex union.
    let (first, covered, second) = (rectangle(0, 2, 2), rectangle(1, 3, 1), rectangle(2, 4, 3));
    let mut set = Federation::from_zones(3, [&first, &covered, &second].into_iter().flatten().cloned());
    assert_eq!(set.zones().len(), 3);
    set.reduce();
    assert!(set.zones().len() == 2 && !set.zones().contains(&covered.unwrap()));
    assert!(set.equals(&Federation::from_zones(3, [first, second].into_iter().flatten())));
}

#[test]
fn a_federation_is_given_back_as_its_zones_and_takes_their_room() {
    let zones = [
        zone(4, &[(1, 0, 2, false)]).unwrap(),
        zone(4, &[(0, 1, -3, false)]).unwrap(),
    ];
    let set = Federation::from_zones(4, zones.clone());
    assert!(set.bytes() >= zones.iter().map(Dbm::bytes).sum());
    assert_eq!(set.into_zones(), zones);
}

#[test]
fn without_clocks_a_federation_is_a_truth_value() {
    let (no, yes) = (Federation::empty(1), Federation::universe(1));
    assert!(no.complement().equals(&yes) && yes.complement().equals(&no));
    assert!(yes.includes(&no) && !no.includes(&yes));
    assert!(yes.contains(&[]) && !no.contains(&[]));
    assert_eq!(
        (no.to_string(), yes.to_string()),
        ("false".to_owned(), "(true)".to_owned())
    );
}

#[test]
fn subtraction_and_inclusion_agree_with_points_on_all_pairs_of_small_zones() {
    let (zones, points, unit) = (small_zones(), grid(3, 3), denominator(3));
    for (first, left) in &zones {
        for (second, right) in &zones {
            let mut rest = Federation::from(first.clone());
            rest.subtract_dbm(second);
            let expected = left & !right;
            let mut found = 0;
            for zone in rest.zones() {
                let piece = mask(&points, |point| zone.contains_scaled(point, unit));
                assert_eq!(found & piece, 0, "the pieces of {first} minus {second} overlap");
                found |= piece;
            }
            assert_eq!(found, expected, "{first} minus {second}");
            assert_eq!(rest.is_empty(), expected == 0, "{first} minus {second}");
        }
    }
}

/// A federation on the grid: contains, per point.
fn on_grid(federation: &Federation, points: &[Vec<i64>]) -> Vec<bool> {
    let unit = denominator(federation.dim());
    points
        .iter()
        .map(|point| federation.contains_scaled(point, unit))
        .collect()
}

fn pointwise(left: &[bool], right: &[bool], op: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    left.iter().zip(right).map(|(&left, &right)| op(left, right)).collect()
}

fn changed(federation: &Federation, change: impl Fn(&mut Federation)) -> Federation {
    let mut federation = federation.clone();
    change(&mut federation);
    federation
}

/// Constants up to 2, or 1 for three clocks, so that the grid up to `top` decides emptiness: entries of a zone are sums
/// along paths, and a non-empty zone has a point less than 1 above its lower bounds.
fn sizes() -> impl Strategy<Value = (usize, i64)> {
    prop_oneof![Just((2, 3)), Just((3, 2)), Just((4, 1))]
}
fn top(dim: usize, most: i64) -> i64 {
    (dim as i64 - 1) * most + 1
}

/// More zones than [`federations`] has, so that pieces of one lie in others.
fn overlapping(dim: usize, most: i64) -> impl Strategy<Value = Federation> {
    prop::collection::vec(zones(dim, most), 2..8).prop_map(move |zones| Federation::from_zones(dim, zones))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn two_zones_merge_if_and_only_if_they_cover_their_hull(
        set in sizes().prop_flat_map(|(dim, most)| prop::collection::vec(zones(dim, most), 2..8)),
    ) {
        for first in &set {
            for second in &set {
                let hull = first.hull(second);
                let is_covered = Federation::from_zones(first.dim(), [first.clone(), second.clone()]).includes_dbm(&hull);
                let merged = first.merged(second);
                prop_assert_eq!(&merged, &is_covered.then_some(hull));
                // The same among free clocks, in a dimension without a kernel of its own.
                let embedded = |zone: &Dbm| zone.embed(13, 4);
                prop_assert_eq!(embedded(first).merged(&embedded(second)), merged.as_ref().map(embedded));
            }
        }
    }

    #[test]
    fn set_operations_agree_with_points(
        (most, first, second) in sizes().prop_flat_map(|(dim, most)| (Just(most), federations(dim, most), federations(dim, most))),
    ) {
        let points = grid(first.dim(), top(first.dim(), most));
        let (left, right) = (on_grid(&first, &points), on_grid(&second, &points));
        let check = |result: Federation, op: fn(bool, bool) -> bool| {
            let expected = pointwise(&left, &right, op);
            prop_assert_eq!(on_grid(&result, &points), expected, "{}", result);
            let mut reduced = result.clone();
            reduced.reduce();
            prop_assert_eq!(on_grid(&reduced, &points), on_grid(&result, &points), "reduced {} to {}", result, reduced);
            prop_assert!(reduced.equals(&result) && reduced.zones().len() <= result.zones().len());
            Ok(())
        };
        check(changed(&first, |first| first.union_with(&second)), |a, b| a || b)?;
        check(changed(&first, |first| first.intersect(&second)), |a, b| a && b)?;
        check(changed(&first, |first| first.subtract(&second)), |a, b| a && !b)?;
        check(first.complement(), |a, _| !a)?;
        let all = |op: fn(bool, bool) -> bool| pointwise(&left, &right, op).iter().all(|&holds| holds);
        prop_assert_eq!(first.includes(&second), all(|a, b| a || !b));
        prop_assert_eq!(first.equals(&second), all(|a, b| a == b));
        prop_assert_eq!(first.intersects(&second), !all(|a, b| !(a && b)));
        prop_assert_eq!(first.is_empty(), all(|a, _| !a));
    }

    /// In the same order, though most inclusions are not asked about; and what is reduced stays as it is.
    #[test]
    fn unions_are_those_of_adding_each_zone_and_reducing_twice_is_reducing_once(
        (union, other) in sizes().prop_flat_map(|(dim, most)| (overlapping(dim, most), overlapping(dim, most))),
    ) {
        let mut expected = union.clone();
        other.zones().iter().for_each(|zone| expected.add(zone.clone()));
        let mut united = changed(&union, |union| union.union_with(&other));
        prop_assert_eq!(united.zones(), expected.zones());
        united.reduce();
        let again = changed(&united, Federation::reduce);
        prop_assert_eq!(again.zones(), united.zones());
    }

    /// Zone by zone and in the same order, though most inclusions are not asked about.
    #[test]
    fn subtraction_keeps_what_adding_every_piece_and_zone_would(
        (union, zone) in sizes().prop_flat_map(|(dim, most)| (overlapping(dim, most), zones(dim, most))),
    ) {
        let mut expected = Federation::empty(union.dim());
        let mut cutter = Cutter::of(&zone);
        for part in union.zones() {
            if part.intersects(&zone) {
                let cuts = cutter.cuts(part);
                subtract::Pieces::new(part.clone(), cuts).for_each(|piece| expected.add(piece));
            } else {
                expected.add(part.clone());
            }
        }
        let rest = changed(&union, |union| union.subtract_dbm(&zone));
        prop_assert_eq!(rest.zones(), expected.zones());
    }

    #[test]
    fn a_union_includes_a_zone_iff_nothing_is_left_of_it(
        (zone, union) in sizes().prop_flat_map(|(dim, most)| (zones(dim, most), federations(dim, most))),
    ) {
        let mut rest = Federation::from(zone.clone());
        rest.subtract(&union);
        prop_assert_eq!(union.includes_dbm(&zone), rest.is_empty());
        prop_assert_eq!(rest.some_point().is_some_and(|point| zone.contains(&point) && !union.contains(&point)), !rest.is_empty());
        let mut both = union.clone();
        both.intersect_dbm(&zone);
        let mut whole = both.clone();
        whole.union_with(&rest);
        prop_assert!(whole.equals(&zone.into()) && !both.intersects(&rest));
    }

    #[test]
    fn delay_and_reset_distribute_over_the_zones(
        (federation, clock, value) in sizes().prop_flat_map(|(dim, most)| (federations(dim, most), 0..dim - 1, 0..=most)),
    ) {
        let variable = Variable::new(clock);
        let check = |whole: fn(&mut Federation, Variable, i64), part: fn(&mut Dbm, Variable, i64) -> bool| {
            let result = changed(&federation, |federation| whole(federation, variable, value));
            let parts = federation.zones().iter().filter_map(|zone| {
                let mut zone = zone.clone();
                part(&mut zone, variable, value).then_some(zone)
            });
            prop_assert!(result.equals(&Federation::from_zones(federation.dim(), parts)));
            Ok(())
        };
        check(|whole, _, _| whole.up(), |part, _, _| { part.up(); true })?;
        check(|whole, _, _| whole.down(), |part, _, _| { part.down(); true })?;
        check(|whole, v, _| whole.free(v), |part, v, _| { part.free(v); true })?;
        check(Federation::reset, |part, v, value| { part.reset(v, value); true })?;
        check(Federation::unreset, Dbm::unreset)?;
    }
}
