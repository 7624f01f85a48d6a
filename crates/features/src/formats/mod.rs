//! Feature models as UVL, FeatureIDE XML and DIMACS.
//!
//! A reader takes the propositional part (groups, cardinalities, cross-tree constraints) exactly, of UVL also imports and
//! comparisons of constants, and refuses the rest (typed features) by name. Writers give plain files that other tools' parsers accept.

mod dimacs;
mod featureide;
mod file;
mod unwritable;
mod uvl;
mod uvl_lines;
mod uvl_names;
mod uvl_parts;
mod uvl_sums;
mod uvl_tree;

pub use dimacs::{read_dimacs, write_cnf, write_dimacs};
pub use featureide::{read_featureide, write_featureide};
pub use file::{
    FeatureModelFormat, UnknownFeatureModelFormat, read_feature_model, read_feature_model_with, write_feature_model,
};
pub use unwritable::UnwritableFeature;
pub use uvl::{read_uvl, read_uvl_with, write_uvl};

#[cfg(test)]
mod tests;
#[cfg(test)]
mod uvl_tests;
