use super::minimal::Cutter;
use super::*;
use crate::tests::grids::*;
use crate::tests::reference::NaiveDbm;
use crate::{Clock, DbmDraft};
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

const X: usize = 0;
const Y: usize = 1;

fn x() -> Variable {
    Variable::new(X)
}
fn y() -> Variable {
    Variable::new(Y)
}

#[test]
fn delay_reset_and_constraints_give_the_zones_derived_by_hand() {
    let mut zone = Dbm::zero(3);
    assert_eq!(zone.to_string(), "x1==0 && x2==0");
    zone.up();
    assert_eq!(zone.to_string(), "x2-x1==0");
    assert!(zone.constrain(x().into(), Clock::ZERO, Bound::lt(3)));
    zone.reset(y(), 1);
    // x in [0, 3), y = 1.
    assert_eq!(zone.bound(x().into(), y().into()), Bound::lt(2));
    assert_eq!(zone.bound(y().into(), x().into()), Bound::le(1));
    zone.up();
    assert_eq!(zone.constraints(&["x", "y"]), ["y>=1", "x-y<2", "y-x<=1"]);
    zone.down();
    // Waiting backwards loses y >= 1 only.
    assert_eq!(zone.constraints(&["x", "y"]), ["x-y<2", "y-x<=1"]);
    assert!(!zone.constrain(x().into(), y().into(), Bound::lt(-1)));
}

#[test]
fn rendered_constraints_are_minimal_and_readable() {
    let check = |raws: &[Raw], expected: &str| assert_eq!(zone(3, raws).unwrap().to_string(), expected);
    check(&[], "true");
    check(&[(1, 0, 3, false), (1, 2, 2, true)], "x1<=3 && x1-x2<2");
    // x1 = 2 and x2 - x1 = -1 fix x2 as well.
    check(
        &[(1, 0, 2, false), (0, 1, -2, false), (2, 1, -1, false), (1, 2, 1, false)],
        "x1==2 && x2==1",
    );
    check(&[(0, 1, -2, true), (2, 1, -1, true)], "x1>2 && x1-x2>1");
    check(&[(1, 2, 0, true)], "x1-x2<0");
    // x1 >= 3 follows from x2 >= 0.
    check(&[(1, 2, 3, false), (2, 1, -3, false)], "x1-x2==3");
    assert_eq!(format!("{:?}", Dbm::universe(1)), "Dbm(1: true)");
}

#[test]
fn a_zone_without_clocks_is_the_empty_valuation_alone() {
    let mut zone = Dbm::universe(1);
    assert_eq!(zone, Dbm::zero(1));
    zone.up();
    zone.down();
    assert_eq!(zone, Dbm::zero(1));
    assert!(zone.contains(&[]) && zone.some_point().is_empty());
    assert!(!zone.constrain(Clock::ZERO, Clock::ZERO, Bound::LT_ZERO));
}

#[test]
fn constants_above_two_to_the_29_stay_exact_along_closure_paths() {
    let big = (1 << 31) - 1;
    let mut zone = Dbm::universe(4);
    let clock = Clock::from_index;
    assert!(zone.constrain(clock(1), Clock::ZERO, Bound::le(big)));
    assert!(zone.constrain(clock(2), clock(1), Bound::lt(big)));
    assert!(zone.constrain(clock(3), clock(2), Bound::le(big)));
    assert_eq!(
        zone.bound(clock(3), Clock::ZERO),
        zone.bound(clock(2), clock(1)).plus(Bound::le(2 * big))
    );
    assert_eq!(zone.bound(clock(3), Clock::ZERO).constant(), 6_442_450_941);
    assert!(zone.clone().constrain(Clock::ZERO, clock(3), Bound::le(-3 * big + 1)));
    assert!(
        !zone.constrain(Clock::ZERO, clock(3), Bound::le(-3 * big)),
        "the sum is strict"
    );
}

/// y grows by the limit, relative to x, with every round: entries far beyond the limit of one constraint.
#[test]
fn entries_beyond_the_limit_of_constraints_stay_exact() {
    let mut zone = Dbm::zero(3);
    for _ in 0..1000 {
        zone.up();
        assert!(zone.constrain(x().into(), Clock::ZERO, Bound::le(Bound::LIMIT)));
        assert!(zone.constrain(Clock::ZERO, x().into(), Bound::le(-Bound::LIMIT)));
        zone.reset(x(), 0);
    }
    assert_eq!(zone.bound_upper(y()).constant(), 1000 * Bound::LIMIT);
    assert_eq!(zone.bound_lower(y()).constant(), -1000 * Bound::LIMIT);
}

