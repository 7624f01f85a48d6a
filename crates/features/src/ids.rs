//! The numbers of the parts of a feature model.

use tamper_text::define_ids;

define_ids! {
    /// A feature of a feature model.
    FeatureId,
    /// A group of a feature model.
    GroupId,
    /// A cross-tree constraint of a feature model.
    ConstraintId,
}
