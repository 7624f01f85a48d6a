//! All products of random featured mutant models, and of random families, against enumeration: what tests kill of them, potentially and
//! definitely, what escapes, what completes a suite, and how many products there are of each kind.

use std::cell::RefCell;

use num_bigint::BigUint;
use proptest::collection::vec;
use proptest::prelude::*;
use tamper::featured::FeaturedAutomaton;
use tamper::features::{Diagrams, FeatureExpr, FeatureId, Product, ProductSets as _};
use tamper::game::{Semantics, Specification, shown_products};
use tamper::model::Automaton;
use tamper::mutation::{FeaturedMutants, MutationOptions, ProductBound};
use tamper::suite::{
    Act, Completed, Definite, DefiniteCounts, DomainAnswer, DomainCounts, FaultDomain, Kill, Pick, Potential,
    ProductClauses, Style, Subject, SuiteFailure, TestCase, TestVerdict, Tester, ends,
};
use tamper::text::Budget;

use crate::suites::fault_domain::all_products;
use crate::suites::region_game;
use testing::oracle::clocks::{Regions, Spread, has_diagonals};
use testing::oracle::families::{Family, family_and_game, project};
use testing::oracle::generate::{Shown, Sketch, sketch};
use testing::oracle::run;
use testing::oracle::show::show;

/// A game, which of its mutations there are, and which products tests are made for.
#[derive(Clone)]
struct Domain {
    sketch: Sketch,
    conjuncts: bool,
    mutations: Vec<u16>,
    tested: Vec<u16>,
}

impl std::fmt::Debug for Domain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mutants = self.mutants();
        let ids = mutants.mutations().iter().filter(|(feature, _)| {
            let excluded = !FeatureExpr::Var(**feature);
            let constraints = mutants.model().constraints();
            !constraints.iter().any(|constraint| constraint.expr == excluded)
        });
        let ids: Vec<&str> = ids.map(|(_, mutation)| mutation.id.as_str()).collect();
        write!(
            f,
            "{}mutations {ids:?}, tests for {:?}",
            show(mutants.base()),
            self.tested
        )
    }
}

impl Domain {
    /// Every combination of the chosen mutations.
    fn mutants(&self) -> FeaturedMutants {
        let options = MutationOptions {
            conjuncts: self.conjuncts,
            ..MutationOptions::default()
        };
        let spec = self.sketch.build("S");
        let mutants = FeaturedMutants::of(&spec, &options, ProductBound::Sets(None)).expect("any order is supported");
        let all: Vec<FeatureId> = mutants.mutations().keys().copied().collect();
        let chosen: Vec<FeatureId> = self
            .mutations
            .iter()
            .map(|at| all[usize::from(*at) % all.len()])
            .collect();
        let mut model = mutants.model().clone();
        for feature in all.into_iter().filter(|feature| !chosen.contains(feature)) {
            model.add_constraint(!FeatureExpr::Var(feature), "not chosen");
        }
        mutants.with_model(model).expect("the same features")
    }
}

fn domain() -> impl Strategy<Value = Domain> {
    let urgent = vec(prop::bool::weighted(0.2), 5);
    let parts = (
        sketch(),
        urgent,
        any::<bool>(),
        vec(0u16..500, 1..=6),
        vec(0u16..64, 0..=4),
    );
    parts.prop_map(|(mut sketch, urgent, conjuncts, mutations, tested)| {
        for (is_urgent, more) in sketch.urgent.iter_mut().zip(urgent) {
            *is_urgent |= more;
        }
        Domain {
            sketch,
            conjuncts,
            mutations,
            tested,
        }
    })
}

/// What is known of a product by looking at it alone; without a subject it has no state.
struct Truth {
    product: Product,
    subject: Option<Subject>,
    potential: bool,
    definite: Option<bool>,
}

#[derive(Default, Debug)]
struct Tally {
    domains: u32,
    products: usize,
    potential: usize,
    definite: usize,
    undecided: usize,
    stateless: usize,
    urgent: u32,
    beginnings: u32,
    executed_definite: usize,
    not_together: usize,
    by_clauses: u32,
}

fn text(error: SuiteFailure) -> String {
    error.to_string()
}

/// The products, and tests for some of them.
type Enumerated = (Vec<Truth>, Vec<TestCase>);

