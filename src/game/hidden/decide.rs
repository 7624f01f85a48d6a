//! The question about a mutant where hidden steps leave open what is seen.

use super::search::{self, Effort};
use super::seen::Seen;
use crate::game::forward::Scratch;
use crate::game::specification::{Decision, Specification, Verdict};
use crate::model::Automaton;
use crate::symbolic::GameError;
use crate::text::Budget;

impl Specification {
    /// What observations say about `mutant`, where it or the specification has hidden steps. `effort` limits the search for
    /// an observation.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn decide_hidden(
        &self,
        mutant: &Automaton,
        budget: &Budget,
        effort: Effort,
        scratch: &mut Scratch,
    ) -> Result<(Seen, Decision), GameError> {
        let decision = self.decide(mutant, budget, scratch)?;
        let seen = match decision.verdict {
            Verdict::Inconsistent => Seen::Inconsistent,
            Verdict::Subsumed => Seen::Subsumed,
            Verdict::NonSubsumed | Verdict::Unknown(_) => search::search(self, mutant, budget, effort)?,
        };
        let seen = match (seen, decision.verdict) {
            (Seen::NotFound { .. }, Verdict::Unknown(reason)) => Seen::Stopped(reason),
            (seen, _) => seen,
        };
        Ok((seen, decision))
    }
}
