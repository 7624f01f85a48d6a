//! The verdicts on all products of a featured game, found together, against those on each product by itself.

use std::cell::RefCell;
use std::collections::BTreeMap;

use num_bigint::BigUint;
use tamper::featured::FeaturedAutomaton;
use tamper::features::{Bitmaps, DiagramSet, Diagrams, FeatureModel, Product, ProductSets};
use tamper::game::{
    GameError, Method, ProductVerdicts, Scratch, Semantics, Specification, Undecided, Unmatched, Verdict,
    decide_products, replay, shared_witnesses,
};
use tamper::model::Automaton;
use tamper::mutation::{FeaturedMutants, MutantSpace, MutationOptions, Order, ProductBound};
use tamper::text::Budget;

use super::relocated::relocated;
use super::study;
use testing::oracle::families::{self, Family};
use testing::oracle::generate::Shown;
use testing::oracle::{refinement, run};

/// What is known about one product.
type Found = Result<Verdict, Undecided>;

fn of_product<S: ProductSets>(sets: &S, verdicts: &ProductVerdicts<S::Set>, product: &Product) -> Vec<Found> {
    let decided = [
        (Verdict::Inconsistent, &verdicts.inconsistent),
        (Verdict::Subsumed, &verdicts.subsumed),
        (Verdict::NonSubsumed, &verdicts.non_subsumed),
    ];
    let decided = decided.into_iter().map(|(verdict, set)| (Ok(verdict), set));
    let others = verdicts.undecided.iter().map(|(why, set)| (Err(why.clone()), set));
    let all = decided.chain(others);
    all.filter(|(_, set)| sets.contains(set, product))
        .map(|(found, _)| found)
        .collect()
}

fn n_products<S: ProductSets>(sets: &S, verdicts: &ProductVerdicts<S::Set>) -> BigUint {
    let decided = [&verdicts.inconsistent, &verdicts.subsumed, &verdicts.non_subsumed];
    let all = decided.into_iter().chain(verdicts.undecided.iter().map(|(_, set)| set));
    all.map(|set| sets.count(set)).sum()
}

