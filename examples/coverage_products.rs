//! What the fewest tests for order 1 kill of all combinations of mutations of a study, and what completes them, as a
//! line of a Markdown table: `results/coverage-products/make.sh` keeps them in `results/coverage-products/page.md`.

use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail};
use num_bigint::BigUint;
use tamper::features::{Circuit, EncodedModel, FeatureId, Product, Random, Solver as _, Varisat, products};
use tamper::mutation::{FeaturedMutants, MutationOptions, ProductBound};
use tamper::report::percent;
use tamper::reproduction::Study;
use tamper::suite::{
    Completed, DefiniteCounts, DomainAnswer, DomainCounts, Family, FaultDomain, Kill, Pick, Potential, ProductClauses,
    Style, Subject, SuiteFailure, TestCase, Tester, ends, family_based, minimum_cover,
};
use tamper::text::{Budget, StopReason};

fn main() -> Result<()> {
    let budget = Budget::unlimited();
    let mut words = std::env::args().skip(1);
    let kill = match words.next().as_deref() {
        Some("potential") => Some(Kill::Potential),
        Some("definite") => Some(Kill::Definite),
        Some("clauses") => None,
        _ => bail!("say potential, definite or clauses, and which studies"),
    };
    for name in words {
        let study = Study::find(&name).with_context(|| format!("there is no study `{name}`"))?;
        let spec = study.game()?;
        let tester = Tester::new(&spec, &budget)?;
        let suite = first_order_suite(&tester)?;
        let options = MutationOptions::default();
        for bound in [Some(1), Some(2), None] {
            let mutants = FeaturedMutants::of(&spec, &options, ProductBound::Sets(bound))?;
            let line = match kill {
                None if bound.is_some() => continue,
                None => clauses_line(study.title, &mutants, (&tester, &suite))?,
                // Here the classes of products that can avoid to fail are too many.
                Some(Kill::Definite) if name == "wfas" && bound.is_none() => continue,
                Some(Kill::Definite) => definite_line(study.title, bound, &mutants, (&tester, &suite))?,
                Some(Kill::Potential) => line(study.title, bound, &mutants, (&tester, &suite))?,
            };
            println!("{line}");
        }
    }
    Ok(())
}

/// The fewest tests that kill every mutant of order 1 that can be killed.
fn first_order_suite(tester: &Tester) -> Result<Vec<TestCase>> {
    let budget = Budget::unlimited();
    let mutants = FeaturedMutants::of(
        tester.automaton(),
        &MutationOptions::default(),
        ProductBound::Sets(Some(1)),
    )?;
    let mut solver = Varisat::default();
    solver.load(EncodedModel::of(mutants.model()).cnf());
    let features: Vec<FeatureId> = mutants.model().features().ids().collect();
    let all: Vec<Product> = products(&mut solver, &features, usize::MAX)?;
    let mut tests = Vec::new();
    for product in &all {
        let subject = Subject::new(&mutants.project(product)?, &budget)?;
        if let Potential::Killed(test) = tester.potential(&subject, Style::Adaptive, Pick::Earliest, &budget)? {
            tests.push(test);
        }
    }
    let matrix = family_based(&tests, &Family::new(&mutants, &all), Kill::Potential, &budget)?;
    let cover = minimum_cover(&matrix.can_fail, &vec![1; tests.len()], 100_000);
    if !cover.proved {
        bail!("the minimum is not proved");
    }
    Ok(cover.tests.iter().map(|test| tests[*test].clone()).collect())
}

fn failed(reason: StopReason) -> anyhow::Error {
    anyhow!("{reason}")
}

fn line(
    title: &str,
    bound: Option<u32>,
    mutants: &FeaturedMutants,
    (tester, suite): (&Tester, &[TestCase]),
) -> Result<String> {
    let budget = Budget::unlimited();
    let started = Instant::now();
    let mut domain = FaultDomain::new(mutants.automaton(), tester, Kill::Potential, &budget).map_err(failed)?;
    for test in suite {
        domain.execute(test, &budget)?;
    }
    let escapes = matches!(domain.escape(&budget, &mut |_, _| ())?, DomainAnswer::Escape(..));
    let before = DomainCounts::of(&domain);
    let nodes = domain.killed().size();
    let Completed::Complete(added) = domain.complete(&budget, &mut |_, _| ())? else {
        bail!("there is no limit")
    };
    let seconds = started.elapsed().as_secs_f64();
    let (killed, counts) = (before.killed, DomainCounts::of(&domain));
    let killable = &counts.products - &counts.stateless - &counts.immune;
    let undetected: BigUint = &killable - &killed;
    if escapes != (undetected > BigUint::ZERO) {
        bail!("the count and the search disagree");
    }
    Ok(format!(
        "| {title} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {seconds:.2} |",
        bound.map_or("any".to_owned(), |order| format!("≤ {order}")),
        mutants.mutations().len(),
        counts.products,
        counts.immune,
        suite.len(),
        killed,
        undetected,
        percent(&killed, &killable),
        added.len(),
        nodes,
        domain.n_classes(),
    ))
}

