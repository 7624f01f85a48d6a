//! Feature models as UVL, FeatureIDE XML and DIMACS.
//!
//! A reader takes the propositional part (groups, cardinalities, cross-tree constraints) exactly and refuses the rest
//! (typed features, arithmetic, imports) by name. Writers give plain files that other tools' parsers accept.

mod dimacs;
mod featureide;
mod file;
mod unwritable;
mod uvl;
mod uvl_lines;
mod uvl_names;

pub use dimacs::{read_dimacs, write_cnf, write_dimacs};
pub use featureide::{read_featureide, write_featureide};
pub use file::{FeatureModelFormat, UnknownFeatureModelFormat, read_feature_model, write_feature_model};
pub use unwritable::UnwritableFeature;
pub use uvl::{read_uvl, write_uvl};

#[cfg(test)]
mod tests;
