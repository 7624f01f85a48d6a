//! The loop of the analysis: execute a test, ask for an escaping product, kill it or exclude it.

use num_bigint::BigUint;

use super::around::Around;
use super::parts::{FamilySets, Set};
use super::world::DomainWorld;
use crate::error::SuiteFailure;
use crate::{CompiledTest, Definite, Kill, Pick, Potential, Style, Subject, TestCase, Tester};
use tamper_features::{Diagram, Product, ProductSets as _};
use tamper_game::{GameError, Semantics, Specification, shown_products};
use tamper_text::{Budget, StopReason};
use tamper_timed::featured::FeaturedAutomaton;
use tamper_timed::model::Valuation;

/// All products of a family, for example of a featured mutant model, with the effect of a suite on them.
pub struct FaultDomain<'d> {
    family: &'d FeaturedAutomaton,
    tester: &'d Tester,
    kill: Kill,
    parts: FamilySets,
    /// Every product is in one of these sets.
    left: Set,
    stateless: Set,
    killed: Set,
    immune: Set,
    undecided: Set,
    n_classes: usize,
    /// Whether this analysis has looked for conforming products together; an analysis that it continues may have done so, too.
    is_sifted: bool,
    first_undecided: Option<Product>,
    /// Number of diagram nodes when useless ones were last forgotten.
    n_tidy: usize,
}

/// Number of classes of products that no test kills after which conforming products are searched for together: a few are found
/// faster one by one.
const FEW_CLASSES: usize = 24;
/// Number of diagram nodes up to which none are forgotten.
const FEW_NODES: usize = 1 << 14;

/// Whether a suite kills every product that a test can kill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DomainAnswer {
    /// Every product that can be killed is killed.
    Complete,
    /// It misses this product, which the test can kill (its id is empty).
    Escape(Product, TestCase),
    /// It kills every product of which it is known that a test can kill it; for this product (maybe not the only one) that is
    /// unknown ([`Definite::Unknown`]).
    Undecided(Product),
    /// A limit was hit before the answer was known.
    Unknown(StopReason),
}

/// The result of completing a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Completed {
    /// The suite with these tests added is complete, except for products of which it is not known whether a test can kill them
    /// ([`FaultDomain::undecided`]).
    Complete(Vec<TestCase>),
    /// A limit was hit; these tests were found.
    Stopped(StopReason, Vec<TestCase>),
}

/// A result about the products.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DomainStep {
    /// A test was executed: the products left before that it kills.
    Executed(Diagram),
    /// A test was found and executed: the test, the product it is for, and the products left before that it kills.
    Added(Box<TestCase>, Product, Diagram),
    /// No test kills this product, nor any of these products (some of them may be known already).
    Immune(Product, Diagram),
    /// It is not known whether a test kills this product; the same holds for all of these products that are left.
    Undecided(Product, Diagram),
}

