//! A survey of a feature model: its number of products, and the features that are in all or none of them.

use num_bigint::BigUint;

use super::tree_count::tree_fixed;
use super::{Batsat, Circuit, Diagram, Explainer, FeatureModel, Fixed, Product, Random, tree_count};
use tamper_text::{Budget, StopReason};

/// The number of products of a model, and its dead and core features.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// The number of products, or the limit that was hit.
    pub count: Result<BigUint, StopReason>,
    /// The dead and core features; `None` if there is no product or if a limit was hit.
    pub fixed: Option<Fixed>,
}

impl Survey {
    /// Surveys `model`: by the tree if it has no cross-tree constraints, else by a circuit, else feature by feature with a
    /// solver if time is left. `progress` is called now and then with the number of nodes.
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
            // A solver would only begin: it checks the time only after its clauses are prepared.
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
    /// A circuit, which suits most models.
    Circuit(Circuit),
    /// A diagram, for models whose groups are so large that counting their members takes more room as clauses.
    Diagram(Diagram),
}

impl ProductSpace {
    /// The products of `model`. `progress` is called now and then with the number of nodes.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn of(model: &FeatureModel, budget: &Budget, progress: &mut dyn FnMut(usize)) -> Result<Self, StopReason> {
        if super::EncodedModel::is_large(model) {
            return Diagram::of(model, budget).map(Self::Diagram);
        }
        Circuit::of(model, budget, progress).map(Self::Circuit)
    }
    /// Number of products.
    pub fn count(&self) -> BigUint {
        match self {
            Self::Circuit(circuit) => circuit.count().clone(),
            Self::Diagram(diagram) => diagram.count(),
        }
    }
    /// The dead features (in no product) and the core features (in every product); `None` if there is no product.
    pub fn fixed(&self) -> Option<Fixed> {
        match self {
            Self::Circuit(circuit) => circuit.fixed(),
            Self::Diagram(diagram) => diagram.fixed(),
        }
    }
    /// Products drawn uniformly and independently, without end, seeded by `seed`; empty if there is no product.
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
