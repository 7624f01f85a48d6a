//! Featured timed games (\[003\] Definition 4): one automaton that stands for a family.
//!
//! A [`FeaturedAutomaton`] is the superposition of all members of the family, a plain automaton, with a condition on
//! features beside every location, edge, conjunct of an invariant, initial location, urgency and action.
//! [`FeaturedAutomaton::project`] keeps the parts whose condition holds for a product. What is deliberately absent:
//! where the conditions come from (a reader, or the mutations of a model), and verdicts about the family.

mod audit;
mod automaton;
mod project;

pub use audit::Audit;
pub use automaton::{Conditions, FeaturedAutomaton, FeaturedError, GuardConditions};
pub use project::ProjectionError;

#[cfg(test)]
mod tests;