impl<'d> FaultDomain<'d> {
    /// All products of `family`, each of which is a game ([`FeaturedAutomaton::audit`]); no test yet. A product counts as
    /// killed if some run of it fails, or if every run does. The budget's states are nodes of decision diagrams here; it
    /// holds for all of them together, now and later.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn new(
        family: &'d FeaturedAutomaton,
        tester: &'d Tester,
        kill: Kill,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let parts = FamilySets::of(family, budget)?;
        let none = parts.sets.none();
        let mut domain = Self {
            family,
            tester,
            kill,
            left: parts.sets.all(),
            parts,
            stateless: none,
            killed: none,
            immune: none,
            undecided: none,
            n_classes: 0,
            is_sifted: false,
            first_undecided: None,
            n_tidy: 0,
        };
        domain.exclude_stateless()?;
        Ok(domain)
    }

    /// Excludes the products whose initial invariant does not hold where all clocks are 0. An invariant without a value is left to
    /// the code that examines the product.
    fn exclude_stateless(&mut self) -> Result<(), StopReason> {
        let automaton = self.family.automaton();
        let ints: Vec<i32> = automaton.ints().iter().map(|var| var.initial).collect();
        let valuation = Valuation {
            ints: &ints,
            selects: &[],
        };
        for (begin, initial) in self.parts.initial.clone() {
            let invariant = &automaton.locations()[initial].invariant;
            let conjuncts = self.parts.invariants[initial].clone();
            let clocks = invariant.clocks.iter().map(|atom| {
                let bound = atom.bound.bound(valuation);
                bound.map_or(true, |bound| atom.cmp.holds(&0, &bound))
            });
            let data = invariant.data.iter();
            let data = data.map(|condition| condition.eval(valuation) != Ok(0));
            let conjuncts = clocks.zip(conjuncts.clocks).chain(data.zip(conjuncts.data));
            for (_, when) in conjuncts.filter(|(holds, _)| !holds) {
                let begins = self.parts.sets.and(&self.left, &begin)?;
                let excluded = self.parts.sets.and(&begins, &when)?;
                self.stateless = self.parts.sets.or(&self.stateless, &excluded)?;
                self.left = self.parts.sets.minus(&self.left, &excluded)?;
            }
        }
        Ok(())
    }

    /// Executes a test. Returns the products that it kills, among the products that have a state and were left before.
    ///
    /// # Errors
    /// The budget, which counts the states of one execution, bounds too fine, and products without a meaning.
    pub fn execute(&mut self, test: &TestCase, budget: &Budget) -> Result<Diagram, SuiteFailure> {
        let compiled = CompiledTest::in_own_unit(test)?;
        let killed = DomainWorld::killed(self.family, &mut self.parts, self.left, &compiled, self.kill, budget)?;
        let diagram = self.parts.sets.diagram(killed);
        self.exclude_killed(killed)?;
        Ok(diagram)
    }
    fn exclude_killed(&mut self, killed: Set) -> Result<(), StopReason> {
        self.left = self.parts.sets.minus(&self.left, &killed)?;
        self.killed = self.parts.sets.or(&self.killed, &killed)?;
        self.tidy();
        Ok(())
    }
    /// From time to time forgets the diagram nodes that no set needs.
    fn tidy(&mut self) {
        if self.parts.sets.n_nodes() > FEW_NODES.max(2 * self.n_tidy) {
            self.parts.keep(&mut [
                &mut self.left,
                &mut self.stateless,
                &mut self.killed,
                &mut self.immune,
                &mut self.undecided,
            ]);
            self.n_tidy = self.parts.sets.n_nodes();
        }
    }

    /// Repeats a step that an earlier run found about the same products, after the same tests.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn recall(&mut self, step: &DomainStep) -> Result<(), StopReason> {
        let (DomainStep::Executed(found)
        | DomainStep::Added(_, _, found)
        | DomainStep::Immune(_, found)
        | DomainStep::Undecided(_, found)) = step;
        let found = self.parts.sets.import(found)?;
        match step {
            DomainStep::Executed(_) | DomainStep::Added(..) => self.exclude_killed(found)?,
            DomainStep::Immune(..) => {
                let class = self.exclude_class(found)?;
                self.immune = self.parts.sets.or(&self.immune, &class)?;
                self.tidy();
            }
            DomainStep::Undecided(product, _) => {
                let class = self.exclude_class(found)?;
                self.undecided = self.parts.sets.or(&self.undecided, &class)?;
                self.first_undecided.get_or_insert_with(|| product.clone());
                self.tidy();
            }
        }
        Ok(())
    }
    /// Excludes the products of the class that are left, and returns them.
    fn exclude_class(&mut self, class: Set) -> Result<Set, StopReason> {
        let class = self.parts.sets.and(&class, &self.left)?;
        self.left = self.parts.sets.minus(&self.left, &class)?;
        self.n_classes += 1;
        Ok(class)
    }

    /// Finds a product that no test so far kills and a test can kill. Immune products that are met are excluded, each with all
    /// products that are immune for the same reason; `on_step` is told of each step. The budget applies to each game, its deadline
    /// to all of them.
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
            if self.n_classes == FEW_CLASSES && !self.is_sifted {
                self.is_sifted = true;
                if let Some(step) = self.sift(budget)? {
                    self.recall(&step)?;
                    on_step(self, &step);
                    continue;
                }
            }
            // The first product, in the order of features without before with: it depends only on the products that are left.
            let Some(product) = self.parts.sets.some(&self.left) else {
                return Ok(match &self.first_undecided {
                    None => DomainAnswer::Complete,
                    Some(product) => DomainAnswer::Undecided(product.clone()),
                });
            };
            let step = match self.test_for(&product, budget)? {
                ProductFinding::Test(test) => return Ok(DomainAnswer::Escape(product, test)),
                ProductFinding::Immune(class) => DomainStep::Immune(product, self.parts.sets.diagram(class)),
                ProductFinding::Undecided(class) => DomainStep::Undecided(product, self.parts.sets.diagram(class)),
            };
            self.recall(&step)?;
            on_step(self, &step);
        }
    }
    /// Products without a run that shows anything conform, and no test kills them in any way: one exploration of all products finds
    /// them. If it has too many states, or products cannot be treated together, they are examined by classes.
    fn sift(&mut self, budget: &Budget) -> Result<Option<DomainStep>, SuiteFailure> {
        let specification = match Specification::prepare(self.tester.automaton(), Semantics::DEFINITION, budget) {
            Ok(specification) => specification,
            Err(GameError::SpecUnknown(reason)) => return unless_late(reason),
            Err(error) => return Err(error.into()),
        };
        let silent = match shown_products(self.family, &specification, &mut self.parts.sets, budget) {
            Ok(found) => found.silent,
            Err(reason) => return unless_late(reason),
        };
        let first = self.parts.sets.some(&silent);
        Ok(first.map(|first| DomainStep::Immune(first, self.parts.sets.diagram(silent))))
    }
    /// A test that kills `product`, or the class of products that share its fate.
    fn test_for(&mut self, product: &Product, budget: &Budget) -> Result<ProductFinding, SuiteFailure> {
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
                    Potential::Killed(test) => ProductFinding::Test(test),
                    Potential::NotKillable => ProductFinding::Immune(around.conforming(&mut self.parts)?),
                }
            }
            Kill::Definite => match self.tester.definite(&subject, budget)? {
                Definite::Killed(test) => ProductFinding::Test(test),
                Definite::Avoidable => ProductFinding::Immune(around.avoiding(&mut self.parts)?),
                Definite::Unknown => ProductFinding::Undecided(around.same(&mut self.parts)?),
            },
        })
    }

    /// Adds tests until no product escapes; `on_step` is told of each test, and of each exclusion.
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
        completed(|found| {
            if let Some((product, test)) = found {
                let killed = self.execute(test, budget)?;
                assert!(killed.contains(product), "the test kills its product: {test:?}");
                on_step(
                    self,
                    &DomainStep::Added(Box::new(test.clone()), product.clone(), killed),
                );
            }
            self.escape(budget, on_step)
        })
    }

    /// The certainty with which a test must kill.
    pub fn kill(&self) -> Kill {
        self.kill
    }
    /// The family whose products are examined.
    pub fn family(&self) -> &'d FeaturedAutomaton {
        self.family
    }
    /// Products without a state: no test kills them, and they pass no test.
    pub fn stateless(&self) -> Diagram {
        self.parts.sets.diagram(self.stateless)
    }
    /// The products that are killed.
    pub fn killed(&self) -> Diagram {
        self.parts.sets.diagram(self.killed)
    }
    /// The products of which it is known that no test kills them: potentially, they conform; definitely, they can always avoid
    /// failing. Once a suite is complete, they are all products that are not killed, undecided or stateless.
    pub fn immune(&self) -> Diagram {
        self.parts.sets.diagram(self.immune)
    }
    /// The products of which it is not known whether a test kills them definitely.
    pub fn undecided(&self) -> Diagram {
        self.parts.sets.diagram(self.undecided)
    }
    /// One of the undecided products.
    pub fn first_undecided(&self) -> Option<&Product> {
        self.first_undecided.as_ref()
    }
    /// Number of steps in which the products that no test kills, and the undecided products, were excluded.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }
    /// Numbers of immune and of undecided products, without the products that conform according to `potential`, an analysis of the
    /// same products.
    pub(super) fn beyond(&mut self, potential: &FaultDomain<'_>) -> Result<[BigUint; 2], StopReason> {
        let conforming = self.parts.sets.import(&potential.immune())?;
        let avoidable = self.parts.sets.minus(&self.immune, &conforming)?;
        let undecided = self.parts.sets.minus(&self.undecided, &conforming)?;
        Ok([avoidable, undecided].map(|set| self.parts.sets.count(&set)))
    }
    /// Numbers of products: all, stateless, killed, immune, undecided.
    pub(super) fn counts(&self) -> [BigUint; 5] {
        let all = self.parts.sets.all();
        let sets = [all, self.stateless, self.killed, self.immune, self.undecided];
        sets.map(|set| self.parts.sets.count(&set))
    }
}