/// Every product by itself, and the tests for some of them; none if some product has no meaning.
fn enumerate(tester: &Tester, family: &FeaturedAutomaton, tested: &[u16]) -> Result<Option<Enumerated>, String> {
    let budget = Budget::unlimited();
    let products = all_products(family.model());
    let is_tested = |at: usize| {
        let mut tested = tested.iter();
        tested.any(|tested| usize::from(*tested) % products.len() == at)
    };
    let (mut truths, mut tests) = (Vec::new(), Vec::new());
    for (at, product) in products.iter().enumerate() {
        let mutant = project(family, product);
        let subject = match Subject::new(&mutant, &budget) {
            Ok(subject) => subject,
            Err(SuiteFailure::NoInitialState { .. }) => {
                truths.push(Truth {
                    product: product.clone(),
                    subject: None,
                    potential: false,
                    definite: Some(false),
                });
                continue;
            }
            Err(SuiteFailure::Game(_)) => return Ok(None),
            Err(error) => return Err(text(error)),
        };
        let pick = [Pick::Earliest, Pick::Middle, Pick::Latest][at % 3];
        let potential = tester
            .potential(&subject, Style::Adaptive, pick, &budget)
            .map_err(text)?;
        let definite = tester.definite(&subject, &budget).map_err(text)?;
        let truth = Truth {
            product: product.clone(),
            subject: Some(subject),
            potential: matches!(potential, Potential::Killed(_)),
            definite: match definite {
                Definite::Killed(_) => Some(true),
                Definite::Avoidable => Some(false),
                Definite::Unknown => None,
            },
        };
        if is_tested(at) {
            if let Potential::Killed(test) = potential {
                tests.push(test);
            }
            if let Definite::Killed(test) = definite {
                tests.push(test);
            }
            // The same once more, decided on regions.
            let diagonal = has_diagonals(&mutant) || has_diagonals(tester.automaton());
            let regions = match diagonal {
                true => region_game::killable::<Spread>(&mutant, tester.automaton()),
                false => region_game::killable::<Regions>(&mutant, tester.automaton()),
            };
            if (truth.potential, truth.definite.unwrap_or(true)) != regions {
                return Err(format!("regions say {regions:?} of {product:?}"));
            }
        }
        truths.push(truth);
    }
    for (number, test) in tests.iter_mut().enumerate() {
        test.id = format!("t{number}");
    }
    Ok(Some((truths, tests)))
}

/// The test with fewer words: all that is inconclusive fails. It may fail the specification, too.
fn strict(test: &TestCase) -> TestCase {
    let mut test = test.clone();
    let fail = |verdict: &mut TestVerdict| {
        if *verdict == TestVerdict::Inconclusive {
            *verdict = TestVerdict::Fail;
        }
    };
    for node in &mut test.nodes {
        fail(&mut node.otherwise);
        for rule in &mut node.rules {
            if let Act::Stop(verdict) = &mut rule.act {
                fail(verdict);
            }
        }
    }
    test
}

/// Whether the test kills a product.
fn kills(test: &TestCase, subject: &Subject, kill: Kill) -> Result<bool, String> {
    let ends = ends(test, subject, &Budget::unlimited()).map_err(text)?;
    Ok(match kill {
        Kill::Potential => ends.can_fail(),
        Kill::Definite => ends.must_fail(),
    })
}

/// What each test kills by itself, as a condition.
fn check_tests(
    (family, tester): (&FeaturedAutomaton, &Tester),
    truths: &[Truth],
    tests: &[TestCase],
    kill: Kill,
) -> Result<usize, String> {
    let mut n_killed = 0;
    for test in tests.iter().cloned().chain(tests.iter().map(strict)) {
        let mut alone =
            FaultDomain::new(family, tester, kill, &Budget::unlimited()).map_err(|error| error.to_string())?;
        let killed = alone.execute(&test, &Budget::unlimited()).map_err(text)?;
        for truth in truths {
            let Some(subject) = &truth.subject else { continue };
            let expected = kills(&test, subject, kill)?;
            n_killed += usize::from(expected);
            if killed.contains(&truth.product) != expected {
                return Err(format!(
                    "{kill:?} killing of {:?} should be {expected}: {test:?}",
                    truth.product
                ));
            }
        }
    }
    Ok(n_killed)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what}: {found:?}, enumeration says {expected:?}")),
    }
}

/// Which products show something in some run, all of them in one exploration; how many of them cannot be treated so.
fn check_shown((family, tester): (&FeaturedAutomaton, &Tester), truths: &[Truth]) -> Result<usize, String> {
    let budget = Budget::unlimited();
    let spec = Specification::prepare(tester.automaton(), Semantics::DEFINITION, &budget);
    let spec = spec.map_err(|error| error.to_string())?;
    let mut sets = Diagrams::of(family.model(), &budget).map_err(|error| error.to_string())?;
    let found = shown_products(family, &spec, &mut sets, &budget).map_err(|error| error.to_string())?;
    let mut n_others = 0;
    for truth in truths {
        let has = [&found.shown, &found.silent, &found.others].map(|set| sets.contains(set, &truth.product));
        let is_silent = truth.subject.is_some() && !truth.potential;
        let allowed = [[true, false, false], [false, true, false], [false, false, true]];
        let expected = match truth.potential {
            true => [allowed[0], allowed[2]],
            false if is_silent => [allowed[1], allowed[2]],
            false => [allowed[2], allowed[2]],
        };
        if !expected.contains(&has) {
            return Err(format!("shown, silent, others: {has:?} for {:?}", truth.product));
        }
        n_others += usize::from(has[2] && truth.subject.is_some());
    }
    Ok(n_others)
}

