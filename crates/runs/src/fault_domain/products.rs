//! One analysis of a suite for all products of a family, such as a featured mutant model, from the request to the
//! numbers.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use num_bigint::BigUint;

use crate::ProductSteps;
use crate::error::{ErrorContext as _, ExperimentError, Result};
use tamper_suite::{
    Completed, DefiniteCounts, DomainAnswer, DomainCounts, DomainStep, FaultDomain, Kill, SuiteFailure, TestCase,
    Tester,
};
use tamper_text::{Budget, StopReason};
use tamper_timed::featured::FeaturedAutomaton;

/// Interval between counts of products that only show progress.
const WATCHED_EVERY: Duration = Duration::from_secs(2);

/// The analysis that is requested.
#[derive(Clone, Debug)]
pub struct ProductPlan {
    /// Add tests until the suite is complete.
    pub complete: bool,
    /// The strength of kills that count.
    pub kill: Kill,
    /// Count the products that the given suite kills.
    pub count: bool,
    /// Count the remaining products during the run.
    pub watch: bool,
    /// Limits of each execution, and of each game.
    pub budget: Budget,
    /// Limits of the decision diagrams of all sets of products together; their states are the nodes.
    pub diagrams: Budget,
}

/// Progress of an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProductProgress {
    /// Tests executed.
    pub n_tests: usize,
    /// Classes of products that no test kills.
    pub n_classes: usize,
    /// The number of products settled, and the number of all, at the last count.
    pub excluded: Option<(BigUint, BigUint)>,
}

/// Exact numbers of products. The original is a product, too, and conforms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProductCounts {
    /// All products.
    pub products: BigUint,
    /// Products without an initial state.
    pub stateless: BigUint,
    /// Products that no test kills in any way.
    pub conforming: BigUint,
    /// Products that the given suite kills potentially.
    pub killed: BigUint,
    /// Products that the given suite kills definitely.
    pub killed_definitely: BigUint,
    /// Counts of definitely killable products, if definite kills are requested.
    pub definite: Option<DefiniteCounts>,
}

impl ProductCounts {
    /// Products that some test kills with the requested strength and the given suite does not.
    pub fn undetected(&self) -> BigUint {
        self.killable() - self.killed_as_asked()
    }
    /// Products that some test kills with the requested strength.
    pub fn killable(&self) -> BigUint {
        match &self.definite {
            None => &self.products - &self.stateless - &self.conforming,
            Some(definite) => definite.killable.clone(),
        }
    }
    /// Products that the given suite kills with the requested strength.
    pub fn killed_as_asked(&self) -> &BigUint {
        match &self.definite {
            None => &self.killed,
            Some(_) => &self.killed_definitely,
        }
    }
}

/// The results of an analysis.
#[derive(Clone, Debug)]
pub struct ProductRun {
    /// Number of tests given.
    pub n_given: usize,
    /// The final tests; added tests are named `c1`, `c2` and so on.
    pub tests: Vec<TestCase>,
    /// Whether the suite (the completed one, if completion was requested) kills all products that can be killed.
    pub answer: DomainAnswer,
    /// The method that gave the answer.
    pub means: Means,
    /// The counts, if they were requested, or the limit that prevented them.
    pub counts: Option<Result<ProductCounts, StopReason>>,
}

/// The method by which all products are analysed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Means {
    /// Sets of products as decision diagrams.
    Diagrams {
        /// Number of nodes of the diagram of the killed products.
        killed_nodes: usize,
        /// Number of classes in which the products that no test kills were found.
        n_classes: usize,
    },
    /// Clauses, from which a solver finds a product that escapes.
    Clauses {
        /// Final number of clauses.
        n_clauses: usize,
        /// Number of states of the graph of all runs.
        n_states: usize,
        /// Number of times that a product that no test kills was found and excluded together with others.
        n_excluded: usize,
    },
}

impl ProductRun {
    /// The result if a limit is hit before anything is found.
    pub fn stopped(given: &[TestCase], plan: &ProductPlan, reason: StopReason) -> Self {
        Self {
            n_given: given.len(),
            tests: given.to_vec(),
            answer: DomainAnswer::Unknown(reason),
            means: Means::Diagrams {
                killed_nodes: 0,
                n_classes: 0,
            },
            counts: plan.count.then_some(Err(reason)),
        }
    }
}

