//! The loop of the analysis: ask for an escaping product, kill it or exclude it.

use super::executed::Arguable;
use super::literals::Literals;
use super::showing::Showing;
use crate::domain::analysis::completed;
use crate::error::SuiteFailure;
use crate::{CompiledTest, Completed, DomainAnswer, Pick, Potential, Style, Subject, TestCase, Tester};
use tamper_features::{DiagramSet, Diagrams, FeatureId, Product};
use tamper_game::{FeaturedRunGraph, GameError, Semantics, Specification, ways};
use tamper_text::{Budget, IndexVec, StopReason};
use tamper_timed::featured::FeaturedAutomaton;
use tamper_timed::model::ActionId;

/// All products of a family, and clauses for a product that a suite does not kill and some test does.
pub struct ProductClauses<'d> {
    family: &'d FeaturedAutomaton,
    tester: &'d Tester,
    labels: IndexVec<ActionId, String>,
    sets: Diagrams,
    ways: FeaturedRunGraph<DiagramSet>,
    literals: Literals,
    showing: Showing,
    n_tests: usize,
    n_excluded: usize,
    /// The last product for which a test was added.
    killed: Option<Product>,
}

impl<'d> ProductClauses<'d> {
    /// All products of `family`, each of which is a game, without a test yet. `None` if some product has to be examined alone, or
    /// ignores inputs. The states of `budget` are the states of the graph of all runs, and the nodes of diagrams for the needs of
    /// single steps.
    ///
    /// # Errors
    /// The limit that was hit, and a specification without a meaning.
    pub fn new(
        family: &'d FeaturedAutomaton,
        tester: &'d Tester,
        budget: &Budget,
    ) -> Result<Option<Self>, SuiteFailure> {
        let mut sets = Diagrams::of(family.model(), budget)?;
        let specification = match Specification::prepare(tester.automaton(), Semantics::DEFINITION, budget) {
            Ok(specification) => specification,
            Err(GameError::SpecUnknown(reason)) => return Err(reason.into()),
            Err(error) => return Err(error.into()),
        };
        let Some(ways) = ways(family, &specification, &mut sets, budget)? else {
            return Ok(None);
        };
        let mut literals = Literals::of(family.model(), budget)?;
        let showing = Showing::new(&ways, &mut sets, &mut literals)?;
        Ok(Some(Self {
            family,
            tester,
            labels: family.automaton().actions().iter().map(ToString::to_string).collect(),
            sets,
            ways,
            literals,
            showing,
            n_tests: 0,
            n_excluded: 0,
            killed: None,
        }))
    }

    /// Adds a test.
    ///
    /// # Errors
    /// The budget, which counts the states of one execution, and bounds too fine.
    pub fn add(&mut self, test: &TestCase, budget: &Budget) -> Result<(), SuiteFailure> {
        let compiled = CompiledTest::in_own_unit(test)?;
        let mut arguable = Arguable {
            arena: &self.ways.left,
            labels: &self.labels,
            sets: &mut self.sets,
            literals: &mut self.literals,
        };
        arguable.survives(&compiled, budget)?;
        self.n_tests += 1;
        Ok(())
    }

    /// Finds a product that no test so far kills and a test can kill.
    ///
    /// # Errors
    /// Mutants without a meaning.
    ///
    /// # Panics
    /// If no test is found although the product shows something: an error of this module.
    pub fn escape(&mut self, budget: &Budget, on_step: &mut dyn FnMut(&Self)) -> Result<DomainAnswer, SuiteFailure> {
        match self.search(budget, on_step) {
            Err(SuiteFailure::Stopped(reason)) => Ok(DomainAnswer::Unknown(reason)),
            other => other,
        }
    }
    fn search(&mut self, budget: &Budget, on_step: &mut dyn FnMut(&Self)) -> Result<DomainAnswer, SuiteFailure> {
        let Some(product) = self.missed(&[], budget, on_step)? else {
            return Ok(DomainAnswer::Complete);
        };
        assert_ne!(self.killed.as_ref(), Some(&product), "the test kills its product");
        let mutant = self.family.project(&product).expect("every product is a game");
        let subject = Subject::new(&mutant, budget)?;
        let found = self
            .tester
            .potential(&subject, Style::Adaptive, Pick::Earliest, budget)?;
        let Potential::Killed(test) = found else {
            panic!("a run of the product shows something: {product:?}");
        };
        Ok(DomainAnswer::Escape(product, test))
    }
    /// A product that agrees with `assumed` and has a run that shows something, but no run that fails a test.
    fn missed(
        &mut self,
        assumed: &[(FeatureId, bool)],
        budget: &Budget,
        on_step: &mut dyn FnMut(&Self),
    ) -> Result<Option<Product>, StopReason> {
        loop {
            if let Some(reason) = budget.exceeded(0, 0).or_else(|| self.literals.exceeded()) {
                return Err(reason);
            }
            let Some(product) = self.literals.product(assumed)? else {
                return Ok(None);
            };
            if !self
                .showing
                .exclude(&self.ways, &self.sets, &mut self.literals, &product)
            {
                return Ok(Some(product));
            }
            self.n_excluded += 1;
            on_step(self);
        }
    }
    /// Whether some run of `product` shows something and no test fails on it.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn misses(&mut self, product: &Product, budget: &Budget) -> Result<bool, StopReason> {
        let features = self.family.model().features().ids();
        let assumed: Vec<_> = features.map(|feature| (feature, product.contains(feature))).collect();
        Ok(self.missed(&assumed, budget, &mut |_| ())?.is_some())
    }
    /// Adds tests until no product escapes; `on_step` is told of each test, and of each exclusion.
    ///
    /// # Errors
    /// Mutants without a meaning, and bounds too fine.
    ///
    /// # Panics
    /// If a test does not kill the product it was made for: an error of this module.
    pub fn complete(&mut self, budget: &Budget, on_step: &mut dyn FnMut(&Self)) -> Result<Completed, SuiteFailure> {
        completed(|found| {
            if let Some((product, test)) = found {
                self.add(test, budget)?;
                self.killed = Some(product.clone());
                on_step(self);
            }
            self.escape(budget, on_step)
        })
    }

    /// Number of tests.
    pub fn n_tests(&self) -> usize {
        self.n_tests
    }
    /// Number of clauses.
    pub fn n_clauses(&self) -> usize {
        self.literals.n_clauses()
    }
    /// Number of states of the graph of all runs.
    pub fn n_states(&self) -> usize {
        self.ways.from.len()
    }
    /// Number of products that were excluded, each with others that conform.
    pub fn n_excluded(&self) -> usize {
        self.n_excluded
    }
}

impl std::fmt::Debug for ProductClauses<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("ProductClauses");
        shown.field("n_clauses", &self.n_clauses()).finish_non_exhaustive()
    }
}
