//! The figures of order 2 ([003] section 5.4.2): every sequence of two mutations is decided, violating ones too.

use std::sync::OnceLock;

use rayon::prelude::*;
use tamper::game::{Scratch, Specification};
use tamper::guidelines;
use tamper::mutation::{MutantSpace, MutationOptions, Order};
use tamper::text::Budget;

use super::across::FOLDERS;
use super::{Study, Tally};

fn decide_all(specification: &Specification) -> Tally {
    let spec = specification.automaton();
    let space = MutantSpace::new(spec, &MutationOptions::default(), Order::SECOND).expect("they can be numbered");
    let judge = |scratch: &mut Scratch, family: u64| {
        let siblings = space.siblings(family).expect("it is a family");
        let prefix = siblings.prefix().next().expect("order 2 has a first mutation");
        let first_violates = guidelines::violated(spec, &prefix).is_some();
        let mut tally = Tally::default();
        for last in siblings.last().iter() {
            let violates = first_violates && guidelines::violated(siblings.parent(), &last).is_some();
            let decision = specification.decide(&siblings.mutant(last), &Budget::unlimited(), scratch);
            tally.add(decision.expect("the mutants have a meaning").verdict, violates);
        }
        tally
    };
    let families = (0..space.n_families()).into_par_iter();
    families
        .map_init(Scratch::default, judge)
        .reduce(Tally::default, Tally::plus)
}

/// The counts of order 1 and 2 of a study, made once.
fn tallies(folder: &str) -> (Tally, Tally) {
    static TALLIES: [OnceLock<(Tally, Tally)>; FOLDERS.len()] = [const { OnceLock::new() }; FOLDERS.len()];
    let position = FOLDERS
        .iter()
        .position(|known| *known == folder)
        .expect("it is a study");
    *TALLIES[position].get_or_init(|| {
        let study = Study::load(folder);
        (study.all(), decide_all(&study.specification))
    })
}

fn check(folder: &str) {
    let expected = Study::load(folder).expected.order2;
    let (_, tally) = tallies(folder);
    assert_eq!(tally.total, expected.mutants);
    assert_eq!((tally.unsound, tally.unknown), (0, 0));
    if let Some(ratio) = &expected.ratio {
        let digits = ratio.split_once('.').map_or(0, |(_, digits)| digits.len());
        let counted = tally.ratio(u32::try_from(digits).expect("a short figure"));
        assert_eq!(counted, *ratio, "published: {}", expected.published);
    }
    if let Some(below) = &expected.below {
        assert!(
            tally.percent() < below.parse().expect("a figure"),
            "published: {}",
            expected.published
        );
    }
}

#[test]
fn wfas_has_40_8_percent() {
    check("wfas");
}

#[test]
fn mutex_has_44_9_percent() {
    check("mutex");
}

#[test]
fn coffee_has_65_percent() {
    check("coffee");
}

#[test]
fn hotel_has_fewer_than_half() {
    check("hotel");
}

#[test]
fn accel_has_71_percent() {
    check("accel");
}

/// CAS has half a million mutants of order 2 with ten clocks in the product: minutes without optimisation.
#[cfg(not(debug_assertions))]
mod with_cas {
    use super::{FOLDERS, Tally, check, tallies};

    fn all() -> Vec<(&'static str, Tally, Tally)> {
        let both = |folder: &&'static str| (*folder, tallies(folder).0, tallies(folder).1);
        FOLDERS.iter().map(both).collect()
    }

    #[test]
    fn cas_has_54_percent() {
        check("cas");
    }

    #[test]
    fn hundreds_of_thousands_of_mutants_and_no_violating_one_is_non_subsumed() {
        let total: u64 = all().iter().map(|(_, _, second)| second.total).sum();
        let unsound: u64 = all()
            .iter()
            .map(|(_, first, second)| first.unsound + second.unsound)
            .sum();
        assert!((200_000..1_000_000).contains(&total));
        assert_eq!(unsound, 0);
    }

    #[test]
    fn violating_mutants_are_never_more_than_the_subsumed_and_inconsistent_ones() {
        for (folder, first, second) in all() {
            assert!(
                first.violating <= first.bad() && second.violating <= second.bad(),
                "{folder}"
            );
        }
    }

    #[test]
    fn more_than_half_is_detected_at_order_2_exactly_in_coffee_accel_and_cas() {
        let over = all().into_iter().filter(|(_, _, second)| second.percent() > 50.0);
        assert_eq!(
            over.map(|(folder, ..)| folder).collect::<Vec<_>>(),
            ["cas", "coffee", "accel"]
        );
    }

    #[test]
    fn the_ratio_drops_by_25_points_on_average_least_15_in_accel_and_most_34_in_wfas() {
        let drop = |(folder, first, second): &(_, Tally, Tally)| (first.percent() - second.percent(), *folder);
        let mut drops: Vec<_> = all().iter().map(drop).collect();
        drops.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mean = drops.iter().map(|(points, _)| points).sum::<f64>() / 6.0;
        assert!((mean - 25.0).abs() < 0.5, "{drops:?}");
        // The paper's points are differences of rounded percentages.
        assert!(drops[0].1 == "accel" && (drops[0].0 - 15.0).abs() < 1.0, "{drops:?}");
        assert!(drops[5].1 == "wfas" && (drops[5].0 - 34.0).abs() < 1.0, "{drops:?}");
    }

    /// [003] Fig. 23: the probability that a random mutant is subsumed or inconsistent.
    fn probability(tally: &Tally, with_guidelines: bool) -> f64 {
        let left_out = if with_guidelines { tally.violating } else { 0 };
        1.0 - tally.non_subsumed as f64 / (tally.total - left_out) as f64
    }

    #[test]
    fn hotel_has_the_highest_probability_of_a_subsumed_mutant_in_all_four_series() {
        for with_guidelines in [false, true] {
            for series in [
                |(_, first, _): &(_, Tally, Tally)| *first,
                |(_, _, second): &(_, Tally, Tally)| *second,
            ] {
                let of = |study: &(&'static str, Tally, Tally)| (probability(&series(study), with_guidelines), study.0);
                let highest = all().iter().map(of).max_by(|a, b| a.0.total_cmp(&b.0));
                assert_eq!(highest.expect("six studies").1, "hotel");
            }
        }
    }

    #[test]
    fn without_guidelines_a_subsumed_mutant_is_less_likely_at_order_2() {
        for (folder, first, second) in all() {
            assert!(probability(&second, false) < probability(&first, false), "{folder}");
        }
    }
}
