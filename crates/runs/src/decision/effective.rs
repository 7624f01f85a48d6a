//! Mutants proved non-subsumed by exploring the runs of one game, without a refinement game between two.

use tamper_game::{GameError, analyse, takes_any};
use tamper_text::{Budget, StopReason};
use tamper_timed::guidelines::{Lemma, Reading, effective, question};
use tamper_timed::model::{Automaton, EdgeId};
use tamper_timed::mutation::Mutation;

/// A specification to which Lemmata 8 to 14 of \[003\] are applied.
#[derive(Clone, Debug)]
pub struct Effective {
    original: Automaton,
    is_deterministic: bool,
    is_non_redundant: bool,
}

impl Effective {
    /// Explores `original` once.
    ///
    /// # Errors
    /// If the game has no meaning. The inner error is the limit that was hit.
    pub fn of(original: &Automaton, budget: &Budget) -> Result<Result<Self, StopReason>, GameError> {
        Ok(analyse(original, budget)?.map(|facts| Self {
            original: original.clone(),
            is_deterministic: facts.overlaps.is_empty(),
            is_non_redundant: facts.unreachable.is_empty()
                && facts.dead_edges.is_empty()
                && facts.time_locks.is_empty(),
        }))
    }

    /// Whether in every reachable state each action has at most one enabled edge.
    pub fn is_deterministic(&self) -> bool {
        self.is_deterministic
    }

    /// Whether every location is reachable, every edge is taken by a run, and time never stops (\[003\] section 4.2).
    pub fn is_non_redundant(&self) -> bool {
        self.is_non_redundant
    }

    /// The lemma that calls the mutant non-subsumed and whose hypothesis holds under `reading`. Under
    /// [`Reading::Needed`] the mutant is then non-subsumed by \[003\] Definition 7; under [`Reading::Stated`] it need
    /// not be. `None` also if a limit was hit.
    ///
    /// # Errors
    /// If a game has no meaning.
    pub fn lemma(&self, mutation: &Mutation, reading: Reading, budget: &Budget) -> Result<Option<Lemma>, GameError> {
        if !self.is_deterministic {
            return Ok(None);
        }
        let Some(question) = question(&self.original, mutation, reading) else {
            return Ok(None);
        };
        let holds = takes_any(&question.runs, &question.edges, budget)?;
        Ok(effective(&self.original, mutation).filter(|_| holds == Ok(true)))
    }

    /// The lemma that proves the mutant non-subsumed by \[003\] Definition 7 without a game (note 0003): its hypotheses
    /// hold under [`Reading::Needed`], inputs are compared in every location, and the mutant has a meaning. `None` says
    /// nothing about the mutant.
    pub fn proof(&self, mutation: &Mutation, budget: &Budget) -> Option<Lemma> {
        if self.original.is_atomic() {
            return None;
        }
        let lemma = self.lemma(mutation, Reading::Needed, budget).ok().flatten()?;
        // The game may meet an error of the mutant before the difference, so all runs of the mutant are explored.
        let mutant = mutation.apply(&self.original);
        let edges: Vec<EdgeId> = mutant.edges().ids().collect();
        let is_sound = takes_any(&mutant, &edges, budget).is_ok_and(|answer| answer.is_ok());
        is_sound.then_some(lemma)
    }
}
