//! Games with hidden steps: what of them can be told apart, by what is seen.
//!
//! A hidden step (role `Internal`) is not seen, and neither is when it happens. A mutant is told from its specification by a
//! run of it whose delays, inputs and outputs no run of the specification has, all inputs being such that the
//! specification accepts them wherever it may be by then ([`Observation`]); or by an input that is refused. Timed automata
//! with silent steps cannot be determinised, so there are three answers ([`Seen`]): a refinement that matches hidden steps by
//! hidden steps excludes every such run; a run that is found is executed again, exactly; between the two there is no answer.
//! The proof that the first two exclude each other is `docs/notes/0016-hidden-steps.md`.
//!
//! `estimate` holds the states in which the specification may be, `walker` follows the mutant with whole numbers, `search`
//! looks for a run, and `observation` executes it again. What is deliberately absent: a decision for all cases.

mod estimate;
mod observation;
mod search;
mod walker;

use super::forward::Scratch;
use super::specification::{Decision, Specification, Verdict};
use crate::base::{Budget, StopReason};
use crate::model::Automaton;
use crate::symbolic::GameError;

pub use observation::{Difference, Observation, SeenStep};
pub use search::Effort;

/// The answer about a mutant, where it or the specification has hidden steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// The mutant has no consistent initial state.
    Inconsistent,
    /// The mutant refines the specification with hidden steps matched by hidden steps: no observation tells them apart.
    Subsumed,
    /// The observation tells them apart.
    NonSubsumed(Box<Observation>),
    /// A limit was hit before either was found.
    Stopped(StopReason),
    /// Neither was found; so many states of the mutant beside estimates of the specification were looked at.
    NotFound {
        /// States looked at.
        n_states: u64,
    },
}

impl Specification {
    /// What observations say about `mutant`, where it or the specification has hidden steps. `effort` limits the search for
    /// an observation.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn decide_hidden(
        &self,
        mutant: &Automaton,
        (budget, effort): (&Budget, Effort),
        scratch: &mut Scratch,
    ) -> Result<(Seen, Decision), GameError> {
        let decision = self.decide(mutant, budget, scratch)?;
        let seen = match decision.verdict {
            Verdict::Inconsistent => Seen::Inconsistent,
            Verdict::Subsumed => Seen::Subsumed,
            Verdict::NonSubsumed | Verdict::Unknown(_) => search::search(self, mutant, (budget, effort))?,
        };
        let seen = match (seen, decision.verdict) {
            (Seen::NotFound { .. }, Verdict::Unknown(reason)) => Seen::Stopped(reason),
            (seen, _) => seen,
        };
        Ok((seen, decision))
    }
}
