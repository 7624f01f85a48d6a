//! The extended guidelines: verdicts from the zone graph of an automaton, without the refinement game.
//!
//! The guidelines name a mutant if the identity check ([`Baseline`]) finds it contained in the specification, or if
//! each of its mutations is named relative to the automaton to which it was applied, by a published rule or by the
//! check: refinement is transitive.

use tamper_game::{Baseline, Containment, Semantics};
use tamper_text::Budget;
use tamper_timed::model::Automaton;

/// The guidelines that replace games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuidelineSet {
    /// Lemmata 1 to 7 of \[003\].
    #[default]
    Published,
    /// The published guidelines and the identity check on zone graphs.
    Extended,
}

/// The extended guidelines for the mutants of one specification.
#[derive(Debug)]
pub(crate) struct Extended {
    n_known_actions: usize,
    semantics: Semantics,
    baseline: Option<Baseline>,
}

/// Facts about the mutations that several mutants share.
#[derive(Debug, Default)]
pub(crate) struct SharedMutationFacts {
    /// The reason why the automaton that they yield refines the specification. An inconsistent automaton does not
    /// count: it may lack states that its own mutants, which need not be inconsistent, could refine.
    contained: Option<Containment>,
    /// Facts about the automaton that they yield.
    baseline: Option<Baseline>,
}

/// Findings about the steps of a mutant: whether a published rule names them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedSteps {
    /// Whether all shared mutations are named (true without shared mutations).
    pub shared: bool,
    /// Whether the last mutation is named.
    pub last: bool,
}

impl Extended {
    /// Explores `specification`. If it has no meaning, no mutant is named.
    pub fn of(specification: &Automaton, semantics: Semantics, budget: &Budget) -> Self {
        let mut extended = Self {
            n_known_actions: specification.actions().len(),
            semantics,
            baseline: None,
        };
        extended.baseline = extended.facts(specification, budget);
        extended
    }

    fn facts(&self, automaton: &Automaton, budget: &Budget) -> Option<Baseline> {
        Baseline::of(automaton, self.n_known_actions, self.semantics, budget)
            .ok()
            .flatten()
    }

    fn contained(baseline: Option<&Baseline>, mutant: &Automaton, budget: &Budget) -> Option<Containment> {
        baseline?.contains(mutant, budget).ok().flatten()
    }

    /// The facts about `parent`, the automaton that the shared mutations yield.
    pub fn shared(&self, parent: &Automaton, budget: &Budget) -> SharedMutationFacts {
        SharedMutationFacts {
            contained: Self::contained(self.baseline.as_ref(), parent, budget)
                .filter(|reason| *reason != Containment::Inconsistent),
            baseline: self.facts(parent, budget),
        }
    }

    /// The reason why the guidelines name `mutant`; `None` if they do not.
    pub fn name(
        &self,
        mutant: &Automaton,
        shared: Option<&SharedMutationFacts>,
        steps: NamedSteps,
        budget: &Budget,
    ) -> Option<Containment> {
        let direct = Self::contained(self.baseline.as_ref(), mutant, budget);
        let Some(shared) = shared else { return direct };
        let by_steps = || {
            if !steps.shared && shared.contained.is_none() {
                return None;
            }
            // The check of the last mutation comes first: this mutation is what distinguishes the mutant from its
            // siblings.
            Self::contained(shared.baseline.as_ref(), mutant, budget).or(shared.contained.filter(|_| steps.last))
        };
        direct.or_else(by_steps)
    }
}