/// Analyses the suite `given` for the products of `family` by sets of products, which are kept in a journal.
pub(crate) fn by_diagrams(
    family: &FeaturedAutomaton,
    tester: &Tester,
    given: &[TestCase],
    plan: &ProductPlan,
    steps: &mut ProductSteps,
    progress: &mut dyn FnMut(&ProductProgress),
) -> Result<ProductRun> {
    let domain = match FaultDomain::new(family, tester, plan.kill, &plan.diagrams) {
        Ok(domain) => domain,
        Err(reason) => return Ok(ProductRun::stopped(given, plan, reason)),
    };
    let mut course = ProductAnalysis {
        domain,
        steps,
        plan,
        watch: Watch::new(plan.watch, progress),
    };
    for test in given {
        if let Some(reason) = course.execute(test)? {
            return Ok(ProductRun::stopped(given, plan, reason));
        }
    }
    let before = plan.count.then(|| DomainCounts::of(&course.domain));
    let mut added = Vec::new();
    let answer = match plan.complete {
        true => course.complete(&mut added)?,
        false => course.domain.escape(&plan.budget, &mut |_, _| ())?,
    };
    let ProductAnalysis { mut domain, .. } = course;
    let means = Means::Diagrams {
        killed_nodes: domain.killed().size(),
        n_classes: domain.n_classes(),
    };
    let counts = match (before, &answer) {
        (None, _) => None,
        (_, DomainAnswer::Unknown(reason)) => Some(Err(*reason)),
        (Some(before), _) => Some(count(&mut domain, &before, given, tester, plan)?),
    };
    Ok(ProductRun {
        n_given: given.len(),
        tests: numbered(given, added),
        answer,
        means,
        counts,
    })
}

pub(crate) fn numbered(given: &[TestCase], added: Vec<TestCase>) -> Vec<TestCase> {
    let taken: BTreeSet<&str> = given.iter().map(|test| test.id.as_str()).collect();
    let ids = (1..).map(|number| format!("c{number}"));
    let free = ids.filter(|id| !taken.contains(id.as_str()));
    let added = free.zip(added).map(|(id, test)| TestCase { id, ..test });
    given.iter().cloned().chain(added).collect()
}

/// The counts for the given suite. The products that no test kills are all known once a suite is complete, so this one
/// is completed first, but only internally.
fn count<'d>(
    domain: &mut FaultDomain<'d>,
    before: &DomainCounts,
    given: &[TestCase],
    tester: &'d Tester,
    plan: &ProductPlan,
) -> Result<Result<ProductCounts, StopReason>> {
    let other_kill = match plan.kill {
        Kill::Potential => Kill::Definite,
        Kill::Definite => Kill::Potential,
    };
    let mut other = match FaultDomain::new(domain.family(), tester, other_kill, &plan.diagrams) {
        Ok(other) => other,
        Err(reason) => return Ok(Err(reason)),
    };
    for test in given {
        match other.execute(test, &plan.budget) {
            Err(SuiteFailure::Stopped(reason)) => return Ok(Err(reason)),
            executed => executed.map(|_| ())?,
        }
    }
    let others = DomainCounts::of(&other);
    let needed: &mut [&mut FaultDomain<'d>] = match plan.kill {
        Kill::Potential => &mut [domain],
        Kill::Definite => &mut [&mut *domain, &mut other],
    };
    for domain in needed.iter_mut() {
        if let Completed::Stopped(reason, _) = domain.complete(&plan.budget, &mut |_, _| ())? {
            return Ok(Err(reason));
        }
    }
    let (killed, killed_definitely) = match plan.kill {
        Kill::Potential => (&before.killed, &others.killed),
        Kill::Definite => (&others.killed, &before.killed),
    };
    let (conforming, definite) = match plan.kill {
        Kill::Potential => (DomainCounts::of(domain).immune, Ok(None)),
        Kill::Definite => (
            DomainCounts::of(&other).immune,
            DefiniteCounts::of(domain, &other).map(Some),
        ),
    };
    Ok(definite.map(|definite| ProductCounts {
        products: before.products.clone(),
        stateless: before.stateless.clone(),
        conforming,
        killed: killed.clone(),
        killed_definitely: killed_definitely.clone(),
        definite,
    }))
}

