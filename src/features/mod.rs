//! Feature models, presence conditions and questions about them; knows no automaton.
//!
//! A [`FeatureModel`] is a tree of features with groups and cross-tree constraints; a [`Product`] is the set of its
//! selected features; a [`FeatureExpr`] is a condition on products (\[003\] section 3.2). Two independent ways answer
//! questions: [`Cnf`] with a [`Solver`] (satisfiability, enumeration, explanations), and a decision [`Diagram`] over
//! the features (exact counts, uniform samples); [`ProductSets`] are sets of products to compute with. [`FeatureModel::violated`] is the naive reference of both.
//! What is deliberately absent: file formats, and any meaning of a feature beyond its name.

mod batsat_solver;
mod bitmaps;
mod choose;
mod cnf;
mod cover;
mod diagram;
mod encode;
mod explain;
mod expr;
mod forest;
mod model;
mod parse;
mod product;
mod sample;
mod sets;
mod solver;
mod spell_out;
mod tree_count;
mod varisat_solver;

pub use batsat_solver::Batsat;
pub use bitmaps::{Bitmap, Bitmaps};
pub use choose::{Choice, Exclusion, choose};
pub use cnf::{Cnf, Lit, Var};
pub use diagram::Diagram;
pub use encode::EncodedModel;
pub use explain::{Explainer, Explanation, Fixed, Rule};
pub use expr::{FeatureExpr, ShowExpr};
pub use model::{
    Constraint, ConstraintId, Feature, FeatureId, FeatureModel, FeatureModelError, Group, GroupId, GroupKind,
};
pub use parse::{ExprError, parse_expr};
pub use product::Product;
pub use sample::{Coverage, Random, t_wise, uniform};
pub use sets::{DiagramSet, Diagrams, ProductSets};
pub use solver::{Solver, SolverFailure, products};
pub use tree_count::tree_count;
pub use varisat_solver::Varisat;

#[cfg(test)]
pub(crate) mod arbitrary;
#[cfg(test)]
mod tests;
