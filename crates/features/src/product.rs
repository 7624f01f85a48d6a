//! One product: a set of features.

use super::FeatureId;

/// The selected features, sorted: a product of a mutant model selects few of many features.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Product {
    features: Vec<FeatureId>,
}

impl Product {
    /// The product that selects no feature.
    pub fn new() -> Self {
        Self::default()
    }
    /// Whether `feature` is selected. Logarithmic in the size of the product.
    pub fn contains(&self, feature: FeatureId) -> bool {
        self.features.binary_search(&feature).is_ok()
    }
    /// Selects `feature`; returns whether it was not selected before.
    pub fn insert(&mut self, feature: FeatureId) -> bool {
        match self.features.binary_search(&feature) {
            Ok(_) => false,
            Err(position) => {
                self.features.insert(position, feature);
                true
            }
        }
    }
    /// The selected features in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = FeatureId> + ExactSizeIterator + '_ {
        self.features.iter().copied()
    }
    /// Number of selected features.
    pub fn len(&self) -> usize {
        self.features.len()
    }
    /// Whether no feature is selected.
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }
}

impl FromIterator<FeatureId> for Product {
    fn from_iter<It: IntoIterator<Item = FeatureId>>(features: It) -> Self {
        let mut features: Vec<_> = features.into_iter().collect();
        features.sort_unstable();
        features.dedup();
        Self { features }
    }
}
