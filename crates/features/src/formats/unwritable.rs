//! Features that a format cannot express.

use crate::FeatureModelError;

/// A feature whose name the format cannot hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the format has no way to write the feature `{}`: rename it", .0)]
pub struct UnwritableFeature(pub(super) String);

impl From<FeatureModelError> for UnwritableFeature {
    #[cold]
    fn from(error: FeatureModelError) -> Self {
        Self(error.to_string())
    }
}