/// Which products the tests miss, each by itself, and the completed suite, all of it by clauses; whether that can be asked.
fn check_clauses(
    (family, tester): (&FeaturedAutomaton, &Tester),
    truths: &[Truth],
    tests: &[TestCase],
) -> Result<bool, String> {
    let budget = Budget::unlimited();
    for given in [tests.to_vec(), tests.iter().map(strict).collect(), Vec::new()] {
        let Some(mut clauses) = ProductClauses::new(family, tester, &budget).map_err(text)? else {
            return Ok(false);
        };
        for test in &given {
            clauses.add(test, &budget).map_err(text)?;
        }
        let survives = |truth: &Truth, tests: &[TestCase]| -> Result<bool, String> {
            let Some(subject) = &truth.subject else {
                return Ok(false);
            };
            let mut tests = tests.iter();
            Ok(truth.potential
                && !tests.try_fold(false, |killed, test| {
                    Ok::<_, String>(killed || kills(test, subject, Kill::Potential)?)
                })?)
        };
        for truth in truths {
            let misses = clauses
                .misses(&truth.product, &budget)
                .map_err(|error| error.to_string())?;
            same(
                &format!("missed: {:?}", truth.product),
                misses,
                survives(truth, &given)?,
            )?;
        }
        let Completed::Complete(added) = clauses.complete(&budget, &mut |_| ()).map_err(text)? else {
            return Err("there is no limit".to_owned());
        };
        let complete: Vec<TestCase> = given.into_iter().chain(added).collect();
        for truth in truths {
            same(
                &format!("missed in the end: {:?}", truth.product),
                survives(truth, &complete)?,
                false,
            )?;
        }
    }
    Ok(true)
}

/// The suite and its completion; the completed domain.
fn check_suite<'d>(
    (family, tester): (&'d FeaturedAutomaton, &'d Tester),
    truths: &[Truth],
    tests: &[TestCase],
    kill: Kill,
) -> Result<FaultDomain<'d>, String> {
    let budget = Budget::unlimited();
    let mut domain = FaultDomain::new(family, tester, kill, &Budget::unlimited()).map_err(|error| error.to_string())?;
    for test in tests {
        domain.execute(test, &budget).map_err(text)?;
    }
    let killed_by = |tests: &[TestCase], truth: &Truth| -> Result<bool, String> {
        let Some(subject) = &truth.subject else {
            return Ok(false);
        };
        tests
            .iter()
            .try_fold(false, |killed, test| Ok(killed || kills(test, subject, kill)?))
    };
    let killable = |truth: &Truth| match kill {
        Kill::Potential => Some(truth.potential),
        Kill::Definite => truth.definite,
    };
    let mut escaping = Vec::new();
    let mut n_killed = 0u32;
    for truth in truths {
        let is_killed = killed_by(tests, truth)?;
        n_killed += u32::from(is_killed);
        if killable(truth) == Some(true) && !is_killed {
            escaping.push(truth);
        }
    }
    let before = DomainCounts::of(&domain);
    same("products", before.products, BigUint::from(truths.len()))?;
    same("killed", before.killed, BigUint::from(n_killed))?;
    match domain.escape(&budget, &mut |_, _| ()).map_err(text)? {
        DomainAnswer::Escape(product, test) => {
            let Some(truth) = escaping.iter().find(|truth| truth.product == product) else {
                return Err(format!("{product:?} does not escape"));
            };
            same("the test kills", killed_by(std::slice::from_ref(&test), truth)?, true)?;
        }
        // The answer Undecided may stand for products that look alike to a tester.
        DomainAnswer::Complete | DomainAnswer::Undecided(_) => same("escaping", escaping.len(), 0)?,
        DomainAnswer::Unknown(reason) => return Err(reason.to_string()),
    }
    let completed = domain.complete(&budget, &mut |_, _| ()).map_err(text)?;
    let Completed::Complete(added) = completed else {
        return Err("there is no limit".to_owned());
    };
    let complete: Vec<TestCase> = tests.iter().chain(&added).cloned().collect();
    let mut numbers = [0u32; 4];
    for truth in truths {
        let is_killed = killed_by(&complete, truth)?;
        let kind = match (&truth.subject, is_killed, killable(truth)) {
            (None, ..) => 0,
            (_, true, _) => 1,
            (_, false, Some(false)) => 2,
            (_, false, None) => 3,
            (_, false, Some(true)) => return Err(format!("{:?} is left alive", truth.product)),
        };
        numbers[kind] += 1;
        if truth.subject.is_none() {
            continue;
        }
        let found = (
            domain.killed().contains(&truth.product),
            domain.immune().contains(&truth.product),
            domain.undecided().contains(&truth.product),
        );
        let expected = (kind == 1, kind == 2, kind == 3);
        same(
            &format!("killed, immune, undecided: {:?}", truth.product),
            found,
            expected,
        )?;
    }
    let counts = DomainCounts::of(&domain);
    let found = [counts.stateless, counts.killed, counts.immune, counts.undecided];
    same(
        "stateless, killed, immune, undecided",
        found,
        numbers.map(BigUint::from),
    )?;
    Ok(domain)
}

