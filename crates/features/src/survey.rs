//! What a feature model says as a whole: how many products it has, and which features are in all or none of them.

use num_bigint::BigUint;

use super::tree_count::tree_fixed;
use super::{Batsat, Circuit, Diagram, Explainer, FeatureModel, Fixed, Product, Random, tree_count};
use tamper_text::{Budget, StopReason};

/// How many products a model has, and its dead and core features.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// The number of products, or the limit that was hit.
    pub count: Result<BigUint, StopReason>,
    /// The dead and core features; none where there is no product, or where a limit was hit.
    pub fixed: Option<Fixed>,
}

impl Survey {
    /// Of `model`: from the tree if that is all, from a circuit, else feature by feature with a solver, if time is left. `progress` hears now and then how many nodes there are.
    pub fn of(model: &FeatureModel, budget: &Budget, progress: &mut dyn FnMut(usize)) -> Self {
        match tree_count(model, budget) {
            Ok(Some(count)) => {
                return Self {
                    count: Ok(count),
                    fixed: tree_fixed(model),
                };
            }
            Ok(None) => {}
            Err(reason) => {
                return Self {
                    count: Err(reason),
                    fixed: tree_fixed(model),
                };
            }
        }
        match ProductSpace::of(model, budget, progress) {
            Ok(space) => Self {
                count: Ok(space.count()),
                fixed: space.fixed(),
            },
            // A solver would only begin: its clauses are prepared before it looks at the clock.
            Err(StopReason::Time) => Self {
                count: Err(StopReason::Time),
                fixed: None,
            },
            Err(reason) => Self {
                count: Err(reason),
                fixed: Explainer::new(model, Batsat::within(budget)).fixed().ok().flatten(),
            },
        }
    }
}

/// All products of a model, in the form that suits it.
#[derive(Clone, Debug)]
pub enum ProductSpace {
    /// The products as a circuit, which does in most cases.
    Circuit(Circuit),
    /// Where groups are so large that counting their members takes more room as clauses than as a diagram.
    Diagram(Diagram),
}

impl ProductSpace {
    /// The products of `model`; `progress` hears now and then how many nodes there are.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn of(model: &FeatureModel, budget: &Budget, progress: &mut dyn FnMut(usize)) -> Result<Self, StopReason> {
        if super::EncodedModel::is_large(model) {
            return Diagram::of(model, budget).map(Self::Diagram);
        }
        Circuit::of(model, budget, progress).map(Self::Circuit)
    }
    /// How many products there are.
    pub fn count(&self) -> BigUint {
        match self {
            Self::Circuit(circuit) => circuit.count().clone(),
            Self::Diagram(diagram) => diagram.count(),
        }
    }
    /// The features that are in no product, and those that are in every one; none where there is no product.
    pub fn fixed(&self) -> Option<Fixed> {
        match self {
            Self::Circuit(circuit) => circuit.fixed(),
            Self::Diagram(diagram) => diagram.fixed(),
        }
    }
    /// Products drawn uniformly and independently, without end, by `seed`; none if there is none.
    pub fn samples(&self, seed: u64) -> Box<dyn Iterator<Item = Product> + '_> {
        match self {
            Self::Circuit(circuit) => Box::new(circuit.sampler(seed)),
            Self::Diagram(diagram) => {
                let mut random = Random::new(seed);
                Box::new(std::iter::from_fn(move || diagram.sample(&mut random)))
            }
        }
    }
}
