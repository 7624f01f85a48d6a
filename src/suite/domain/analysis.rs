//! The loop: execute, ask what escapes, kill it or exclude it.

use super::around::Around;
use super::knowledge::{Cube, Knowledge};
use super::world::DomainWorld;
use crate::base::{Budget, StopReason};
use crate::featured::FeaturedAutomaton;
use crate::features::{FeatureExpr, Product};
use crate::model::{Cmp, Valuation};
use crate::suite::error::SuiteFailure;
use crate::suite::{CompiledTest, Definite, Kill, Pick, Potential, Style, Subject, TestCase, Tester};

/// All products of a family, say of a featured mutant model, and what a suite does to them.
pub struct FaultDomain<'d> {
    family: &'d FeaturedAutomaton,
    tester: &'d Tester,
    kill: Kill,
    knowledge: Knowledge,
    stateless: Vec<FeatureExpr>,
    killed: Vec<FeatureExpr>,
    immune: Vec<FeatureExpr>,
    undecided: Vec<FeatureExpr>,
    first_undecided: Option<Product>,
}

/// Whether a suite kills every product that a test can kill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DomainAnswer {
    /// It does.
    Complete,
    /// It misses this product, which the test can kill (its id is empty).
    Escape(Product, TestCase),
    /// It kills every product of which it is known that a test can kill it; of this one (not the only one, perhaps)
    /// it is not known ([`Definite::Unknown`]).
    Undecided(Product),
    /// A limit was hit.
    Unknown(StopReason),
}

/// How completing a suite ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Completed {
    /// The suite with these tests added is complete, but for products of which it is not known whether a test can kill
    /// them ([`FaultDomain::undecided`]).
    Complete(Vec<TestCase>),
    /// A limit was hit; these tests were found.
    Stopped(StopReason, Vec<TestCase>),
}

/// Something that was found about the products.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DomainStep {
    /// A test was executed: what it kills of what was left.
    Executed(Vec<FeatureExpr>),
    /// A test was found and executed: the test, the product it is for, and what it kills of what was left.
    Added(Box<TestCase>, Product, Vec<FeatureExpr>),
    /// No test kills this product, nor any that has the condition.
    Immune(Product, FeatureExpr),
    /// It is not known whether a test kills this product; so it is for all that have the condition.
    Undecided(Product, FeatureExpr),
}

impl<'d> FaultDomain<'d> {
    /// All products of `family`, each of which is a game ([`FeaturedAutomaton::audit`]); no test yet. A product counts as
    /// killed if some run of it fails, or if every run does.
    pub fn new(family: &'d FeaturedAutomaton, tester: &'d Tester, kill: Kill) -> Self {
        let mut domain = Self {
            family,
            tester,
            kill,
            knowledge: Knowledge::new(family.model()),
            stateless: Vec::new(),
            killed: Vec::new(),
            immune: Vec::new(),
            undecided: Vec::new(),
            first_undecided: None,
        };
        domain.exclude_stateless();
        domain
    }

    /// Excludes the products whose initial invariant does not hold where all clocks are 0. Where it has no value, it is
    /// left to whoever looks at such a product to say so.
    fn exclude_stateless(&mut self) {
        let family = self.family;
        let ints: Vec<i32> = family.automaton().ints().iter().map(|var| var.initial).collect();
        let valuation = Valuation {
            ints: &ints,
            selects: &[],
        };
        for (begin, initial) in &family.conditions().initial {
            let invariant = &family.automaton().locations()[*initial].invariant;
            let conditions = &family.conditions().invariants[*initial];
            let clocks = invariant.clocks.iter().map(|atom| {
                let bound = atom.bound.eval(valuation);
                bound.map_or(true, |bound| match atom.cmp {
                    Cmp::Lt => bound > 0,
                    Cmp::Le => bound >= 0,
                    Cmp::Eq => bound == 0,
                    Cmp::Ge => bound <= 0,
                    Cmp::Gt => bound < 0,
                })
            });
            let data = invariant.data.iter();
            let data = data.map(|condition| condition.eval(valuation) != Ok(0));
            let conjuncts = clocks.zip(&conditions.clocks).chain(data.zip(&conditions.data));
            for (_, when) in conjuncts.filter(|(holds, _)| !holds) {
                let stateless = begin.clone().and(when.clone());
                self.knowledge.exclude_all(&stateless);
                self.stateless.push(stateless);
            }
        }
    }

