//! All products of a featured mutant model against enumeration: at orders 1 and 2 every product is looked at alone.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use tamper::features::{EncodedModel, FeatureId, FeatureModel, Product, Solver, Varisat, products};
use tamper::model::Automaton;
use tamper::mutation::{FeaturedMutants, MutationOptions, ProductBound};
use tamper::suite::{
    Completed, Definite, DomainCounts, Family, FaultDomain, Kill, Pick, Potential, Style, Subject, TestCase, Tester,
    family_based, minimum_cover,
};
use tamper::text::Budget;

use crate::suites::studies::spec;

fn featured(spec: &Automaton, most: Option<u32>) -> FeaturedMutants {
    FeaturedMutants::of(spec, &MutationOptions::default(), ProductBound::Sets(most)).expect("any order is supported")
}

/// Every product, one by one.
pub fn all_products(model: &FeatureModel) -> Vec<Product> {
    let mut solver = Varisat::default();
    solver.load(EncodedModel::of(model).cnf());
    let features: Vec<FeatureId> = model.features().ids().collect();
    products(&mut solver, &features, usize::MAX).expect("the solver answers")
}

/// What is known of a product by looking at it alone: a test that kills it potentially, if there is one, and whether one
/// kills it definitely.
#[derive(Clone)]
struct Truth {
    potential: Option<TestCase>,
    definite: bool,
}

fn look_at(tester: &Tester, mutants: &FeaturedMutants, product: &Product) -> Truth {
    let budget = Budget::unlimited();
    let mutant = mutants.project(product).expect("a product is a mutant");
    let subject = Subject::new(&mutant, &budget).expect("it has a state");
    let potential = tester.potential(&subject, Style::Adaptive, Pick::Earliest, &budget);
    let definite = tester.definite(&subject, &budget).expect("no limit");
    Truth {
        potential: match potential.expect("no limit") {
            Potential::Killed(test) => Some(test),
            Potential::NotKillable => None,
        },
        definite: match definite {
            Definite::Killed(_) => true,
            Definite::Avoidable => false,
            Definite::Unknown => panic!("the mutants of the studies are known: {product:?}"),
        },
    }
}

/// A specification, and its products of up to two mutations: all that are looked at one by one.
struct Study {
    tester: Tester,
    products: Vec<Product>,
    /// Of some of them.
    truths: BTreeMap<Product, Truth>,
    /// The fewest tests that kill every mutant of order 1 that can be killed.
    suite: Vec<TestCase>,
}

impl Study {
    /// Looking at a product takes milliseconds: of many, only about `most_looks` are looked at, with all of order 1.
    fn new(folder: &str, order: u32, most_looks: usize) -> Self {
        let tester = Tester::new(&spec(folder), &Budget::unlimited()).expect("the studies are deterministic");
        let mutants = featured(tester.automaton(), Some(order));
        let products = all_products(mutants.model());
        let step = products.len().div_ceil(most_looks);
        let is_first_order = |product: &Product| n_mutations(&mutants, product) <= 1;
        let looked_at = products.iter().enumerate();
        let looked_at = looked_at.filter(|(at, product)| at % step == 0 || is_first_order(product));
        let truths: BTreeMap<Product, Truth> = looked_at
            .map(|(_, product)| (product.clone(), look_at(&tester, &mutants, product)))
            .collect();
        let suite = first_order_suite(&tester, &truths);
        Self {
            tester,
            products,
            truths,
            suite,
        }
    }
}

fn n_mutations(mutants: &FeaturedMutants, product: &Product) -> usize {
    let all = mutants.mutations().keys();
    all.filter(|feature| product.contains(**feature)).count()
}

/// The fewest tests that kill every mutant of order 1 that can be killed.
fn first_order_suite(tester: &Tester, truths: &BTreeMap<Product, Truth>) -> Vec<TestCase> {
    let mutants = featured(tester.automaton(), Some(1));
    let products = all_products(mutants.model());
    let tests: Vec<TestCase> = products
        .iter()
        .filter_map(|product| truths[product].potential.clone())
        .collect();
    let family = Family::new(&mutants, &products);
    let matrix = family_based(&tests, &family, Kill::Potential, &Budget::unlimited()).expect("no limit");
    let cover = minimum_cover(&matrix.can_fail, &vec![1; tests.len()], 100_000);
    cover.tests.iter().map(|test| tests[*test].clone()).collect()
}

