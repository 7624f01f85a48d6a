//! The intervals of constants against every constant on its own: CXL and CXS with every step, decided by the other
//! procedure.

use std::collections::BTreeMap;

use tamper::experiment::{Limits, Timer, Verdict, constant_intervals, largest_constant};
use tamper::game::{Semantics, Specification};
use tamper::mutation::{MutationOptions, Mutations, Operator};
use tamper::text::Budget;

use super::read;

/// Verdicts by constraint (site, atom position, old constant) and constant.
fn one_by_one(specification: &Specification, last: i64) -> BTreeMap<(String, i64), Verdict> {
    let game = specification.automaton();
    let mut verdicts = BTreeMap::new();
    for step in 1..=last.max(1) {
        let options = MutationOptions {
            operators: vec![Operator::Cxl, Operator::Cxs],
            step,
            cxs_to_zero: true,
            ..MutationOptions::default()
        };
        for mutation in Mutations::of(game, &options).iter() {
            let change = mutation.constraint().expect("it changes a constraint");
            if change.new.constant > last {
                continue;
            }
            let mutant = mutation.apply(game);
            let decision = specification.decide_by_fixpoint(&mutant, &Budget::unlimited());
            let verdict = decision.expect("it has a meaning");
            verdicts.insert((change.names(game).0, change.new.constant), verdict.into());
        }
    }
    verdicts
}

fn check(folder: &str, semantics: Semantics) {
    let path = [env!("CARGO_MANIFEST_DIR"), "case-studies", folder, "model.xml"];
    let game = read(path.iter().collect());
    let specification = Specification::prepare(&game, semantics, &Budget::unlimited()).expect("it is consistent");
    let last = largest_constant(&game) + 2;
    let timer = Timer::new(Limits::default());
    let options = MutationOptions::default();
    let sites = constant_intervals(&specification, &options, last, &timer, || ()).expect("all have a meaning");
    let mut expected = one_by_one(&specification, last);
    assert!(!sites.is_empty());
    for site in &sites {
        let mut next = 0;
        for pair in site.intervals.windows(2) {
            assert_ne!(pair[0].verdict, pair[1].verdict, "{}: intervals are maximal", site.site);
        }
        for interval in &site.intervals {
            assert_eq!(interval.from, next, "{}: no gaps", site.site);
            next = interval.to + 1;
            for constant in interval.from..=interval.to {
                let verdict = expected.remove(&(site.site.clone(), constant));
                // The game's own constant is not a mutation.
                let verdict = verdict.unwrap_or_else(|| {
                    assert_eq!(constant, site.constant, "{}", site.site);
                    Verdict::Subsumed
                });
                assert_eq!(interval.verdict, verdict, "{} {constant}", site.site);
            }
        }
        assert_eq!(next, last + 1, "{}: up to the last constant", site.site);
    }
    assert!(expected.is_empty(), "constraints without intervals: {expected:?}");
}

#[test]
fn intervals_of_constants_are_what_every_constant_gives_on_coffee_hotel_wfas_and_mutex() {
    for study in ["coffee", "hotel", "wfas", "mutex"] {
        for semantics in [Semantics::TIGA, Semantics::STRICT, Semantics::DEFINITION] {
            check(study, semantics);
        }
    }
}
