//! What a format cannot hold.

use std::fmt;

use crate::features::FeatureModelError;

/// A feature whose name the format cannot hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnwritableFeature(pub(super) String);

impl fmt::Display for UnwritableFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the format has no way to write the feature `{}`: rename it", self.0)
    }
}

impl std::error::Error for UnwritableFeature {}

impl From<FeatureModelError> for UnwritableFeature {
    #[cold]
    fn from(error: FeatureModelError) -> Self {
        Self(error.to_string())
    }
}