/// An analysis in progress.
struct ProductAnalysis<'r, 'd, 'p> {
    domain: FaultDomain<'d>,
    steps: &'r mut ProductSteps,
    plan: &'r ProductPlan,
    watch: Watch<'p>,
}

impl ProductAnalysis<'_, '_, '_> {
    /// Executes a test, or recalls its result from the journal. Returns the limit that was hit, if one was.
    fn execute(&mut self, test: &TestCase) -> Result<Option<StopReason>> {
        match self.steps.next_kept() {
            Some(step @ DomainStep::Executed(_)) => {
                if let Err(reason) = self.domain.recall(&step) {
                    return Ok(Some(reason));
                }
            }
            Some(_) => return Err(other_suite()),
            None => {
                let killed = self.domain.execute(test, &self.plan.budget);
                if let Err(SuiteFailure::Stopped(reason)) = killed {
                    return Ok(Some(reason));
                }
                let killed = killed.doing(|| format!("test `{}` cannot be executed", test.id))?;
                self.steps.append(&DomainStep::Executed(killed))?;
            }
        }
        self.watch.executed(&self.domain);
        Ok(None)
    }

    fn complete(&mut self, added: &mut Vec<TestCase>) -> Result<DomainAnswer> {
        while let Some(step) = self.steps.next_kept() {
            if let Err(reason) = self.domain.recall(&step) {
                return Ok(DomainAnswer::Unknown(reason));
            }
            match step {
                DomainStep::Added(test, ..) => added.push(*test),
                DomainStep::Executed(_) => {
                    return Err(other_suite());
                }
                DomainStep::Immune(..) | DomainStep::Undecided(..) => {}
            }
        }
        let (steps, watch) = (&mut *self.steps, &mut self.watch);
        let mut failed = None;
        let end = self.domain.complete(&self.plan.budget, &mut |domain, step| {
            failed = failed.take().or(steps.append(step).err());
            match step {
                DomainStep::Added(..) => watch.executed(domain),
                _ => watch.show(domain),
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        let (tests, answer) = match (end, self.domain.first_undecided()) {
            (Completed::Complete(tests), None) => (tests, DomainAnswer::Complete),
            (Completed::Complete(tests), Some(product)) => (tests, DomainAnswer::Undecided(product.clone())),
            (Completed::Stopped(reason, tests), _) => (tests, DomainAnswer::Unknown(reason)),
        };
        added.extend(tests);
        Ok(answer)
    }
}

fn other_suite() -> ExperimentError {
    ExperimentError::other_run("the journal belongs to another suite: start anew without --resume")
}

/// Reports the progress of a run, from time to time with the numbers of products.
struct Watch<'p> {
    is_on: bool,
    progress: &'p mut dyn FnMut(&ProductProgress),
    now: ProductProgress,
    counted: Instant,
}

impl<'p> Watch<'p> {
    fn new(is_on: bool, progress: &'p mut dyn FnMut(&ProductProgress)) -> Self {
        Self {
            is_on,
            progress,
            now: ProductProgress {
                n_tests: 0,
                n_classes: 0,
                excluded: None,
            },
            counted: Instant::now(),
        }
    }
    fn executed(&mut self, domain: &FaultDomain<'_>) {
        self.now.n_tests += 1;
        self.show(domain);
    }
    fn show(&mut self, domain: &FaultDomain<'_>) {
        self.now.n_classes = domain.n_classes();
        if self.is_on && self.counted.elapsed() >= WATCHED_EVERY {
            let counts = DomainCounts::of(domain);
            let excluded = &counts.stateless + &counts.killed + &counts.immune + &counts.undecided;
            self.now.excluded = Some((excluded, counts.products));
            self.counted = Instant::now();
        }
        (self.progress)(&self.now);
    }
}
