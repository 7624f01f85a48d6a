//! Operations on zones against their definitions, point by point: two clocks in quarters, which has a point of every region.

use super::{Atom, Bound, Reset, Zone};
use crate::fault::{Fault, Limit};

/// Constants are below this.
const MOST: i64 = 4;

type Point = [i64; 2];

/// Points of all regions up to the largest constants, in quarters.
fn points() -> impl Iterator<Item = Point> {
    let values = || 0..=4 * (2 * MOST + 1);
    values().flat_map(move |x| values().map(move |y| [x, y]))
}

struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
    fn atoms(&mut self, most: u64) -> Vec<Atom> {
        let number = self.below(most + 1);
        let mut atoms = Vec::new();
        while (atoms.len() as u64) < number {
            let (left, right) = (self.below(3) as usize, self.below(3) as usize);
            let constant = self.below(2 * MOST as u64) as i64 - MOST;
            let bound = if self.below(2) == 0 {
                Bound::less(constant)
            } else {
                Bound::at_most(constant)
            };
            if left != right {
                atoms.push(Atom { left, right, bound });
            }
        }
        atoms
    }
    /// A zone, and the atoms that say it.
    fn zone(&mut self) -> (Zone, Vec<Atom>) {
        loop {
            let atoms = self.atoms(4);
            if let Some(zone) = Zone::all(2).restricted(&atoms) {
                return (zone, atoms);
            }
        }
    }
}

fn satisfies(point: Point, atoms: &[Atom]) -> bool {
    let value = |clock: usize| if clock == 0 { 0 } else { point[clock - 1] };
    let holds = |atom: &Atom| {
        let difference = value(atom.left) - value(atom.right);
        match atom.bound.0 & 1 {
            1 => difference <= 4 * (atom.bound.0 >> 1),
            _ => difference < 4 * (atom.bound.0 >> 1),
        }
    };
    atoms.iter().all(holds)
}

fn is_in(point: Point, zone: Option<&Zone>) -> bool {
    zone.is_some_and(|zone| {
        let bounds = (0..3).flat_map(|left| (0..3).map(move |right| (left, right)));
        let atoms = bounds.map(|(left, right)| Atom {
            left,
            right,
            bound: zone.bound(left, right),
        });
        let known: Vec<Atom> = atoms.filter(|atom| atom.bound != Bound::NONE).collect();
        satisfies(point, &known)
    })
}

fn moved(point: Point, delay: i64) -> Point {
    [point[0] + delay, point[1] + delay]
}

fn some_delay(from: i64, holds: impl Fn(i64) -> bool) -> bool {
    (from..=4 * (2 * MOST + 2)).any(holds)
}

#[test]
fn operations_are_their_definitions() {
    let mut random = Random(1);
    for _ in 0..300 {
        let (zone, atoms) = random.zone();
        let more = random.atoms(3);
        let restricted = zone.restricted(&more);
        let (other, others) = random.zone();
        let meet = zone.meet(&other);
        let (later, strictly_later) = (zone.later(), zone.strictly_later());
        let (earlier, strictly_earlier) = (zone.earlier(), zone.strictly_earlier());
        let resets: Vec<Reset> = match random.below(4) {
            0 => vec![(1, random.below(3) as i64)],
            1 => vec![(2, random.below(3) as i64)],
            2 => vec![(1, random.below(3) as i64), (2, random.below(3) as i64)],
            _ => Vec::new(),
        };
        let before = zone.before(&resets);
        for point in points() {
            let at = |delay: i64| satisfies(moved(point, delay), &atoms);
            let back = |delay: i64| point[0] >= delay && point[1] >= delay && at(-delay);
            assert_eq!(is_in(point, Some(&zone)), at(0), "{atoms:?} {point:?}");
            assert_eq!(is_in(point, restricted.as_ref()), at(0) && satisfies(point, &more));
            assert_eq!(is_in(point, meet.as_ref()), at(0) && satisfies(point, &others));
            assert_eq!(
                is_in(point, Some(&later)),
                is_in(point, strictly_later.as_ref()) || at(0)
            );
            // Between a half and a bound lie delays in quarters, if any.
            if point.iter().all(|value| value % 2 == 0) {
                let context = format!("{atoms:?} {point:?}");
                assert_eq!(is_in(point, Some(&later)), some_delay(0, back), "{context}");
                assert_eq!(is_in(point, earlier.as_ref()), some_delay(0, at), "{context}");
                assert_eq!(is_in(point, strictly_later.as_ref()), some_delay(1, back), "{context}");
                assert_eq!(is_in(point, strictly_earlier.as_ref()), some_delay(1, at), "{context}");
            }
            let mut after = point;
            for (clock, value) in &resets {
                after[clock - 1] = 4 * value;
            }
            assert_eq!(
                is_in(point, before.as_ref()),
                satisfies(after, &atoms),
                "{atoms:?} {resets:?} {point:?}"
            );
        }
    }
}

#[test]
fn inclusion_in_a_union_is_that_of_all_points() {
    let mut random = Random(2);
    let (mut n_within, limit) = (0, &mut Limit::of_steps(u64::MAX, 2));
    for _ in 0..400 {
        let (zone, atoms) = random.zone();
        let union: Vec<(Zone, Vec<Atom>)> = (0..=random.below(4)).map(|_| random.zone()).collect();
        let zones: Vec<Zone> = union.iter().map(|(zone, _)| zone.clone()).collect();
        let is_covered = |point: Point| union.iter().any(|(_, atoms)| satisfies(point, atoms));
        let expected = points().filter(|point| satisfies(*point, &atoms)).all(is_covered);
        assert_eq!(zone.is_within(&zones, limit), Ok(expected), "{atoms:?} {union:?}");
        n_within += u32::from(expected);
        let embedded: Vec<Zone> = zones.iter().map(|zone| zone.embedded(3, 1)).collect();
        assert_eq!(zone.embedded(3, 1).is_within(&embedded, limit), Ok(expected));
    }
    assert!(n_within > 50, "{n_within}");
    let (all, zero) = (Zone::all(2), Zone::zero(2));
    assert_eq!(
        (
            zero.is_within(&[], limit),
            zero.is_within(std::slice::from_ref(&all), limit)
        ),
        (Ok(false), Ok(true))
    );
    assert_eq!(all.is_within(&[zero], &mut Limit::of_steps(1, 2)), Err(Fault::Limit));
    assert!(!all.is_bounded() && Zone::zero(1).is_bounded());
}
