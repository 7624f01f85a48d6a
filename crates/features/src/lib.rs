//! Feature models, presence conditions and exact questions about them; knows no automaton.
//!
//! A [`FeatureModel`] is a tree of features with groups and cross-tree constraints; a [`Product`] is the set of its
//! selected features; a [`FeatureExpr`] is a condition on products. Three independent ways answer
//! questions: [`Cnf`] with a [`Solver`] (satisfiability, enumeration, explanations), a [`Circuit`] of decisions and independent
//! parts (exact counts, uniform samples), and a decision [`Diagram`] over the features ([`ProductSets`], to compute with).
//! [`FeatureModel::violated`] is the naive reference of all.
//! Files are read and written by [`formats`]. What is deliberately absent: any meaning of a feature beyond its name.
//!
//! A line of ovens, three of whose combinations exist:
//!
//! ```
//! use tamper_text::Budget;
//! use tamper_features::{Circuit, Diagrams, FeatureExpr, FeatureModel, GroupKind, ProductSets};
//!
//! let mut oven = FeatureModel::new("oven")?;
//! let modes = oven.add_group(oven.root(), GroupKind::Or);
//! let grill = oven.add_feature(modes, "grill")?;
//! let steam = oven.add_feature(modes, "steam")?;
//!
//! let unlimited = Budget::unlimited();
//! let circuit = Circuit::of(&oven, &unlimited, &mut |_| ()).expect("no limit");
//! assert_eq!(*circuit.count(), 3u32.into());
//! let drawn = circuit.sampler(42).take(10);
//! assert!(drawn.into_iter().all(|product| oven.allows(&product)));
//!
//! // The ovens with a grill and no steam, as a set.
//! let mut sets = Diagrams::of(&oven, &unlimited).expect("no limit");
//! let with_grill = sets.holding(&FeatureExpr::from(grill)).expect("no limit");
//! let with_steam = sets.holding(&FeatureExpr::from(steam)).expect("no limit");
//! let dry = sets.minus(&with_grill, &with_steam).expect("no limit");
//! let dry = sets.and(&dry, &sets.all()).expect("no limit");
//! assert_eq!(sets.count(&dry), 1u32.into());
//! # Ok::<(), tamper_features::FeatureModelError>(())
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod anomalies;
pub mod arbitrary;
mod bitmaps;
mod choose;
mod circuit;
mod cover;
mod diagram;
mod expr;
mod forest;
pub mod formats;
mod growth;
mod ids;
mod model;
mod names;
mod nearby;
mod parse;
mod product;
mod quoting;
mod rule;
mod sample;
mod sets;
mod solving;
mod spell_out;
mod survey;
mod tree_count;

pub use anomalies::Anomalies;
pub use bitmaps::{Bitmap, Bitmaps};
pub use choose::{Choice, Exclusion, choose};
pub use circuit::{Circuit, Sampler};
pub use diagram::Diagram;
pub use expr::{FeatureExpr, ShowExpr};
use growth::Growth;
pub use ids::{ConstraintId, FeatureId, GroupId};
pub use model::{Constraint, Feature, FeatureModel, FeatureModelError, Group, GroupKind};
pub use parse::{ExprError, parse_expr};
use parse::{Spelling, Symbol, parse_spelled};
pub use product::Product;
pub use rule::Rule;
pub use sample::{Coverage, Random, t_wise};
pub use sets::{DiagramSet, Diagrams, ProductSets};
pub use solving::batsat_solver::Batsat;
pub use solving::cnf::{Cnf, Lit, Var};
pub use solving::encode::EncodedModel;
pub use solving::explain::{Explainer, Explanation, Fixed};
pub use solving::recorded::Recorded;
pub use solving::refutation::{RefutationError, check_refutation, refute};
pub use solving::solver::{Solver, SolverFailure, products};
pub use solving::varisat_solver::Varisat;
pub use survey::{ProductSpace, Survey};
pub use tree_count::tree_count;

#[cfg(test)]
mod tests;