fn check(family: &FeaturedAutomaton, spec: &Automaton, tested: &[u16], tally: &RefCell<Tally>) -> Result<(), String> {
    let budget = Budget::unlimited();
    let tester = match Tester::new(spec, &budget) {
        Ok(tester) => tester,
        Err(SuiteFailure::NonDeterministic { .. } | SuiteFailure::NoInitialState { .. }) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let Some((truths, tests)) = enumerate(&tester, family, tested)? else {
        return Ok(());
    };
    let all = (family, &tester);
    let n_others = check_shown(all, &truths)?;
    let by_clauses = check_clauses(all, &truths, &tests)?;
    check_tests(all, &truths, &tests, Kill::Potential)?;
    let n_definite = check_tests(all, &truths, &tests, Kill::Definite)?;
    let potential = check_suite(all, &truths, &tests, Kill::Potential)?;
    let mut definite = check_suite(all, &truths, &tests, Kill::Definite)?;
    let counts = DefiniteCounts::of(&mut definite, &potential).map_err(|error| error.to_string())?;
    let number = |of: &dyn Fn(&Truth) -> bool| truths.iter().filter(|truth| of(truth)).count();
    let avoidable = number(&|truth| truth.potential && truth.definite == Some(false));
    same("only potentially", counts.avoidable, BigUint::from(avoidable))?;
    let mut tally = tally.borrow_mut();
    tally.domains += 1;
    tally.products += truths.len();
    tally.potential += number(&|truth| truth.potential);
    tally.definite += number(&|truth| truth.definite == Some(true));
    tally.undecided += number(&|truth| truth.definite.is_none());
    tally.stateless += number(&|truth| truth.subject.is_none());
    tally.executed_definite += n_definite;
    tally.not_together += n_others;
    tally.by_clauses += u32::from(by_clauses);
    tally.urgent += u32::from(family.automaton().actions().iter().any(|action| action.urgent));
    tally.beginnings += u32::from(family.conditions().initial.len() > 1);
    Ok(())
}

#[test]
fn all_products_of_1000_random_domains_are_what_enumeration_says() {
    let tally = RefCell::new(Tally::default());
    let cases = if cfg!(debug_assertions) { 60 } else { 2_000 };
    run::check(cases, &domain(), |domain| {
        let mutants = domain.mutants();
        check(mutants.automaton(), mutants.base(), &domain.tested, &tally)
    });
    let tally = tally.into_inner();
    println!("{tally:?}");
    if !cfg!(debug_assertions) {
        assert!(tally.domains >= 1_000 && tally.urgent >= 200, "{tally:?}");
        assert!(tally.definite >= 700 && tally.executed_definite >= 2_000, "{tally:?}");
        assert!(tally.potential >= tally.definite + 2_000, "{tally:?}");
        assert!(tally.stateless >= 5, "{tally:?}");
        assert!(tally.not_together < tally.products / 4, "{tally:?}");
    }
}

/// Families whose products begin in different places, know different actions, and are urgent in different ways, which
/// mutants never are; and whose superposition is not the specification.
#[test]
fn all_products_of_2000_random_families_are_what_enumeration_says() {
    let tally = RefCell::new(Tally::default());
    let cases = if cfg!(debug_assertions) { 60 } else { 4_000 };
    let families = (family_and_game(), vec(0u16..64, 0..=4));
    run::check(cases, &families, |((Family(family), Shown(spec)), tested)| {
        check(family, spec, tested, &tally)
    });
    let tally = tally.into_inner();
    println!("{tally:?}");
    if !cfg!(debug_assertions) {
        assert!(
            tally.domains >= 2_000 && tally.urgent >= 150 && tally.beginnings >= 50,
            "{tally:?}"
        );
        assert!(tally.definite >= 1_000 && tally.executed_definite >= 5_000, "{tally:?}");
        assert!(tally.potential >= tally.definite + 500, "{tally:?}");
        assert!(tally.not_together < tally.products / 4, "{tally:?}");
    }
}
