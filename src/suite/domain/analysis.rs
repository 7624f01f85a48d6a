//! The loop: execute, ask what escapes, kill it or exclude it.

use num_bigint::BigUint;

use super::conforming::Around;
use super::knowledge::{Cube, Knowledge, Known};
use super::world::DomainWorld;
use crate::base::{Budget, StopReason};
use crate::features::{Diagram, FeatureExpr, Product};
use crate::model::{Cmp, Role};
use crate::mutation::FeaturedMutants;
use crate::suite::error::SuiteFailure;
use crate::suite::execute::execute_in;
use crate::suite::{CompiledTest, Pick, Potential, Style, Subject, TestCase, Tester};

/// All products of a featured mutant model, and what a suite does to them.
pub struct FaultDomain<'d> {
    mutants: &'d FeaturedMutants,
    tester: &'d Tester,
    knowledge: Knowledge,
    /// Products without a state: no test kills them, nor do they pass any.
    stateless: Vec<FeatureExpr>,
    killed: Vec<FeatureExpr>,
    conforming: Vec<FeatureExpr>,
}

/// Whether a suite kills every product that a test can kill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DomainAnswer {
    /// It does.
    Complete,
    /// It misses this product, which the test can kill (its id is empty).
    Escape(Product, TestCase),
    /// A limit was hit.
    Unknown(StopReason),
}

/// How completing a suite ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Completed {
    /// The suite with these tests added is complete.
    Complete(Vec<TestCase>),
    /// A limit was hit; these tests were found.
    Stopped(StopReason, Vec<TestCase>),
}

/// Exact numbers of products; the original, which is a product too, conforms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DomainCounts {
    /// All products.
    pub products: BigUint,
    /// Products without an initial state.
    pub stateless: BigUint,
    /// Killed by the tests so far, potentially.
    pub killed: BigUint,
    /// Known to conform so far; all that do once the suite is complete.
    pub conforming: BigUint,
}

impl<'d> FaultDomain<'d> {
    /// All products of `mutants`, whose original is the tester's specification; no test yet.
    ///
    /// # Errors
    /// Urgent outputs, which are not supported here.
    pub fn new(mutants: &'d FeaturedMutants, tester: &'d Tester) -> Result<Self, SuiteFailure> {
        let automaton = mutants.automaton().automaton();
        let urgent = automaton
            .actions()
            .iter()
            .find(|action| action.urgent && action.role != Role::Input);
        if let Some(action) = urgent {
            return Err(SuiteFailure::UrgentOutput {
                action: action.to_string(),
            });
        }
        let mut domain = Self {
            mutants,
            tester,
            knowledge: Knowledge::new(mutants.model()),
            stateless: Vec::new(),
            killed: Vec::new(),
            conforming: Vec::new(),
        };
        domain.exclude_stateless();
        Ok(domain)
    }

    /// Excludes the products whose initial invariant does not hold where all clocks are 0.
    fn exclude_stateless(&mut self) {
        let featured = self.mutants.automaton();
        let initial = featured.automaton().initial();
        let atoms = &featured.automaton().locations()[initial].invariant.clocks;
        let conditions = &featured.conditions().invariants[initial].clocks;
        let ints: Vec<i32> = featured.automaton().ints().iter().map(|var| var.initial).collect();
        for (atom, when) in atoms.iter().zip(conditions) {
            let bound = atom.bound.eval(crate::model::Valuation {
                ints: &ints,
                selects: &[],
            });
            let Ok(bound) = bound else { continue };
            let holds = match atom.cmp {
                Cmp::Lt => bound > 0,
                Cmp::Le => bound >= 0,
                Cmp::Eq => bound == 0,
                Cmp::Ge => bound <= 0,
                Cmp::Gt => bound < 0,
            };
            if !holds {
                let cube = match self.knowledge.of(when) {
                    Known::Always(false) => continue,
                    Known::Always(true) => Cube::new(),
                    Known::Open(lit) => vec![lit],
                };
                self.knowledge.exclude(&cube);
                self.stateless.push(when.clone());
            }
        }
    }

