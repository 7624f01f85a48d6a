//! The same question about all products where sets of them are too large: by clauses ([`ProductClauses`]).

use super::error::{Doing as _, Result};
use super::products::{Means, ProductPlan, ProductProgress, ProductRun, numbered};
use crate::base::StopReason;
use crate::featured::FeaturedAutomaton;
use crate::suite::{Completed, DomainAnswer, ProductClauses, SuiteFailure, TestCase, Tester};

/// Analyses the suite `given` for the products of `family`, potential kills only and without numbers of products; `progress`
/// hears of every step. None where products have to be looked at one by one, or ignore inputs.
///
/// # Errors
/// Mutants without a meaning, and tests with bounds too fine.
pub fn cover_by_clauses(
    (family, tester): (&FeaturedAutomaton, &Tester),
    given: &[TestCase],
    plan: &ProductPlan,
    progress: &mut dyn FnMut(&ProductProgress),
) -> Result<Option<ProductRun>> {
    let stopped = |reason| Ok(Some(ProductRun::stopped(given, plan, reason)));
    let mut clauses = match ProductClauses::new(family, tester, &plan.budget) {
        Ok(Some(clauses)) => clauses,
        Ok(None) => return Ok(None),
        Err(SuiteFailure::Stopped(reason)) => return stopped(reason),
        Err(error) => return Err(error.into()),
    };
    for test in given {
        match clauses.add(test, &plan.budget) {
            Err(SuiteFailure::Stopped(reason)) => return stopped(reason),
            added => added.doing(|| format!("test `{}` cannot be executed", test.id))?,
        }
    }
    let mut now = ProductProgress {
        n_tests: given.len(),
        n_classes: 0,
        excluded: None,
    };
    let mut show = |clauses: &ProductClauses<'_>| {
        (now.n_tests, now.n_classes) = (clauses.n_tests(), clauses.n_excluded());
        progress(&now);
    };
    let (answer, added) = match plan.complete {
        false => (clauses.escape(&plan.budget, &mut show)?, Vec::new()),
        true => match clauses.complete(&plan.budget, &mut show)? {
            Completed::Complete(added) => (DomainAnswer::Complete, added),
            Completed::Stopped(reason, added) => (DomainAnswer::Unknown(reason), added),
        },
    };
    Ok(Some(ProductRun {
        n_given: given.len(),
        tests: numbered(given, added),
        answer,
        means: Means::Clauses {
            n_clauses: clauses.n_clauses(),
            n_states: clauses.n_states(),
            n_excluded: clauses.n_excluded(),
        },
        counts: plan.count.then_some(Err(StopReason::States)),
    }))
}