#[test]
#[should_panic(expected = "bounds out of range")]
fn entries_that_a_word_cannot_hold_stop_instead_of_wrapping() {
    let mut zone = Dbm::zero(3);
    for _ in 0..1 << 22 {
        zone.up();
        assert!(zone.constrain(x().into(), Clock::ZERO, Bound::le(Bound::LIMIT)));
        assert!(zone.constrain(Clock::ZERO, x().into(), Bound::le(-Bound::LIMIT)));
        zone.reset(x(), 0);
    }
}

#[test]
fn clone_from_keeps_the_allocation() {
    let (mut target, source) = (Dbm::universe(5), Dbm::zero(5));
    let place = target.cells().as_ptr();
    target.clone_from(&source);
    assert_eq!((&target, target.cells().as_ptr()), (&source, place));
    for dim in [6, 5, 2, 3, 6, 1] {
        target.clone_from(&Dbm::universe(dim));
        assert_eq!(target, Dbm::universe(dim));
    }
}

#[test]
fn only_zones_of_more_than_two_clocks_have_bounds_outside_themselves() {
    let outside = |dim| Dbm::zero(dim).bytes() - size_of::<Dbm>();
    assert_eq!([1, 2, 3].map(outside), [0, 0, 0]);
    assert_eq!([4, 11].map(outside), [16 * 8, 121 * 8]);
}

/// x1 >= 1 and x2 <= x3 in the one, x1 <= x2 and x3 <= 0 in the other: no two bounds contradict each other, the four do.
#[test]
fn zones_that_only_four_bounds_keep_apart_do_not_meet() {
    for dim in [4, 5, 9, 12, 13, 70] {
        let first = zone(dim, &[(0, 1, -1, false), (2, 3, 0, false)]).unwrap();
        let second = zone(dim, &[(1, 2, 0, false), (3, 0, 0, false)]).unwrap();
        assert!(!first.intersects(&second) && !second.intersects(&first), "dim {dim}");
        assert!(!first.clone().intersect(&second), "dim {dim}");
        let wider = zone(dim, &[(1, 2, 0, false), (3, 0, 1, false)]).unwrap();
        assert!(first.intersects(&wider) && first.clone().intersect(&wider), "dim {dim}");
    }
}

#[test]
fn zones_of_one_clock_meet_unless_one_ends_before_the_other_begins() {
    let from = |low: i64, strict| zone(2, &[(0, 1, -low, strict)]).unwrap();
    let up_to = |high: i64, strict| zone(2, &[(1, 0, high, strict)]).unwrap();
    assert!(from(2, false).intersects(&up_to(2, false)));
    assert!(!from(2, true).intersects(&up_to(2, false)) && !from(2, false).intersects(&up_to(2, true)));
    assert!(!from(3, false).intersects(&up_to(2, false)) && from(1, true).intersects(&up_to(2, true)));
    assert!(Dbm::universe(1).intersects(&Dbm::zero(1)));
}

#[test]
fn products_and_embeddings_relate_nothing_across() {
    let first = zone(3, &[(1, 0, 3, false), (0, 1, -1, false), (1, 2, 0, true)]).unwrap();
    let second = zone(2, &[(1, 0, 2, true)]).unwrap();
    let both = zone(
        4,
        &[(1, 0, 3, false), (0, 1, -1, false), (1, 2, 0, true), (3, 0, 2, true)],
    )
    .unwrap();
    assert_eq!(Dbm::product(&first, &second), both);
    assert_eq!(Dbm::product(&first, &Dbm::universe(1)), first);
    assert_eq!(second.embed(4, 2), zone(4, &[(3, 0, 2, true)]).unwrap());
    let middle = zone(5, &[(2, 0, 3, false), (0, 2, -1, false), (2, 3, 0, true)]).unwrap();
    assert_eq!(first.embed(5, 1), middle);
}

#[test]
fn drafts_have_as_many_clocks_as_their_zone() {
    assert_eq!(DbmDraft::new(3).dim(), 3);
    assert_eq!(DbmDraft::from(Dbm::universe(5)).dim(), 5);
}

