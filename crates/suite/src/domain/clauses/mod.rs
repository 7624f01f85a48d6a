//! The completeness of a suite for all products that a test can kill, decided by satisfiability: without sets of products.
//!
//! Sets of killed products can be too large for decision diagrams. Here a test becomes clauses which say that a product survives
//! it: if a run reaches a state and the product has what the next step needs, then the run takes that step, and no run reaches a
//! failure. Other clauses say that some run of the product shows something ([`tamper_game::FeaturedRunGraph`]). Every product that
//! satisfies all clauses is examined alone: either a new test kills it, whose clauses are added, or it conforms, and the reason for
//! that is excluded for all products. When no product is left, the suite is complete (`docs/notes/0009-all-products.md`). Only
//! potential kills are decided; nothing is counted.

mod analysis;
mod executed;
mod literals;
mod showing;

pub use analysis::ProductClauses;