    /// Executes a test: conditions of products that it kills potentially; together all of those that no test before
    /// killed (and are not known to conform).
    ///
    /// # Errors
    /// The budget, whose states are those of one execution, bounds too fine, and mutants without a meaning.
    pub fn execute(&mut self, test: &TestCase, budget: &Budget) -> Result<Vec<FeatureExpr>, SuiteFailure> {
        let compiled = CompiledTest::in_own_unit(test)?;
        let mut world = DomainWorld::new(self.mutants.automaton(), &mut self.knowledge, &compiled);
        execute_in(&compiled, &mut world, budget, &mut |_, _| ())?;
        let (killed, failure) = (world.killed, world.failure);
        if let Some(failure) = failure {
            return Err(failure);
        }
        let killed: Vec<FeatureExpr> = killed.iter().map(|cube| self.knowledge.meaning(cube)).collect();
        self.killed.extend(killed.iter().cloned());
        Ok(killed)
    }

    /// A product that no test kills and a test can kill. Those met that conform are excluded with all that conform in
    /// the same way. The budget is that of each game; a deadline is that of all.
    ///
    /// # Errors
    /// Mutants without a meaning.
    pub fn escape(&mut self, budget: &Budget) -> Result<DomainAnswer, SuiteFailure> {
        match self.search(budget) {
            Err(SuiteFailure::Stopped(reason)) => Ok(DomainAnswer::Unknown(reason)),
            other => other,
        }
    }
    fn search(&mut self, budget: &Budget) -> Result<DomainAnswer, SuiteFailure> {
        loop {
            if let Some(reason) = budget.exceeded(0, 0) {
                return Err(reason.into());
            }
            let Some(product) = self.knowledge.product()? else {
                return Ok(DomainAnswer::Complete);
            };
            let mutant = self.mutants.project(&product).expect("every product is a mutant");
            let subject = Subject::new(&mutant, budget)?;
            let found = self
                .tester
                .potential(&subject, Style::Adaptive, Pick::Earliest, budget)?;
            if let Potential::Killed(test) = found {
                return Ok(DomainAnswer::Escape(product, test));
            }
            let around = Around {
                featured: self.mutants.automaton(),
                tester: self.tester,
                product: &product,
                budget,
            };
            let cube = around.cube(&mut self.knowledge)?;
            self.knowledge.exclude(&cube);
            self.conforming.push(self.knowledge.meaning(&cube));
        }
    }

    /// Adds tests until nothing escapes; `on_test` hears of each, with the product it was made for.
    ///
    /// # Errors
    /// Mutants without a meaning, and bounds too fine.
    ///
    /// # Panics
    /// If a test does not kill the product it was made for: an error of this module.
    pub fn complete(
        &mut self,
        budget: &Budget,
        on_test: &mut dyn FnMut(&TestCase, &Product),
    ) -> Result<Completed, SuiteFailure> {
        let mut added = Vec::new();
        loop {
            match self.escape(budget)? {
                DomainAnswer::Complete => return Ok(Completed::Complete(added)),
                DomainAnswer::Unknown(reason) => return Ok(Completed::Stopped(reason, added)),
                DomainAnswer::Escape(product, test) => {
                    match self.execute(&test, budget) {
                        Err(SuiteFailure::Stopped(reason)) => return Ok(Completed::Stopped(reason, added)),
                        other => other?,
                    };
                    assert!(!self.knowledge.has(&product)?, "the test kills its product: {test:?}");
                    on_test(&test, &product);
                    added.push(test);
                }
            }
        }
    }

    /// Conditions of the products that are killed.
    pub fn killed(&self) -> &[FeatureExpr] {
        &self.killed
    }
    /// Conditions of products that conform.
    pub fn conforming(&self) -> &[FeatureExpr] {
        &self.conforming
    }
    /// How often the solver was asked.
    pub fn n_questions(&self) -> u64 {
        self.knowledge.n_questions
    }

    /// The numbers of products, by decision diagrams; the budget's states are nodes.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn counts(&self, budget: &Budget) -> Result<DomainCounts, StopReason> {
        let without = |excluded: &[&[FeatureExpr]]| -> Result<BigUint, StopReason> {
            let mut model = self.mutants.model().clone();
            for condition in excluded.iter().copied().flatten() {
                model.add_constraint(!condition.clone(), "");
            }
            Ok(Diagram::of(&model, budget)?.count())
        };
        let products = without(&[])?;
        let with_state = without(&[&self.stateless])?;
        let alive = without(&[&self.stateless, &self.killed])?;
        let unknown = without(&[&self.stateless, &self.killed, &self.conforming])?;
        Ok(DomainCounts {
            stateless: &products - &with_state,
            killed: with_state - &alive,
            conforming: alive - unknown,
            products,
        })
    }
}