#[test]
fn a_clock_differs_from_itself_by_nothing() {
    let with = |bound| {
        let mut draft = DbmDraft::new(2);
        draft.set(x().into(), x().into(), bound);
        draft.close()
    };
    assert_eq!(with(Bound::lt(0)), None);
    assert_eq!(with(Bound::INFINITY), Some(Dbm::universe(2)));
}

#[test]
#[should_panic(expected = "zones over different clocks")]
fn zones_over_different_clocks_have_nothing_to_do_with_each_other() {
    Dbm::universe(2).intersects(&Dbm::universe(3));
}

#[test]
fn points_have_small_denominators() {
    let ratio = |n: i64, d: i64| BigRational::new(BigInt::from(n), BigInt::from(d));
    let check = |raws: &[Raw], expected: &[BigRational]| assert_eq!(zone(3, raws).unwrap().some_point(), expected);
    check(&[], &[ratio(0, 1), ratio(0, 1)]);
    check(&[(0, 1, 0, true)], &[ratio(1, 1), ratio(0, 1)]);
    check(
        &[(0, 1, 0, true), (1, 2, 0, true), (2, 0, 1, true)],
        &[ratio(1, 2), ratio(2, 3)],
    );
    check(
        &[(0, 2, 0, true), (2, 1, 0, true), (1, 0, 1, true)],
        &[ratio(1, 2), ratio(1, 3)],
    );
}

/// Unary operations on every small zone, against their definitions on the grid.
#[test]
fn unary_operations_agree_with_points_on_all_small_zones_of_two_clocks() {
    let (points, unit) = (grid(3, 3), denominator(3));
    // A freed clock may have to be more than 1 above the other, which is at most 3 on the grid.
    let delays: Vec<i64> = (0..=5 * unit).collect();
    for (zone, _) in small_zones() {
        let contains = |point: &[i64]| zone.contains_scaled(point, unit);
        let waits = |point: &[i64], sign: i64| {
            let hit = |steps: &i64| shifted(point, sign * steps).is_some_and(|moved| contains(&moved));
            delays.iter().any(hit)
        };
        let check = |changed: &Dbm, expected: &dyn Fn(&[i64]) -> bool| {
            assert_closed(changed);
            for point in &points {
                assert_eq!(
                    changed.contains_scaled(point, unit),
                    expected(point),
                    "{zone} to {changed} at {point:?}"
                );
            }
        };
        check(&changed(&zone, Dbm::up), &|point| waits(point, -1));
        check(&changed(&zone, Dbm::down), &|point| waits(point, 1));
        for (clock, variable) in variables(3).enumerate() {
            let any = |point: &[i64]| delays.iter().any(|&value| contains(&with(point, clock, value)));
            check(&changed(&zone, |zone| zone.free(variable)), &any);
            for value in 0..=2 {
                let reset = |point: &[i64]| point[clock] == value * unit && any(point);
                check(&changed(&zone, |zone| zone.reset(variable, value)), &reset);
                let before = |point: &[i64]| contains(&with(point, clock, value * unit));
                let mut unreset = zone.clone();
                match unreset.unreset(variable, value) {
                    true => check(&unreset, &before),
                    false => assert!(!points.iter().any(|point| before(point)), "{zone}"),
                }
            }
        }
    }
}

/// Binary operations on every pair of small zones, against their sets of points.
#[test]
fn binary_operations_agree_with_points_on_all_pairs_of_small_zones() {
    let zones = small_zones();
    let by_points: std::collections::HashMap<u128, &Dbm> = zones.iter().map(|(zone, mask)| (*mask, zone)).collect();
    assert_eq!(by_points.len(), zones.len(), "different zones have different points");
    let mut scratch = Dbm::zero(3);
    for (first, left) in &zones {
        for (second, right) in &zones {
            assert_eq!(first.includes(second), right & !left == 0, "{first} / {second}");
            assert_eq!(first.intersects(second), left & right != 0, "{first} / {second}");
            scratch.clone_from(first);
            let non_empty = scratch.intersect(second);
            assert_eq!(non_empty, left & right != 0, "{first} / {second}");
            assert!(
                !non_empty || scratch == *by_points[&(left & right)],
                "{first} / {second}"
            );
        }
    }
}

fn changed(zone: &Dbm, change: impl Fn(&mut Dbm)) -> Dbm {
    let mut zone = zone.clone();
    change(&mut zone);
    zone
}

fn assert_closed(zone: &Dbm) {
    assert_eq!(DbmDraft::from(zone.clone()).close().as_ref(), Some(zone), "not closed");
}

