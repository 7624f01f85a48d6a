//! Whether a suite kills all products that a test can kill, asked as satisfiability: without sets of products.
//!
//! Sets of killed products can be too large for decision diagrams. Here a test becomes clauses which say that a product
//! survives it: if a run gets somewhere and the product has what the next step needs, then it gets there, and it gets to no
//! failure. Other clauses say that some run of the product shows something ([`tamper_game::FeaturedRunGraph`]). Every product that
//! fulfils all of them is looked at by itself: it is killed by a new test, whose clauses are added, or conforms, and what makes it so is excluded
//! for all products. When no product is left, the suite is complete (`docs/notes/0009-all-products.md`). Only potential kills; nothing is counted.

mod analysis;
mod executed;
mod literals;
mod showing;

pub use analysis::ProductClauses;