fn prepare(spec: &Automaton, semantics: Semantics) -> Result<Option<Specification>, String> {
    match Specification::prepare(spec, semantics, &Budget::unlimited()) {
        Ok(specification) => Ok(Some(specification)),
        Err(GameError::SpecInconsistent { .. }) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn rules(semantics: Semantics) -> refinement::Rules {
    refinement::Rules {
        unmatched: match semantics.unmatched {
            Unmatched::Reject => refinement::Unmatched::Reject,
            Unmatched::Ignore => refinement::Unmatched::Ignore,
        },
        prune: semantics.prune,
    }
}

/// How often each way of deciding led to which verdict.
type Tally = RefCell<BTreeMap<String, u32>>;

/// Every product's verdict is that of the enumerative engine, the numbers add up, and bitmaps say the same.
fn is_exact(family: &Family, spec: &Automaton, semantics: Semantics, tally: &Tally) -> Result<(), String> {
    let Some(specification) = prepare(spec, semantics)? else {
        return Ok(());
    };
    let model = family.0.model();
    let budget = Budget::unlimited();
    let mut diagrams = Diagrams::of(model, &budget).map_err(|reason| reason.to_string())?;
    let mut bitmaps = Bitmaps::of(model, &budget).map_err(|reason| reason.to_string())?;
    let found = decide_products(&family.0, &specification, &mut diagrams, &budget);
    let by_bits = decide_products(&family.0, &specification, &mut bitmaps, &budget);
    let members = family.members();
    if n_products(&diagrams, &found) != BigUint::from(members.len()) {
        return Err(format!(
            "{semantics}: {} products instead of {}",
            n_products(&diagrams, &found),
            members.len()
        ));
    }
    let mut verdicts = Vec::new();
    for (product, member) in &members {
        let decision = specification.decide(member, &budget, &mut Scratch::default());
        if let Ok(decision) = &decision {
            let how = format!("{:?} {:?}", decision.method, decision.verdict);
            *tally.borrow_mut().entry(how).or_insert(0) += 1;
        }
        let expected = decision.map(|decision| decision.verdict).map_err(Undecided::Error);
        for found in [
            of_product(&diagrams, &found, product),
            of_product(&bitmaps, &by_bits, product),
        ] {
            if found != [expected.clone()] {
                let product = product.show(model);
                return Err(format!("{semantics}: {product}: {found:?} instead of {expected:?}"));
            }
        }
        verdicts.extend(expected);
    }
    let as_diagrams = by_bits
        .map(|set| diagrams.of_products(&bitmaps.products(set)))
        .map_err(|reason| reason.to_string())?;
    if as_diagrams != found {
        return Err(format!("{semantics}: bitmaps say {as_diagrams:?}, diagrams {found:?}"));
    }
    conditions_are_exact(&mut diagrams, &found, &members)?;
    let shared = witnesses_are_shared((family, spec, &specification), (&mut diagrams, &found), &members)?;
    *tally.borrow_mut().entry("shared witnesses".to_owned()).or_insert(0) += shared;
    verdicts.sort();
    verdicts.dedup();
    let several = format!("verdicts: {}", verdicts.len());
    *tally.borrow_mut().entry(several).or_insert(0) += 1;
    let alone = if found.effort.alone > 0 {
        "some alone"
    } else {
        "all together"
    };
    *tally.borrow_mut().entry(alone.to_owned()).or_insert(0) += 1;
    Ok(())
}

/// The condition of each verdict holds for its products and for no others.
fn conditions_are_exact(
    sets: &mut Diagrams,
    found: &ProductVerdicts<DiagramSet>,
    members: &[(Product, Automaton)],
) -> Result<(), String> {
    for set in [found.inconsistent, found.subsumed, found.non_subsumed] {
        let condition = sets.condition(set, 1000).map_err(|reason| reason.to_string())?;
        let condition = condition.ok_or("a condition of few features is short")?;
        for (product, _) in members {
            if condition.holds(product) != sets.contains(&set, product) {
                return Err(format!("{condition:?} is wrong for {product:?}"));
            }
        }
    }
    Ok(())
}

/// Every product that does not refine the specification has one witness, which its own game plays. How many share one.
fn witnesses_are_shared(
    (family, spec, specification): (&Family, &Automaton, &Specification),
    (sets, found): (&mut Diagrams, &ProductVerdicts<DiagramSet>),
    members: &[(Product, Automaton)],
) -> Result<u32, String> {
    let refuted = found.non_subsumed;
    let budget = Budget::unlimited();
    let witnesses = shared_witnesses(&family.0, specification, sets, &refuted, usize::MAX, &budget);
    let witnesses = witnesses
        .map_err(|error| error.to_string())?
        .map_err(|reason| reason.to_string())?;
    let mut n_shared = 0;
    for (product, member) in members {
        let own: Vec<_> = witnesses
            .iter()
            .filter(|witness| sets.contains(&witness.products, product))
            .collect();
        if own.len() != usize::from(sets.contains(&refuted, product)) {
            return Err(format!("{} witnesses refute {product:?}", own.len()));
        }
        for witness in own {
            n_shared += u32::from(witness.product != *product);
            let moved = relocated(&family.0, &witness.counterexample, &witness.product, product);
            let moved = moved.ok_or("the witness names parts that the product does not have")?;
            replay(member, spec, specification.semantics(), &moved)
                .map_err(|error| format!("{product:?} does not play {moved:?}: {error}"))?;
        }
    }
    Ok(n_shared)
}

const CASES: u32 = if cfg!(debug_assertions) { 150 } else { 1000 };

#[test]
fn every_product_of_random_families_has_its_own_verdict() {
    let tally = Tally::default();
    run::check(CASES, &families::family_and_game(), |(family, Shown(spec))| {
        Semantics::ALL
            .iter()
            .try_for_each(|semantics| is_exact(family, spec, *semantics, &tally))
    });
    let tally = tally.into_inner();
    for kind in [
        "Consistency Inconsistent",
        "Product Subsumed",
        "Product NonSubsumed",
        "Counterpart Subsumed",
        "Counterpart NonSubsumed",
        "Strategy Subsumed",
        "Strategy NonSubsumed",
        "verdicts: 2",
        "verdicts: 3",
        "shared witnesses",
        "some alone",
        "all together",
    ] {
        assert!(
            tally.get(kind).is_some_and(|n| *n > CASES / 200),
            "{kind} is too rare to test: {tally:?}"
        );
    }
}

#[test]
fn verdicts_on_all_products_agree_with_region_graphs() {
    run::check(CASES / 5, &families::family_and_game(), |(family, Shown(spec))| {
        for semantics in Semantics::ALL {
            let Some(specification) = prepare(spec, semantics)? else {
                continue;
            };
            let budget = Budget::unlimited();
            let mut sets = Diagrams::of(family.0.model(), &budget).map_err(|reason| reason.to_string())?;
            let found = decide_products(&family.0, &specification, &mut sets, &budget);
            for (product, member) in family.members().iter().take(6) {
                let [Ok(verdict)] = of_product(&sets, &found, product)[..] else {
                    continue;
                };
                let expected = match refinement::decide(member, spec, rules(semantics)) {
                    refinement::Answer::Inconsistent => Verdict::Inconsistent,
                    refinement::Answer::Subsumed => Verdict::Subsumed,
                    refinement::Answer::NonSubsumed => Verdict::NonSubsumed,
                    refinement::Answer::SpecInconsistent => return Err("an inconsistent specification".to_owned()),
                };
                if verdict != expected {
                    let product = product.show(family.0.model());
                    return Err(format!("{semantics}: {product}: {verdict:?} instead of {expected:?}"));
                }
            }
        }
        Ok(())
    });
}

fn mutants(base: &Automaton, order: u8) -> FeaturedMutants {
    FeaturedMutants::of(base, &MutationOptions::default(), ProductBound::Sequences(order)).expect("a supported order")
}

fn together(
    featured: &FeaturedAutomaton,
    model: &FeatureModel,
    specification: &Specification,
) -> (Diagrams, ProductVerdicts<DiagramSet>) {
    let budget = Budget::unlimited();
    let mut bitmaps = Bitmaps::of(model, &budget).expect("few products");
    let verdicts = decide_products(featured, specification, &mut bitmaps, &budget);
    let mut sets = Diagrams::of(model, &budget).expect("no limit");
    let verdicts = verdicts.map(|set| sets.of_products(&bitmaps.products(set)));
    (sets, verdicts.expect("no limit"))
}

#[test]
fn every_first_order_mutant_of_the_studies_is_a_product_with_its_verdict() {
    let mut n_with_choices = 0;
    for name in ["mutex", "hotel", "coffee", "wfas", "accel", "cas"] {
        let base = study(name);
        let mutants = mutants(&base, 1);
        let space = MutantSpace::new(&base, &MutationOptions::default(), Order::FIRST).expect("few mutants");
        let siblings = space.siblings(0).expect("one family");
        for semantics in Semantics::ALL {
            let specification = prepare(&base, semantics).expect("a meaning").expect("consistent");
            let (sets, found) = together(mutants.automaton(), mutants.model(), &specification);
            assert_eq!(n_products(&sets, &found), BigUint::from(space.len() + 1), "{name}");
            let mut scratch = Scratch::default();
            for mutation in siblings.last().iter() {
                let product = mutants.product_of(&[mutation]).expect("a product");
                let mutant = siblings.mutant(mutation);
                let decision = specification.decide(&mutant, &Budget::unlimited(), &mut scratch);
                let decision = decision.expect("a meaning");
                n_with_choices += u32::from(matches!(decision.method, Method::Counterpart | Method::Strategy));
                let verdict = of_product(&sets, &found, &product);
                assert_eq!(
                    verdict,
                    [Ok(decision.verdict)],
                    "{name} {semantics} {}",
                    siblings.id(mutation)
                );
            }
        }
    }
    assert!(n_with_choices > 5, "choices occur: {n_with_choices}");
}

/// Sequences of two mutations that make the same mutant are one product.
#[test]
fn every_second_order_mutant_of_coffee_and_wfas_is_a_product_with_its_verdict() {
    for (name, semantics) in [("coffee", &Semantics::ALL[..]), ("wfas", &Semantics::ALL[..])] {
        let base = study(name);
        let mutants = mutants(&base, 2);
        for semantics in semantics {
            if cfg!(debug_assertions) && *semantics != Semantics::TIGA {
                continue;
            }
            let specification = prepare(&base, *semantics).expect("a meaning").expect("consistent");
            let (sets, found) = together(mutants.automaton(), mutants.model(), &specification);
            let all = sets.diagram(sets.all());
            assert_eq!(n_products(&sets, &found), all.count(), "{name}");
            let n = u32::try_from(all.count()).expect("few products");
            let mut scratch = Scratch::default();
            for number in 0..n {
                let product = all.get(&number.into()).expect("in range");
                let mutant = mutants.project(&product).expect("an automaton");
                let decision = specification.decide(&mutant, &Budget::unlimited(), &mut scratch);
                let expected = decision.expect("a meaning").verdict;
                let verdict = of_product(&sets, &found, &product);
                let product = product.show(mutants.model());
                assert_eq!(verdict, [Ok(expected)], "{name} {semantics} {product}");
            }
        }
    }
}
