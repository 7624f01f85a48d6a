//! Mutation operators: a mutant is a record, not a copy of the model.
//!
//! A [`Mutation`] names one change by the ids of the automaton it is applied to; [`Mutations`] is the list of all
//! first-order mutations of one automaton, computed on demand; [`MutantSpace`] numbers all mutants of an order
//! without holding them; [`FeaturedMutants`] is all of them as one featured automaton; a [`Fingerprinter`] tells when
//! two sequences of mutations reach the same automaton.
//! Source: \[003\] sections 3.3 and 5.2. What is deliberately absent: verdicts and guidelines.

mod alteration;
mod change;
mod count;
mod define;
mod featured;
mod fingerprint;
mod formula;
mod lift;
mod list;
mod memory;
mod numbering;
mod operator;
mod operators;
mod options;
mod own_operator;
mod place;
mod space;

pub use alteration::{Alteration, AlteredPart, clock_atom_text};
pub use change::{ConstraintChange, MemoryMutation, Mutation};
pub use define::OwnOperatorError;
pub use featured::{
    AddedEdgeKey, ClonedContent, EdgeRef, FeaturedMutants, FeaturedMutantsError, MutationFeature, MutationKey, Names,
    ProductBound, SiteRef,
};
pub use fingerprint::{Fingerprint, Fingerprinter, SiblingFingerprints};
pub use formula::{FormulaSite, Rewrite, text as condition_text};
pub use list::Mutations;
pub use numbering::TooManyMutants;
pub use operator::{AppliedOperator, Operator, OperatorSet, UnknownOperator};
pub use options::{MutationOptions, Order, TadGuard};
pub use own_operator::OwnOperator;
pub use place::{Site, edge_name, edge_names};
pub use space::{Locator, MutantSpace, Siblings};

#[cfg(test)]
mod tests;
