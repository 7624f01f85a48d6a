//! The featured mutant model (\[003\] section 3.3): all mutants of an automaton as one featured automaton.
//!
//! Every mutation is a feature. Mutations of the automaton itself require nothing; a mutation of the result of another one
//! (a constant changed again, an added edge, a clone of a changed edge) is a feature that requires the other. So a product
//! is a set of mutations that is closed under these requirements, and its size is its order.
//!
//! A product stands for several sequences: two sequences have the same product exactly if they apply the same mutations to
//! the same things, so that one becomes the other by exchanging neighbours that do not depend on each other. All of them
//! give the same automaton, the product's projection. Nothing is dropped: adding an edge and removing it again is a product
//! of size two. The number of products of size k is therefore the number of sequences of k mutations up to exchange; some
//! of them may still be equal automata, as with sequences.
//!
//! An edge that TAD adds is a clone of the first edge at that time, so there is one feature for each edge that can be the
//! first: their number does not depend on the size of the automaton. The whole model is linear in the number of first-order
//! mutations for each order.

mod automaton;
mod contents;
mod key;
mod model;
mod mutants;
mod names;
mod states;
mod track;

pub use key::{AddedEdgeKey, ClonedContent, EdgeRef, MutationFeature, MutationKey, SiteRef};
pub use mutants::{FeaturedMutants, FeaturedMutantsError, ProductBound};
pub use names::Names;

#[cfg(test)]
mod tests;
