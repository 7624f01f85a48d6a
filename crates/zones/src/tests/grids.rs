//! What the tests of this room share: grids that meet every region, and zones to try.

use crate::{Bound, Clock, Dbm, DbmDraft, Federation, Variable};
use proptest::prelude::*;
use std::collections::HashMap;

/// Grid step of `dim - 1` clocks, as a denominator. A grid of step 1/(clocks + 1) has room for all orders of fractional
/// parts, so it meets every region; points lie on even multiples of half of it, delays on all multiples.
pub fn denominator(dim: usize) -> i64 {
    2 * i64::try_from(dim).expect("small")
}

/// All grid points with coordinates in `[0, top]`, as numerators over [`denominator`].
pub fn grid(dim: usize, top: i64) -> Vec<Vec<i64>> {
    let values: Vec<i64> = (0..=top * denominator(dim)).step_by(2).collect();
    (1..dim).fold(vec![Vec::new()], |points, _| {
        let extend = |point: &Vec<i64>, &value| [point.as_slice(), &[value]].concat();
        points
            .iter()
            .flat_map(|point| values.iter().map(move |value| extend(point, value)))
            .collect()
    })
}

/// The point moved by `steps` half steps of the grid; `None` if a clock becomes negative.
pub fn shifted(point: &[i64], steps: i64) -> Option<Vec<i64>> {
    let moved: Vec<i64> = point.iter().map(|value| value + steps).collect();
    moved.iter().all(|&value| value >= 0).then_some(moved)
}

/// The point with clock number `clock` replaced.
pub fn with(point: &[i64], clock: usize, value: i64) -> Vec<i64> {
    let mut point = point.to_vec();
    point[clock] = value;
    point
}

/// A constraint as numbers: `left - right <= constant`, or `<`.
pub type Raw = (usize, usize, i64, bool);

pub fn bound(constant: i64, strict: bool) -> Bound {
    if strict {
        Bound::lt(constant)
    } else {
        Bound::le(constant)
    }
}

pub fn zone(dim: usize, constraints: &[Raw]) -> Option<Dbm> {
    let mut draft = DbmDraft::new(dim);
    for &(left, right, constant, strict) in constraints {
        draft.constrain(
            Clock::from_index(left),
            Clock::from_index(right),
            bound(constant, strict),
        );
    }
    draft.close()
}

pub fn raws(dim: usize, most: i64) -> impl Strategy<Value = Vec<Raw>> {
    let raw = (0..dim, 0..dim, -most..=most, any::<bool>());
    prop::collection::vec(raw, 0..2 * dim)
}

pub fn zones(dim: usize, most: i64) -> impl Strategy<Value = Dbm> {
    raws(dim, most).prop_filter_map("an empty zone", move |raws| zone(dim, &raws))
}

pub fn federations(dim: usize, most: i64) -> impl Strategy<Value = Federation> {
    prop::collection::vec(zones(dim, most), 0..4).prop_map(move |zones| Federation::from_zones(dim, zones))
}

pub fn variables(dim: usize) -> impl Iterator<Item = Variable> {
    (0..dim - 1).map(Variable::new)
}

/// Every zone of two clocks that bounds with constants from -1 to 1 define, with the set of its points on the grid up
/// to 3 as a bit set. The conjunctions are tried one by one; each must agree with its points.
pub fn small_zones() -> Vec<(Dbm, u128)> {
    let points = grid(3, 3);
    assert_eq!(points.len(), 100);
    let places = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)];
    let mut bounds = vec![Bound::INFINITY];
    bounds.extend((-1..=1).flat_map(|constant| [Bound::lt(constant), Bound::le(constant)]));
    let choices = places.map(|(i, j)| {
        let with_mask = |&bound: &Bound| {
            let holds = |point: &[i64]| {
                let value = |i: usize| if i == 0 { 0 } else { point[i - 1] };
                bound.admits(value(i) - value(j), denominator(3))
            };
            (bound, mask(&points, holds))
        };
        bounds.iter().map(with_mask).collect::<Vec<_>>()
    });
    let mut found: HashMap<Dbm, u128> = HashMap::new();
    for mut number in 0..bounds.len().pow(6) {
        let (mut draft, mut expected) = (DbmDraft::new(3), u128::MAX >> 28);
        for (&(i, j), choice) in places.iter().zip(&choices) {
            let (bound, holds) = choice[number % choice.len()];
            draft.set(Clock::from_index(i), Clock::from_index(j), bound);
            expected &= holds;
            number /= choice.len();
        }
        match draft.close() {
            None => assert_eq!(expected, 0, "a zone with points was found empty"),
            Some(zone) => {
                let found = *found.entry(zone.clone()).or_insert(expected);
                assert_eq!((found, expected != 0), (expected, true), "closing {zone} changed it");
            }
        }
    }
    for (zone, expected) in &found {
        assert_eq!(
            mask(&points, |point| zone.contains_scaled(point, denominator(3))),
            *expected
        );
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(zone, mask)| (*mask, zone.to_string()));
    found
}

/// The set of points with the property, as a bit set.
pub fn mask(points: &[Vec<i64>], holds: impl Fn(&[i64]) -> bool) -> u128 {
    points
        .iter()
        .rev()
        .fold(0, |mask, point| mask << 1 | u128::from(holds(point)))
}
