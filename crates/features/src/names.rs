//! Products by the names of their features.

use std::fmt;

use super::{FeatureModel, Product};
use tamper_text::Id;

impl Product {
    /// The product for a reader: the names of its features, separated by commas.
    pub fn show<'a>(&'a self, model: &'a FeatureModel) -> impl fmt::Display + 'a {
        Names(self, model)
    }
}

struct Names<'a>(&'a Product, &'a FeatureModel);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for feature in self.0.iter() {
            if !first {
                f.write_str(", ")?;
            }
            first = false;
            match self.1.features().get(feature) {
                Some(known) => f.write_str(known.name())?,
                None => write!(f, "feature {}", feature.index())?,
            }
        }
        Ok(())
    }
}