/// One change of a zone.
#[derive(Clone, Debug)]
enum Step {
    Constrain(Raw),
    Intersect(Vec<Raw>),
    Up,
    Down,
    Free(usize),
    Reset(usize, i64),
    Unreset(usize, i64),
}

fn steps(dim: usize, most: i64) -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..dim, 0..dim, -most..=most, any::<bool>()).prop_map(Step::Constrain),
        2 => raws(dim, most).prop_map(Step::Intersect),
        2 => Just(Step::Up),
        1 => Just(Step::Down),
        1 => (0..dim - 1).prop_map(Step::Free),
        2 => (0..dim - 1, 0..=most).prop_map(|(clock, value)| Step::Reset(clock, value)),
        1 => (0..dim - 1, 0..=most).prop_map(|(clock, value)| Step::Unreset(clock, value)),
    ]
}

/// Applies a step to both; `false` from both if the result is empty.
fn apply(step: &Step, fast: &mut Dbm, naive: &mut NaiveDbm) -> (bool, bool) {
    let dim = fast.dim();
    match *step {
        Step::Constrain((left, right, constant, strict)) => {
            let (left, right) = (Clock::from_index(left), Clock::from_index(right));
            let bound = bound(constant, strict);
            (fast.constrain(left, right, bound), naive.constrain(left, right, bound))
        }
        Step::Intersect(ref raws) => {
            let mut other = NaiveDbm::universe(dim);
            for &(left, right, constant, strict) in raws {
                other.constrain(
                    Clock::from_index(left),
                    Clock::from_index(right),
                    bound(constant, strict),
                );
            }
            let fast_ok = other.to_dbm().is_some_and(|other| {
                let meets = fast.intersects(&other);
                let ok = fast.intersect(&other);
                assert_eq!(meets, ok, "intersects and intersect disagree");
                ok
            });
            (fast_ok, naive.intersect(&other))
        }
        Step::Up => (changed_in_place(fast, Dbm::up), changed_in_place(naive, NaiveDbm::up)),
        Step::Down => (
            changed_in_place(fast, Dbm::down),
            changed_in_place(naive, NaiveDbm::down),
        ),
        Step::Free(clock) => {
            fast.free(Variable::new(clock));
            naive.free(Variable::new(clock));
            (true, true)
        }
        Step::Reset(clock, value) => {
            fast.reset(Variable::new(clock), value);
            naive.reset(Variable::new(clock), value);
            (true, true)
        }
        Step::Unreset(clock, value) => {
            let variable = Variable::new(clock);
            (fast.unreset(variable, value), naive.unreset(variable, value))
        }
    }
}

fn changed_in_place<T>(target: &mut T, change: impl Fn(&mut T)) -> bool {
    change(target);
    true
}