/// Asks until no product escapes: `next` adds the test for the product that escaped last, and returns the next answer.
pub(super) fn completed(
    mut next: impl FnMut(Option<&(Product, TestCase)>) -> Result<DomainAnswer, SuiteFailure>,
) -> Result<Completed, SuiteFailure> {
    let mut added = Vec::new();
    let mut found = None;
    loop {
        let answer = match next(found.as_ref()) {
            Err(SuiteFailure::Stopped(reason)) => return Ok(Completed::Stopped(reason, added)),
            answer => answer?,
        };
        added.extend(found.take().map(|(_, test)| test));
        match answer {
            DomainAnswer::Complete | DomainAnswer::Undecided(_) => return Ok(Completed::Complete(added)),
            DomainAnswer::Unknown(reason) => return Ok(Completed::Stopped(reason, added)),
            DomainAnswer::Escape(product, test) => found = Some((product, test)),
        }
    }
}

fn unless_late<T>(reason: StopReason) -> Result<Option<T>, SuiteFailure> {
    match reason {
        StopReason::Time => Err(reason.into()),
        StopReason::States | StopReason::Memory => Ok(None),
    }
}

/// The finding about a product.
enum ProductFinding {
    Test(TestCase),
    Immune(Set),
    Undecided(Set),
}