    /// Executes a test: conditions of the products that it kills, among those that have a state and that no test before
    /// killed; of the others they say nothing.
    ///
    /// # Errors
    /// The budget, whose states are those of one execution, bounds too fine, and mutants without a meaning.
    pub fn execute(&mut self, test: &TestCase, budget: &Budget) -> Result<Vec<FeatureExpr>, SuiteFailure> {
        let compiled = CompiledTest::in_own_unit(test)?;
        let mut world = DomainWorld::new(self.family, &mut self.knowledge, &compiled, self.kill);
        let executed = world.execute(&compiled, budget);
        let (failing, surviving, failure) = (world.failing, world.surviving, world.failure);
        self.knowledge.readmit();
        executed?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let meaning = |cube: &Cube| self.knowledge.meaning(cube);
        let mut killed: Vec<FeatureExpr> = failing.iter().map(meaning).collect();
        if self.kill == Kill::Definite {
            // The runs of products that are known to be immune were not looked at.
            let others = self.immune.iter().chain(&self.undecided).cloned();
            let survives = FeatureExpr::any(surviving.iter().map(meaning).chain(others));
            killed = vec![FeatureExpr::any(killed).and(!survives)];
            killed.retain(|condition| *condition != FeatureExpr::False);
            killed
                .iter()
                .for_each(|condition| self.knowledge.exclude_all(condition));
        }
        self.killed.extend(killed.iter().cloned());
        Ok(killed)
    }

    /// What was found by an earlier run about the same products with the same tests before.
    pub fn recall(&mut self, step: &DomainStep) {
        match step {
            DomainStep::Executed(killed) | DomainStep::Added(_, _, killed) => {
                killed
                    .iter()
                    .for_each(|condition| self.knowledge.exclude_all(condition));
                self.killed.extend(killed.iter().cloned());
            }
            DomainStep::Immune(_, condition) => {
                self.knowledge.exclude_all(condition);
                self.immune.push(condition.clone());
            }
            DomainStep::Undecided(product, condition) => {
                self.knowledge.exclude_all(condition);
                self.undecided.push(condition.clone());
                self.first_undecided.get_or_insert_with(|| product.clone());
            }
        }
    }

    /// A product that no test kills and a test can kill. Those met that are immune are excluded with all that are so for
    /// the same reason; `on_step` hears of it. The budget is that of each game; a deadline is that of all.
    ///
    /// # Errors
    /// Mutants without a meaning.
    pub fn escape(
        &mut self,
        budget: &Budget,
        on_step: &mut dyn FnMut(&Self, &DomainStep),
    ) -> Result<DomainAnswer, SuiteFailure> {
        match self.search(budget, on_step) {
            Err(SuiteFailure::Stopped(reason)) => Ok(DomainAnswer::Unknown(reason)),
            other => other,
        }
    }
    fn search(
        &mut self,
        budget: &Budget,
        on_step: &mut dyn FnMut(&Self, &DomainStep),
    ) -> Result<DomainAnswer, SuiteFailure> {
        loop {
            if let Some(reason) = budget.exceeded(0, 0) {
                return Err(reason.into());
            }
            let Some(product) = self.knowledge.product()? else {
                return Ok(match &self.first_undecided {
                    None => DomainAnswer::Complete,
                    Some(product) => DomainAnswer::Undecided(product.clone()),
                });
            };
            let step = match self.test_for(&product, budget)? {
                Found::Test(test) => return Ok(DomainAnswer::Escape(product, test)),
                Found::Immune(cube) => DomainStep::Immune(product, self.knowledge.meaning(&cube)),
                Found::Undecided(cube) => DomainStep::Undecided(product, self.knowledge.meaning(&cube)),
            };
            self.recall(&step);
            on_step(self, &step);
        }
    }
    /// A test that kills `product`, or products that go with it.
    fn test_for(&mut self, product: &Product, budget: &Budget) -> Result<Found, SuiteFailure> {
        let mutant = self.family.project(product).expect("every product is a game");
        let subject = Subject::new(&mutant, budget)?;
        let around = Around {
            featured: self.family,
            tester: self.tester,
            product,
            budget,
        };
        Ok(match self.kill {
            Kill::Potential => {
                match self
                    .tester
                    .potential(&subject, Style::Adaptive, Pick::Earliest, budget)?
                {
                    Potential::Killed(test) => Found::Test(test),
                    Potential::NotKillable => Found::Immune(around.conforming(&mut self.knowledge)?),
                }
            }
            Kill::Definite => match self.tester.definite(&subject, budget)? {
                Definite::Killed(test) => Found::Test(test),
                Definite::Avoidable => Found::Immune(around.avoiding(&mut self.knowledge)?),
                Definite::Unknown => Found::Undecided(around.same(&mut self.knowledge)),
            },
        })
    }