fn check_run(dim: usize, steps: &[Step]) {
    let (mut fast, mut naive) = (Dbm::universe(dim), NaiveDbm::universe(dim));
    for step in steps {
        let (before, naive_before) = (fast.clone(), naive.clone());
        let (fast_ok, naive_ok) = apply(step, &mut fast, &mut naive);
        assert_eq!(fast_ok, naive_ok, "{step:?} from {before}");
        if !fast_ok {
            return;
        }
        for i in (0..dim).map(Clock::from_index) {
            for j in (0..dim).map(Clock::from_index) {
                assert_eq!(fast.bound(i, j), naive.bound(i, j), "{step:?} from {before}: {fast}");
            }
        }
        assert_eq!(
            before.includes(&fast),
            naive_before.includes(&naive),
            "{before} / {fast}"
        );
        assert_eq!(
            fast.includes(&before),
            naive.includes(&naive_before),
            "{fast} / {before}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn runs_agree_with_the_naive_twin(
        (dim, steps) in (2usize..6).prop_flat_map(|dim| (Just(dim), prop::collection::vec(steps(dim, 4), 1..12))),
    ) {
        check_run(dim, &steps);
    }

    #[test]
    fn minimal_cuts_are_the_minimal_constraints_that_some_valuation_violates(
        (zone, other) in (2usize..6).prop_flat_map(|dim| (zones(dim, 3), zones(dim, 3))),
    ) {
        let mut expected = zone.minimal_constraints();
        expected.retain(|(left, right, bound)| *bound < other.bound(*left, *right));
        prop_assert_eq!(Cutter::of(&zone).cuts(&other), expected);
    }

    #[test]
    fn minimal_constraints_define_the_zone_and_none_can_be_spared(zone in (2usize..6).prop_flat_map(|dim| zones(dim, 3))) {
        let constraints = zone.minimal_constraints();
        let rebuilt = |spared: Option<usize>| {
            let mut rebuilt = Dbm::universe(zone.dim());
            let kept = constraints.iter().enumerate().filter(|(i, _)| Some(*i) != spared);
            prop_assert!(rebuilt.constrain_all(kept.map(|(_, &constraint)| constraint)));
            Ok(rebuilt)
        };
        prop_assert_eq!(&rebuilt(None)?, &zone);
        for spared in 0..constraints.len() {
            prop_assert_ne!(&rebuilt(Some(spared))?, &zone);
        }
    }

    #[test]
    fn some_point_is_in_the_zone_and_has_denominators_up_to_dim(zone in (2usize..5).prop_flat_map(|dim| zones(dim, 3))) {
        let point = zone.some_point();
        prop_assert!(zone.contains(&point));
        prop_assert_eq!(zone.some_point(), point);
    }

    #[test]
    fn embedding_agrees_with_points((zone, offset) in (zones(2, 2), 0usize..3)) {
        let embedded = zone.embed(4, offset);
        assert_closed(&embedded);
        for point in grid(4, 3) {
            prop_assert_eq!(embedded.contains_scaled(&point, 8), zone.contains_scaled(&point[offset..=offset], 8));
        }
    }

    #[test]
    fn extrapolation_by_maximal_constants_adds_only_bisimilar_points(
        (zone, max) in (2usize..5).prop_flat_map(|dim| (zones(dim, 3), maxima(dim))),
    ) {
        check_extrapolation(&zone, &max, &max)?;
    }

    #[test]
    fn extrapolation_by_lower_and_upper_constants_adds_only_simulated_points(
        (zone, lower, upper) in (2usize..4).prop_flat_map(|dim| (zones(dim, 3), maxima(dim), maxima(dim))),
    ) {
        check_extrapolation(&zone, &lower, &upper)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Dimensions that have a kernel of their own, and those that have none.
    #[test]
    fn runs_of_many_clocks_agree_with_the_naive_twin(
        (dim, steps) in (6usize..15).prop_flat_map(|dim| (Just(dim), prop::collection::vec(steps(dim, 4), 1..12))),
    ) {
        check_run(dim, &steps);
    }
}

fn maxima(dim: usize) -> impl Strategy<Value = Vec<i64>> {
    let constant = prop_oneof![1 => Just(Dbm::NEVER_COMPARED), 4 => 0i64..3];
    prop::collection::vec(constant, dim - 1).prop_map(|max| [&[0][..], &max].concat())
}

/// `Z ⊆ Extra(Z) ⊆ a(Z)`, where v is in a(Z) iff some v' of Z has, clock by clock, the same value, or
/// `lower < v' < v`, or `upper < v < v'` (both above the maximal constant if the two are equal).
fn check_extrapolation(zone: &Dbm, lower: &[i64], upper: &[i64]) -> Result<(), TestCaseError> {
    let (dim, unit) = (zone.dim(), denominator(zone.dim()));
    let mut wide = zone.clone();
    if lower == upper {
        wide.extrapolate_max(lower);
    } else {
        wide.extrapolate_lu(lower, upper);
    }
    prop_assert!(wide.includes(zone));
    assert_closed(&wide);
    let again = changed(&wide, |wide| wide.extrapolate_lu(lower, upper));
    prop_assert!(again.includes(&wide));
    for point in grid(dim, 4).iter().filter(|point| wide.contains_scaled(point, unit)) {
        prop_assert!(
            has_witness(zone, point, lower, upper),
            "{} to {} at {:?}",
            zone,
            wide,
            point
        );
    }
    Ok(())
}

/// Tells whether the point is in a(Z): per clock three choices (equal, below, above), as zones with constants scaled to the grid.
fn has_witness(zone: &Dbm, point: &[i64], lower: &[i64], upper: &[i64]) -> bool {
    let (dim, unit) = (zone.dim(), denominator(zone.dim()));
    let mut draft = DbmDraft::new(dim);
    for i in (0..dim).map(Clock::from_index) {
        for j in (0..dim)
            .map(Clock::from_index)
            .filter(|&j| j != i && !zone.bound(i, j).is_infinite())
        {
            let (constant, strict) = (zone.bound(i, j).constant(), zone.bound(i, j).is_strict());
            draft.set(i, j, bound(constant * unit, strict));
        }
    }
    let scaled = draft.close().expect("scaling keeps points");
    (0..3usize.pow(dim as u32 - 1)).any(|mut number| {
        let mut witness = scaled.clone();
        (1..dim).all(|index| {
            let (choice, value, clock) = (number % 3, point[index - 1], Clock::from_index(index));
            number /= 3;
            let (least, most) = (lower[index].max(-1) * unit, upper[index].max(-1) * unit);
            match choice {
                0 => {
                    witness.constrain(clock, Clock::ZERO, Bound::le(value))
                        && witness.constrain(Clock::ZERO, clock, Bound::le(-value))
                }
                1 => {
                    witness.constrain(Clock::ZERO, clock, Bound::lt(-least))
                        && witness.constrain(clock, Clock::ZERO, Bound::lt(value))
                }
                _ => most < value && witness.constrain(Clock::ZERO, clock, Bound::lt(-value)),
            }
        })
    })
}

/// Extra_LU^+ entry by entry, as the paper writes it down, and closed.
fn extrapolated_by_definition(zone: &Dbm, lower: &[i64], upper: &[i64]) -> Option<Dbm> {
    let mut draft = DbmDraft::new(zone.dim());
    let bound = |i: usize, j: usize| zone.bound(Clock::from_index(i), Clock::from_index(j));
    let above = |clock: usize, most: i64| {
        let low = bound(0, clock);
        most < 0 || -low.constant() > most || (-low.constant() == most && low.is_strict())
    };
    for (i, j) in (0..zone.dim()).flat_map(|i| (0..zone.dim()).map(move |j| (i, j))) {
        let entry = bound(i, j);
        let kept = if i == 0 {
            match above(j, upper[j]) {
                true if upper[j] < 0 => Bound::LE_ZERO,
                true => entry.max(Bound::lt(-upper[j])),
                false => entry,
            }
        } else if entry.is_infinite()
            || entry.constant() > lower[i]
            || above(i, lower[i])
            || (j != 0 && above(j, upper[j]))
        {
            Bound::INFINITY
        } else {
            entry
        };
        if i != j {
            draft.set(Clock::from_index(i), Clock::from_index(j), kept);
        }
    }
    draft.close()
}

proptest! {
    #[test]
    fn extrapolation_is_that_of_the_paper(
        (small, idle, lower, upper) in (2usize..5, prop_oneof![4 => Just(0usize), 1 => Just(63)])
            .prop_flat_map(|(dim, idle)| (zones(dim, 4), Just(idle), maxima(dim + idle), maxima(dim + idle))),
    ) {
        let mut draft = DbmDraft::new(small.dim() + idle);
        for (i, j) in (0..small.dim()).flat_map(|i| (0..small.dim()).map(move |j| (i, j))) {
            let (left, right) = (Clock::from_index(i), Clock::from_index(j));
            draft.set(left, right, small.bound(left, right));
        }
        let zone = draft.close().expect("idle clocks exclude nothing");
        let wide = changed(&zone, |wide| wide.extrapolate_lu(&lower, &upper));
        prop_assert_eq!(Some(wide), extrapolated_by_definition(&zone, &lower, &upper));
    }
}

/// x in (5, 9), y = x - 4, nothing above 2 is tested: x only keeps being above 2; y in (1, 5) keeps its lower bound.
#[test]
fn extrapolation_gives_the_zone_derived_by_hand() {
    let raws = [(0, 1, -5, true), (1, 0, 9, true), (1, 2, 4, false), (2, 1, -4, false)];
    let mut zone = zone(3, &raws).unwrap();
    zone.extrapolate_max(&[0, 2, 2]);
    assert_eq!(zone.constraints(&["x", "y"]), ["x>2", "y>1"]);
    zone.extrapolate_max(&[0, Dbm::NEVER_COMPARED, 2]);
    assert_eq!(zone.constraints(&["x", "y"]), ["y>1"]);
}

/// The abstraction merges what diagonals tell apart: x - y == 4 is lost. So it must not be used with diagonal guards.
#[test]
fn extrapolation_forgets_diagonals_above_the_maximal_constants() {
    let mut zone = zone(3, &[(0, 1, -5, true), (1, 2, 4, false), (2, 1, -4, false)]).unwrap();
    zone.extrapolate_max(&[0, 2, 2]);
    assert!(zone.constrain(x().into(), y().into(), Bound::lt(4)));
}
