//! Verdicts by observations, for mutants and specifications with hidden steps.

use super::search::{self, Effort};
use super::seen::Seen;
use super::silent;
use crate::forward::Scratch;
use crate::specification::{Decision, Specification, Verdict};
use crate::symbolic::GameError;
use tamper_text::Budget;
use tamper_timed::model::{Automaton, Role};

impl Specification {
    /// Whether it has no inputs and was found to have a run of delays and hidden steps in which time passes without end, so
    /// that it can look like every delay.
    pub(super) fn looks_like_all_delays(&self) -> bool {
        let arena = self.arena();
        let looks = || silent::has_no(arena, Role::Input) && silent::lets_time_pass(arena);
        *self.all_delays().get_or_init(looks)
    }

    /// The verdict on `mutant` by observations, for games of which at least one has hidden steps. `effort` limits the
    /// search for an observation.
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