fn definite_line(
    title: &str,
    bound: Option<u32>,
    mutants: &FeaturedMutants,
    (tester, suite): (&Tester, &[TestCase]),
) -> Result<String> {
    let budget = Budget::unlimited();
    let started = Instant::now();
    let mut definite = FaultDomain::new(mutants.automaton(), tester, Kill::Definite, &budget).map_err(failed)?;
    let mut potential = FaultDomain::new(mutants.automaton(), tester, Kill::Potential, &budget).map_err(failed)?;
    for test in suite {
        definite.execute(test, &budget)?;
        potential.execute(test, &budget)?;
    }
    let given = DomainCounts::of(&definite);
    let Completed::Complete(added) = definite.complete(&budget, &mut |_, _| ())? else {
        bail!("there is no limit")
    };
    potential.complete(&budget, &mut |_, _| ())?;
    let counts = DefiniteCounts::of(&mut definite, &potential).map_err(failed)?;
    Ok(format!(
        "| {title} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2} |",
        bound.map_or("any".to_owned(), |order| format!("≤ {order}")),
        given.products,
        counts.killable,
        counts.avoidable,
        counts.undecided,
        given.killed,
        added.len(),
        definite.n_classes(),
        started.elapsed().as_secs_f64(),
    ))
}

/// All combinations, by clauses. What comes out is compared with every mutant of order 1 by itself, and with `SAMPLED`
/// products, of few mutations and of many.
fn clauses_line(title: &str, mutants: &FeaturedMutants, (tester, suite): (&Tester, &[TestCase])) -> Result<String> {
    let budget = Budget::unlimited();
    let started = Instant::now();
    let Some(mut clauses) = ProductClauses::new(mutants.automaton(), tester, &budget)? else {
        bail!("{title}: products have to be looked at one by one")
    };
    for test in suite {
        clauses.add(test, &budget)?;
    }
    let Completed::Complete(added) = clauses.complete(&budget, &mut |_| ())? else {
        bail!("there is no limit")
    };
    let seconds = started.elapsed().as_secs_f64();
    let tests: Vec<TestCase> = suite.iter().chain(&added).cloned().collect();
    let n_killable = check_sampled(mutants, tester, &tests)?;
    Ok(format!(
        "| {title} | {} | {} | {} | {} | {} | {} | {seconds:.2} | {n_killable} |",
        mutants.mutations().len(),
        suite.len(),
        added.len(),
        clauses.n_states(),
        clauses.n_clauses(),
        clauses.n_excluded(),
    ))
}

const SAMPLED: usize = 1000;

/// How many of `SAMPLED` products some test kills; all of these are killed by `tests`.
fn check_sampled(mutants: &FeaturedMutants, tester: &Tester, tests: &[TestCase]) -> Result<usize> {
    let budget = Budget::unlimited();
    let circuit = Circuit::of(mutants.model(), &budget, &mut |_| ()).map_err(failed)?;
    let mut sampler = circuit.sampler(1);
    let mut random = Random::new(1);
    let mut n_killable = 0;
    for number in 0..SAMPLED {
        let drawn: Product = sampler.next().context("there are products")?;
        // Half of them have but a few of the mutations that were drawn, which exclude each other no more than all.
        let kept = |feature: &FeatureId| {
            number % 2 == 0 || !mutants.mutations().contains_key(feature) || random.below(drawn.len()) < 4
        };
        let product: Product = drawn.iter().filter(kept).collect();
        if !mutants.model().allows(&product) {
            continue;
        }
        let subject = match Subject::new(&mutants.project(&product)?, &budget) {
            Err(SuiteFailure::NoInitialState { .. }) => continue,
            subject => subject?,
        };
        let found = tester.potential(&subject, Style::Adaptive, Pick::Earliest, &budget)?;
        let is_killable = matches!(found, Potential::Killed(_));
        let mut is_killed = false;
        for test in tests {
            is_killed = is_killed || ends(test, &subject, &budget)?.can_fail();
        }
        if is_killable != is_killed {
            bail!("{product:?}: killable {is_killable}, killed {is_killed}");
        }
        n_killable += usize::from(is_killable);
    }
    Ok(n_killable)
}
