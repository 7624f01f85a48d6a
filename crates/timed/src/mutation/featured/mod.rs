//! The featured mutant model (\[003\] section 3.3): all mutants of an automaton as one featured automaton.
//!
//! Every mutation is a feature. Mutations of the automaton itself need nothing; a mutation of what another one made (a
//! constant changed again, an edge that was added, a clone of a changed edge) is a feature that requires the other. So
//! a product is a set of mutations closed under what they are applied to, and its size is its order.
//!
//! Which sequences a product stands for: two sequences have the same product exactly when they apply the same
//! mutations to the same things, that is, when one becomes the other by exchanging neighbours that do not
//! depend on each other. All of them give the same automaton, the product's projection. Nothing is dropped: adding an
//! edge and removing it again is a product of size two. The number of products of size k is therefore the number of
//! sequences of k mutations up to exchange; some of them may still be equal automata, as with sequences.
//!
//! An edge that TAD adds is a clone of the first edge there is at that time, so there is one feature for each first
//! edge that can be: a number that does not depend on the size of the automaton. The whole is linear in the number of
//! first-order mutations for each order.

mod automaton;
mod contents;
mod key;
mod model;
mod mutants;
mod names;
mod states;
mod track;

pub use key::{AddedEdge, Content, EdgeRef, MutationFeature, MutationKey, SiteRef};
pub use mutants::{FeaturedMutants, FeaturedMutantsError, ProductBound};
pub use names::Names;

#[cfg(test)]
mod tests;
