//! All products of a featured game against one specification, in one exploration.
//!
//! A symbolic state is a zone and the *set* of products that reach it ([`tamper_features::ProductSets`]).
//! [`decide_products`] lowers the superposition with the products of every part (`products`), prunes it for all products,
//! explores the product with the specification (`forward`), plays the game for the products whose responder has choices
//! (`choices`), and decides alone each product with a construct that none of these steps treats (`alone`).
//! [`shown_products`] determines what products can do, whatever else they could have done: the products that a test can
//! fail. [`shared_witnesses`] are counterexamples with all products that can play them (`witness`).
//! `docs/notes/0007-families.md` shows that this is exact.

mod alone;
mod choices;
mod decide;
mod forward;
mod products;
mod run_graph;
mod verdicts;
mod witness;

pub use decide::{ShownProducts, decide_products, shown_products};
pub use run_graph::{FeaturedRunGraph, Goal, Way, ways};
pub use verdicts::{Effort, ProductVerdicts, Undecided};
pub use witness::{SharedWitness, SharedWitnesses, shared_witnesses};
