//! Analysis of all products: by sets of products, and by clauses if these get too large.

use crate::error::{ErrorContext as _, Result};
use crate::fault_domain::products::{Means, ProductPlan, ProductProgress, ProductRun, by_diagrams, numbered};
use crate::fault_domain::products_journal::ProductSteps;
use tamper_suite::{Completed, DomainAnswer, Kill, ProductClauses, SuiteFailure, TestCase, Tester};
use tamper_text::StopReason;
use tamper_timed::featured::FeaturedAutomaton;

/// Analyses the suite `given` for the products of `family`; `progress` is told of every step. If sets of products get
/// too large, potential kills are decided by clauses ([`ProductClauses`]), without numbers of products.
///
/// # Errors
/// If a mutant has no meaning, bounds of tests are too fine, or the journal cannot be written or belongs to another
/// run.
pub fn cover_products(
    family: &FeaturedAutomaton,
    tester: &Tester,
    given: &[TestCase],
    plan: &ProductPlan,
    steps: &mut ProductSteps,
    progress: &mut dyn FnMut(&ProductProgress),
) -> Result<ProductRun> {
    let run = by_diagrams(family, tester, given, plan, steps, progress)?;
    match run.answer {
        DomainAnswer::Unknown(StopReason::States | StopReason::Memory) if plan.kill == Kill::Potential => {
            by_clauses(family, tester, run, plan, progress)
        }
        _ => Ok(run),
    }
}

/// Continues after sets of products were too large, with the tests found so far. The run is returned unchanged if
/// clauses cannot be built within the limits, or do not apply because some product must be checked individually or
/// ignores inputs.
fn by_clauses(
    family: &FeaturedAutomaton,
    tester: &Tester,
    run: ProductRun,
    plan: &ProductPlan,
    progress: &mut dyn FnMut(&ProductProgress),
) -> Result<ProductRun> {
    let mut clauses = match ProductClauses::new(family, tester, &plan.budget) {
        Ok(Some(clauses)) => clauses,
        Ok(None) | Err(SuiteFailure::Stopped(_)) => return Ok(run),
        Err(error) => return Err(error.into()),
    };
    for test in &run.tests {
        match clauses.add(test, &plan.budget) {
            Err(SuiteFailure::Stopped(_)) => return Ok(run),
            added => added.doing(|| format!("test `{}` cannot be executed", test.id))?,
        }
    }
    let mut show = |clauses: &ProductClauses<'_>| {
        progress(&ProductProgress {
            n_tests: clauses.n_tests(),
            n_classes: clauses.n_excluded(),
            excluded: None,
        });
    };
    let (answer, added) = match plan.complete {
        false => (clauses.escape(&plan.budget, &mut show)?, Vec::new()),
        true => match clauses.complete(&plan.budget, &mut show)? {
            Completed::Complete(added) => (DomainAnswer::Complete, added),
            Completed::Stopped(reason, added) => (DomainAnswer::Unknown(reason), added),
        },
    };
    Ok(ProductRun {
        tests: numbered(&run.tests, added),
        answer,
        means: Means::Clauses {
            n_clauses: clauses.n_clauses(),
            n_states: clauses.n_states(),
            n_excluded: clauses.n_excluded(),
        },
        ..run
    })
}