    /// Adds tests until nothing escapes; `on_step` hears of each, and of what is excluded.
    ///
    /// # Errors
    /// Mutants without a meaning, and bounds too fine.
    ///
    /// # Panics
    /// If a test does not kill the product it was made for: an error of this module.
    pub fn complete(
        &mut self,
        budget: &Budget,
        on_step: &mut dyn FnMut(&Self, &DomainStep),
    ) -> Result<Completed, SuiteFailure> {
        let mut added = Vec::new();
        loop {
            match self.escape(budget, on_step)? {
                DomainAnswer::Complete | DomainAnswer::Undecided(_) => return Ok(Completed::Complete(added)),
                DomainAnswer::Unknown(reason) => return Ok(Completed::Stopped(reason, added)),
                DomainAnswer::Escape(product, test) => {
                    let killed = match self.execute(&test, budget) {
                        Err(SuiteFailure::Stopped(reason)) => return Ok(Completed::Stopped(reason, added)),
                        other => other?,
                    };
                    assert!(!self.knowledge.has(&product)?, "the test kills its product: {test:?}");
                    on_step(self, &DomainStep::Added(Box::new(test.clone()), product, killed));
                    added.push(test);
                }
            }
        }
    }

    /// What kills.
    pub fn kill(&self) -> Kill {
        self.kill
    }
    /// The products.
    pub fn family(&self) -> &'d FeaturedAutomaton {
        self.family
    }
    /// Conditions of products without a state: no test kills them, nor do they pass any.
    pub fn stateless(&self) -> &[FeatureExpr] {
        &self.stateless
    }
    /// Conditions of the products that are killed: together, of those with a state, exactly these.
    pub fn killed(&self) -> &[FeatureExpr] {
        &self.killed
    }
    /// Conditions of products that no test kills: potentially, these conform; definitely, they can always avoid to
    /// fail. Together with all that are killed and undecided these are all, once a suite is complete.
    pub fn immune(&self) -> &[FeatureExpr] {
        &self.immune
    }
    /// Conditions of products of which it is not known whether a test kills them definitely.
    pub fn undecided(&self) -> &[FeatureExpr] {
        &self.undecided
    }
    /// One of them.
    pub fn first_undecided(&self) -> Option<&Product> {
        self.first_undecided.as_ref()
    }
    /// How often the solver was asked.
    pub fn n_questions(&self) -> u64 {
        self.knowledge.n_questions
    }
    /// Adds the questions of an earlier run, whose steps are recalled.
    pub fn recall_questions(&mut self, n_questions: u64) {
        self.knowledge.n_questions += n_questions;
    }
}

/// What was found about a product.
enum Found {
    Test(TestCase),
    Immune(Cube),
    Undecided(Cube),
}
