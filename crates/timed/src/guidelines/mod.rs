//! Static findings about mutants, without exploration: the guidelines of \[003\] section 4.1 (Lemmata 1-7), and
//! of the operators beyond the six.
//!
//! A [`Rule`] that names a mutation promises that the mutant is subsumed by, or as inconsistent as, the automaton
//! the mutation was applied to. A mutant of order k violates the guidelines when each of its k mutations is named,
//! each relative to the mutant it was applied to (refinement is transitive). The opposite findings (Lemmata 8-14,
//! "certainly non-subsumed") need a run that only exploration finds: [`effective`] names the lemma, [`question`] the
//! run to look for. What is deliberately absent: the looking.

mod alterations;
mod constraints;
mod effective;
mod removable;
mod rule;
mod rules;

pub use constraints::{GuidanceError, GuidedMutants};
pub use effective::{Lemma, ReachabilityQuery, Reading, effective, question};
pub use rule::Rule;
pub use rules::{violated, violated_on_original};

#[cfg(test)]
mod tests;
