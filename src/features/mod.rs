//! Feature models, presence conditions and questions about them; knows no automaton.
//!
//! A [`FeatureModel`] is a tree of features with groups and cross-tree constraints; a [`Product`] is the set of its
//! selected features; a [`FeatureExpr`] is a condition on products (\[003\] section 3.2). Three independent ways answer
//! questions: [`Cnf`] with a [`Solver`] (satisfiability, enumeration, explanations), a [`Circuit`] of decisions and independent
//! parts (exact counts, uniform samples), and a decision [`Diagram`] over the features ([`ProductSets`], to compute with).
//! [`FeatureModel::violated`] is the naive reference of all.
//! What is deliberately absent: file formats, and any meaning of a feature beyond its name.

mod batsat_solver;
mod bitmaps;
mod choose;
mod circuit;
mod cnf;
mod cover;
mod diagram;
mod encode;
mod explain;
mod expr;
mod forest;
mod model;
mod nearby;
mod parse;
mod product;
mod recorded;
mod refutation;
mod sample;
mod sets;
mod solver;
mod spell_out;
mod survey;
mod tree_count;
mod varisat_solver;

pub use batsat_solver::Batsat;
pub use bitmaps::{Bitmap, Bitmaps};
pub use choose::{Choice, Exclusion, choose};
pub use circuit::{Circuit, Sampler};
pub use cnf::{Cnf, Lit, Var};
pub use diagram::Diagram;
pub use encode::EncodedModel;
pub use explain::{Explainer, Explanation, Fixed, Rule};
pub use expr::{FeatureExpr, ShowExpr};
pub use model::{
    Constraint, ConstraintId, Feature, FeatureId, FeatureModel, FeatureModelError, Group, GroupId, GroupKind,
};
pub use parse::{ExprError, Spelling, Symbol, parse_expr, parse_spelled};
pub use product::Product;
pub use recorded::Recorded;
pub use refutation::{RefutationError, check_refutation, refute};
pub use sample::{Coverage, Random, t_wise};
pub use sets::{DiagramSet, Diagrams, ProductSets};
pub use solver::{Solver, SolverFailure, products};
pub use survey::{ProductSpace, Survey};
pub use tree_count::{tree_count, tree_fixed};
pub use varisat_solver::Varisat;

#[cfg(test)]
pub(crate) mod arbitrary;
#[cfg(test)]
mod tests;
