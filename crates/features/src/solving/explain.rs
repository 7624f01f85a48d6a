//! Explanations of impossible choices of features.
//!
//! An explanation is minimal: without any one of its rules or choices the rest is possible (a minimal unsatisfiable subset,
//! found by deletion from a failed core).

use std::collections::BTreeSet;

use crate::{EncodedModel, FeatureId, FeatureModel, Lit, Product, Rule, Solver, SolverFailure, Var};
use tamper_text::Id;

/// Rules and choices that cannot all hold, none of them superfluous.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The rules that contradict each other, in order.
    pub rules: Vec<Rule>,
    /// The choices: features and whether they are selected, in order.
    pub choices: Vec<(FeatureId, bool)>,
}

/// The features whose value is the same in every product.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fixed {
    /// The features that no product selects: the dead ones.
    pub dead: Vec<FeatureId>,
    /// The features that every product selects: the mandatory ones.
    pub core: Vec<FeatureId>,
}

/// Answers questions about one model with one solver.
#[derive(Debug)]
pub struct Explainer<S> {
    solver: S,
    encoded: EncodedModel,
    n_features: usize,
}

impl<S: Solver> Explainer<S> {
    /// For questions about `model`, with a solver that has no clauses yet.
    pub fn new(model: &FeatureModel, mut solver: S) -> Self {
        let encoded = EncodedModel::with_selectors(model);
        solver.load(encoded.cnf());
        Self {
            solver,
            encoded,
            n_features: model.features().len(),
        }
    }

    /// Whether some product makes all `choices`.
    ///
    /// # Errors
    /// If the solver does not answer.
    pub fn is_possible(&mut self, choices: &[(FeatureId, bool)]) -> Result<bool, SolverFailure> {
        let assumptions = self.assumptions(choices);
        self.solver.solve(&assumptions)
    }

    /// A product that makes all `choices`; `None` if no product does.
    ///
    /// # Errors
    /// If the solver does not answer.
    pub fn find(&mut self, choices: &[(FeatureId, bool)]) -> Result<Option<Product>, SolverFailure> {
        if !self.is_possible(choices)? {
            return Ok(None);
        }
        let features = (0..self.n_features).map(FeatureId::from_index);
        let selected = |feature: &FeatureId| self.solver.value(EncodedModel::var(*feature));
        Ok(Some(features.filter(selected).collect()))
    }

    /// Explains why no product makes all `choices`; `None` if some product does. Without choices, explains why the model
    /// has no product.
    ///
    /// # Errors
    /// If the solver does not answer.
    pub fn why_not(&mut self, choices: &[(FeatureId, bool)]) -> Result<Option<Explanation>, SolverFailure> {
        let assumptions = self.assumptions(choices);
        if self.solver.solve(&assumptions)? {
            return Ok(None);
        }
        let core: BTreeSet<Lit> = self.solver.failed()?.into_iter().collect();
        let mut kept: Vec<Lit> = assumptions.into_iter().filter(|lit| core.contains(lit)).collect();
        let mut position = 0;
        while position < kept.len() {
            let left_out = kept.remove(position);
            if self.solver.solve(&kept)? {
                kept.insert(position, left_out);
                position += 1;
            }
        }
        let selectors = self.encoded.selectors().iter();
        let rules = selectors.filter(|(_, lit)| kept.contains(lit)).map(|(rule, _)| *rule);
        let is_feature = |lit: &&Lit| lit.var().index() < self.n_features;
        let choice = |lit: &Lit| (FeatureId::from_index(lit.var().index()), lit.is_positive());
        Ok(Some(Explanation {
            rules: rules.collect(),
            choices: kept.iter().filter(is_feature).map(choice).collect(),
        }))
    }

    /// Explains why `product` is not a product of the model; `None` if it is one.
    ///
    /// # Errors
    /// If the solver does not answer.
    pub fn why_excluded(&mut self, product: &Product) -> Result<Option<Explanation>, SolverFailure> {
        let features = (0..self.n_features).map(FeatureId::from_index);
        let choices: Vec<_> = features.map(|feature| (feature, product.contains(feature))).collect();
        self.why_not(&choices)
    }

    /// The dead and the core features; `None` if the model has no product at all.
    ///
    /// # Errors
    /// If the solver does not answer.
    pub fn fixed(&mut self) -> Result<Option<Fixed>, SolverFailure> {
        if !self.is_possible(&[])? {
            return Ok(None);
        }
        let mut fixed = Fixed::default();
        let mut seen = [vec![false; self.n_features], vec![false; self.n_features]];
        self.note(&mut seen);
        for index in 0..self.n_features {
            let feature = FeatureId::from_index(index);
            for selected in [true, false] {
                if seen[usize::from(selected)][index] {
                    continue;
                }
                if self.is_possible(&[(feature, selected)])? {
                    self.note(&mut seen);
                } else if selected {
                    fixed.dead.push(feature);
                } else {
                    fixed.core.push(feature);
                }
            }
        }
        Ok(Some(fixed))
    }

    /// Records the values of the features in the product found last.
    fn note(&self, seen: &mut [Vec<bool>; 2]) {
        let [unselected, selected] = seen;
        for (index, (off, on)) in unselected.iter_mut().zip(selected).enumerate() {
            let value = self.solver.value(Var::from_index(index));
            *(if value { on } else { off }) = true;
        }
    }

    fn assumptions(&self, choices: &[(FeatureId, bool)]) -> Vec<Lit> {
        let rules = self.encoded.selectors().iter().map(|(_, lit)| *lit);
        let choices = choices.iter().map(|(feature, on)| EncodedModel::lit(*feature, *on));
        // Rules first: the deletion then prefers to keep choices, which the user made.
        rules.chain(choices).collect()
    }
}