/// Everything about the products of up to `most` mutations, one by one, against the answers about all at once.
fn check_bounded(study: &Study, most: u32, kill: Kill) {
    let budget = Budget::unlimited();
    let mutants = featured(study.tester.automaton(), Some(most));
    let is_product = |product: &&Product| n_mutations(&mutants, product) <= most as usize;
    let products: Vec<Product> = study.products.iter().filter(is_product).cloned().collect();
    let family = Family::new(&mutants, &products);
    let mut domain = FaultDomain::new(mutants.automaton(), &study.tester, kill, &budget).expect("no limit");
    let mut conditions = Vec::new();
    for test in &study.suite {
        // Each test alone, too: what it kills, as a condition.
        let mut alone = FaultDomain::new(mutants.automaton(), &study.tester, kill, &budget).expect("no limit");
        conditions.push(alone.execute(test, &budget).expect("no limit"));
        domain.execute(test, &budget).expect("no limit");
    }
    let matrix = family_based(&study.suite, &family, kill, &budget).expect("no limit");
    let rows = match kill {
        Kill::Potential => &matrix.can_fail,
        Kill::Definite => &matrix.must_fail,
    };
    for (at, product) in products.iter().enumerate() {
        for (row, killed) in rows.iter().zip(&conditions) {
            assert_eq!(row.contains(at), killed.contains(product));
        }
        let is_killed = rows.iter().any(|row| row.contains(at));
        assert_eq!(is_killed, domain.killed().contains(product));
    }
    let counts = DomainCounts::of(&domain);
    assert_eq!(counts.products, BigUint::from(products.len()));
    assert_eq!(counts.killed, BigUint::from(matrix.killed(kill).count_ones(..)));
    let Ok(Completed::Complete(added)) = domain.complete(&budget, &mut |_, _| ()) else {
        panic!("there is no limit")
    };
    let complete: Vec<TestCase> = study.suite.iter().chain(&added).cloned().collect();
    let killed = family_based(&complete, &family, kill, &budget)
        .expect("no limit")
        .killed(kill);
    for (at, product) in products.iter().enumerate() {
        assert_eq!(killed.contains(at), domain.killed().contains(product));
        assert_eq!(!killed.contains(at), domain.immune().contains(product));
        if let Some(truth) = study.truths.get(product) {
            assert_eq!(killed.contains(at), truth.is_killable(kill));
        }
    }
    let counts = DomainCounts::of(&domain);
    assert_eq!(counts.killed, BigUint::from(killed.count_ones(..)));
    assert_eq!(&counts.killed + &counts.immune, counts.products);
}

impl Truth {
    fn is_killable(&self, kill: Kill) -> bool {
        match kill {
            Kill::Potential => self.potential.is_some(),
            Kill::Definite => self.definite,
        }
    }
}

/// All combinations: the answers, restricted to a few mutations, are those of enumeration.
fn check_unbounded(study: &Study, kill: Kill) {
    let budget = Budget::unlimited();
    let mutants = featured(study.tester.automaton(), None);
    let mut domain = FaultDomain::new(mutants.automaton(), &study.tester, kill, &budget).expect("no limit");
    for test in &study.suite {
        domain.execute(test, &budget).expect("no limit");
    }
    let Ok(Completed::Complete(_)) = domain.complete(&budget, &mut |_, _| ()) else {
        panic!("there is no limit")
    };
    for (product, truth) in &study.truths {
        assert_eq!(truth.is_killable(kill), domain.killed().contains(product));
        assert_eq!(!truth.is_killable(kill), domain.immune().contains(product));
    }
}

fn check(folder: &str, order: u32) {
    let study = Study::new(folder, order, 700);
    for kill in [Kill::Potential, Kill::Definite] {
        for most in 1..=order {
            check_bounded(&study, most, kill);
        }
        check_unbounded(&study, kill);
    }
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

/// All combinations take too long for definite kills, and two mutations without optimisation.
#[test]
fn what_a_suite_kills_of_all_combinations_of_wfas_is_what_enumeration_says() {
    let order = if cfg!(debug_assertions) { 1 } else { 2 };
    let study = Study::new("wfas", order, 700);
    for kill in [Kill::Potential, Kill::Definite] {
        for most in 1..=order {
            check_bounded(&study, most, kill);
        }
    }
    if order > 1 {
        check_unbounded(&study, Kill::Potential);
    }
}
