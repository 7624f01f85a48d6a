//! All products of a featured mutant model against enumeration: at orders 1 and 2 every product is looked at alone.

use num_bigint::BigUint;
use tamper::base::Budget;
use tamper::features::{EncodedModel, FeatureExpr, FeatureId, Product, Solver, Varisat, products};
use tamper::model::Automaton;
use tamper::mutation::{FeaturedMutants, MutationOptions, ProductBound};
use tamper::suite::{
    Completed, Family, FaultDomain, Kill, Pick, Potential, Style, Subject, TestCase, Tester, family_based,
    minimum_cover,
};

use crate::studies::spec;

fn featured(spec: &Automaton, most: Option<u32>) -> FeaturedMutants {
    FeaturedMutants::of(spec, &MutationOptions::default(), ProductBound::Sets(most)).expect("any order is supported")
}

fn all_products(mutants: &FeaturedMutants) -> Vec<Product> {
    let mut solver = Varisat::default();
    solver.load(EncodedModel::of(mutants.model()).cnf());
    let features: Vec<FeatureId> = mutants.model().features().ids().collect();
    products(&mut solver, &features, usize::MAX).expect("the solver answers")
}

fn killing_test(tester: &Tester, mutants: &FeaturedMutants, product: &Product) -> Option<TestCase> {
    let budget = Budget::unlimited();
    let mutant = mutants.project(product).expect("a product is a mutant");
    let subject = Subject::new(&mutant, &budget).expect("it has a state");
    match tester.potential(&subject, Style::Adaptive, Pick::Earliest, &budget) {
        Ok(Potential::Killed(test)) => Some(test),
        Ok(Potential::NotKillable) => None,
        Err(error) => panic!("{error}"),
    }
}

/// The fewest tests that kill every mutant of order 1 that can be killed.
fn first_order_suite(tester: &Tester) -> Vec<TestCase> {
    let mutants = featured(tester.automaton(), Some(1));
    let products = all_products(&mutants);
    let tests: Vec<TestCase> = products
        .iter()
        .filter_map(|product| killing_test(tester, &mutants, product))
        .collect();
    let family = Family::new(&mutants, &products);
    let matrix = family_based(&tests, &family, Kill::Potential, &Budget::unlimited()).expect("no limit");
    let cover = minimum_cover(&matrix.can_fail, &vec![1; tests.len()], 100_000);
    cover.tests.iter().map(|test| tests[*test].clone()).collect()
}

/// Looking for a killing test takes milliseconds: of many products, every so many get one.
fn step(products: &[Product]) -> usize {
    products.len().div_ceil(2000)
}

fn some_holds(conditions: &[FeatureExpr], product: &Product) -> bool {
    conditions.iter().any(|condition| condition.holds(product))
}

/// Everything about the products of up to `most` mutations, one by one, against the answers about all at once.
fn check_bounded(tester: &Tester, suite: &[TestCase], most: u32) {
    let budget = Budget::unlimited();
    let mutants = featured(tester.automaton(), Some(most));
    let products = all_products(&mutants);
    let family = Family::new(&mutants, &products);
    let mut domain = FaultDomain::new(&mutants, tester).expect("no urgent outputs");
    let mut rows = Vec::new();
    for test in suite {
        // Each test alone, too: what it kills, as a condition.
        let mut alone = FaultDomain::new(&mutants, tester).expect("no urgent outputs");
        rows.push(alone.execute(test, &budget).expect("no limit"));
        domain.execute(test, &budget).expect("no limit");
    }
    let matrix = family_based(suite, &family, Kill::Potential, &budget).expect("no limit");
    for (at, product) in products.iter().enumerate() {
        for (row, killed) in matrix.can_fail.iter().zip(&rows) {
            assert_eq!(row.contains(at), some_holds(killed, product));
        }
        assert_eq!(
            matrix.can_fail.iter().any(|row| row.contains(at)),
            some_holds(domain.killed(), product)
        );
    }
    let counts = domain.counts(&budget).expect("no limit");
    assert_eq!(counts.products, BigUint::from(products.len()));
    assert_eq!(
        counts.killed,
        BigUint::from(matrix.killed(Kill::Potential).count_ones(..))
    );
    let Ok(Completed::Complete(added)) = domain.complete(&budget, &mut |_, _| ()) else {
        panic!("there is no limit")
    };
    let complete: Vec<TestCase> = suite.iter().chain(&added).cloned().collect();
    let matrix = family_based(&complete, &family, Kill::Potential, &budget).expect("no limit");
    let killed = matrix.killed(Kill::Potential);
    for (at, product) in products.iter().enumerate() {
        assert_eq!(killed.contains(at), some_holds(domain.killed(), product));
        assert_eq!(!killed.contains(at), some_holds(domain.conforming(), product));
        if at % step(&products) == 0 {
            assert_eq!(killed.contains(at), killing_test(tester, &mutants, product).is_some());
        }
    }
    let counts = domain.counts(&budget).expect("no limit");
    assert_eq!(counts.killed, BigUint::from(killed.count_ones(..)));
    assert_eq!(&counts.killed + &counts.conforming, counts.products);
}

/// All combinations: the answers, restricted to up to two mutations, are those of enumeration.
fn check_unbounded(tester: &Tester, suite: &[TestCase], most: u32) {
    let budget = Budget::unlimited();
    let mutants = featured(tester.automaton(), None);
    let mut domain = FaultDomain::new(&mutants, tester).expect("no urgent outputs");
    for test in suite {
        domain.execute(test, &budget).expect("no limit");
    }
    let Ok(Completed::Complete(_)) = domain.complete(&budget, &mut |_, _| ()) else {
        panic!("there is no limit")
    };
    let small = featured(tester.automaton(), Some(most));
    let products = all_products(&small);
    for product in products.iter().step_by(step(&products)) {
        let is_killable = killing_test(tester, &small, product).is_some();
        assert_eq!(is_killable, some_holds(domain.killed(), product));
        assert_eq!(!is_killable, some_holds(domain.conforming(), product));
    }
}

fn check(folder: &str, most: u32) {
    let spec = spec(folder);
    let tester = Tester::new(&spec, &Budget::unlimited()).expect("the studies are deterministic");
    let suite = first_order_suite(&tester);
    for most in 1..=most {
        check_bounded(&tester, &suite, most);
    }
    check_unbounded(&tester, &suite, most);
}

#[test]
fn what_a_suite_kills_of_all_combinations_of_hotel_is_what_enumeration_says() {
    check("hotel", 2);
}

#[test]
fn what_a_suite_kills_of_all_combinations_of_coffee_is_what_enumeration_says() {
    check("coffee", 2);
}

#[test]
fn what_a_suite_kills_of_all_combinations_of_mutex_is_what_enumeration_says() {
    check("mutex", 2);
}

/// Two mutations take too long without optimisation.
#[test]
fn what_a_suite_kills_of_all_combinations_of_wfas_is_what_enumeration_says() {
    check("wfas", if cfg!(debug_assertions) { 1 } else { 2 });
}
