//! One analysis of a suite for all products of a family, say of a featured mutant model, from the question to the numbers.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use num_bigint::BigUint;

use super::ProductSteps;
use super::error::{Doing as _, ExperimentError, Result};
use tamper_suite::{
    Completed, DefiniteCounts, DomainAnswer, DomainCounts, DomainStep, FaultDomain, Kill, SuiteFailure, TestCase,
    Tester,
};
use tamper_text::{Budget, StopReason};
use tamper_timed::featured::FeaturedAutomaton;

/// How often products are counted only to show how far a run is.
const WATCHED_EVERY: Duration = Duration::from_secs(2);

/// What is asked.
#[derive(Clone, Debug)]
pub struct ProductPlan {
    /// Add tests until the suite is complete.
    pub complete: bool,
    /// What kills a product.
    pub kill: Kill,
    /// Count the products that the suite kills as it was given.
    pub count: bool,
    /// Keep an account of how many are left.
    pub watch: bool,
    /// Limits of one execution, and of one game.
    pub budget: Budget,
    /// Limits of the decision diagrams of all sets of products together; their nodes are the states.
    pub diagrams: Budget,
}

/// How far a run is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProductProgress {
    /// Tests executed.
    pub n_tests: usize,
    /// Classes of products that no test kills.
    pub n_classes: usize,
    /// How many products need no more looking at, of how many, when they were last counted.
    pub excluded: Option<(BigUint, BigUint)>,
}

/// Exact numbers of products. The original, which is a product too, conforms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProductCounts {
    /// All products.
    pub products: BigUint,
    /// Products without an initial state.
    pub stateless: BigUint,
    /// No test kills them in any way.
    pub conforming: BigUint,
    /// The suite as it was given kills them potentially.
    pub killed: BigUint,
    /// It kills them definitely.
    pub killed_definitely: BigUint,
    /// Which others can be killed definitely, where this was asked.
    pub definite: Option<DefiniteCounts>,
}

impl ProductCounts {
    /// Products that some test kills (in the way that was asked), and the suite as it was given does not.
    pub fn undetected(&self) -> BigUint {
        self.killable() - self.killed_as_asked()
    }
    /// Products that some test kills in the way that was asked.
    pub fn killable(&self) -> BigUint {
        match &self.definite {
            None => &self.products - &self.stateless - &self.conforming,
            Some(definite) => definite.killable.clone(),
        }
    }
    /// Products that the suite as it was given kills in the way that was asked.
    pub fn killed_as_asked(&self) -> &BigUint {
        match &self.definite {
            None => &self.killed,
            Some(_) => &self.killed_definitely,
        }
    }
}

/// What came out.
#[derive(Clone, Debug)]
pub struct ProductRun {
    /// How many tests were given.
    pub n_given: usize,
    /// All tests in the end; those that were added are `c1`, `c2` and so on.
    pub tests: Vec<TestCase>,
    /// Whether the suite (the completed one, if it was to be completed) kills all it can.
    pub answer: DomainAnswer,
    /// By what it was found.
    pub means: Means,
    /// The numbers, if they were asked for, or why there are none.
    pub counts: Option<Result<ProductCounts, StopReason>>,
}

/// By what all products were looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Means {
    /// Sets of products as decision diagrams.
    Diagrams {
        /// How many nodes the diagram of the killed products has.
        killed_nodes: usize,
        /// In how many classes those that no test kills were found.
        n_classes: usize,
    },
    /// Clauses, of which a solver finds a product that escapes.
    Clauses {
        /// How many there are in the end.
        n_clauses: usize,
        /// How many states the graph of all runs has.
        n_states: usize,
        /// How often a product was found that no test kills, and excluded with others.
        n_excluded: usize,
    },
}

impl ProductRun {
    /// Nothing but the limit that was hit before anything was found.
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

/// Analyses the suite `given` for the products of `family` by sets of products, which a journal keeps.
pub(super) fn by_diagrams(
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
    let mut course = Course {
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
    let Course { mut domain, .. } = course;
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

pub(super) fn numbered(given: &[TestCase], added: Vec<TestCase>) -> Vec<TestCase> {
    let taken: BTreeSet<&str> = given.iter().map(|test| test.id.as_str()).collect();
    let ids = (1..).map(|number| format!("c{number}"));
    let free = ids.filter(|id| !taken.contains(id.as_str()));
    let added = free.zip(added).map(|(id, test)| TestCase { id, ..test });
    given.iter().cloned().chain(added).collect()
}

/// The numbers of the suite as it was given. All that no test kills is known once some suite is complete: so this
/// one is completed, unseen.
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

/// A run on its way.
struct Course<'r, 'd, 'p> {
    domain: FaultDomain<'d>,
    steps: &'r mut ProductSteps,
    plan: &'r ProductPlan,
    watch: Watch<'p>,
}

impl Course<'_, '_, '_> {
    /// The limit that was hit, if one was.
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

/// Tells how far a run is, the numbers of products now and then.
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
