//! The extended guidelines: what the zone graph of an automaton says about its mutants, without the refinement game.
//!
//! A mutant is named when the identity check ([`Baseline`]) finds it contained in the specification, or when each of
//! its mutations is named relative to the automaton it was applied to, by a published rule or by the check: refinement
//! is transitive.

use tamper_game::{Baseline, Containment, Semantics};
use tamper_text::Budget;
use tamper_timed::model::Automaton;

/// Which guidelines replace games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuidelineSet {
    /// Lemmata 1 to 7 of \[003\].
    #[default]
    Published,
    /// These and the identity check on zone graphs.
    Extended,
}

/// The extended guidelines for the mutants of one specification.
#[derive(Debug)]
pub(super) struct Extended {
    n_known_actions: usize,
    semantics: Semantics,
    baseline: Option<Baseline>,
}

/// What the extended guidelines need to know about the mutations that several mutants share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// Why the automaton that they give refines the specification. An inconsistent one does not: there may be no state in it
    /// that its own mutants, which need not be inconsistent, could refine.
    contained: Option<Containment>,
    /// The facts about the automaton that it gives.
    baseline: Option<Baseline>,
}

/// A mutation step's own findings: is it named by a published rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    /// All shared mutations are (true when there is none).
    pub shared: bool,
    /// The last mutation is.
    pub last: bool,
}

impl Extended {
    /// Explores `specification`. A game without a meaning has no mutants that are named.
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

    /// The facts about `parent`, the automaton that the shared mutations give.
    pub fn shared(&self, parent: &Automaton, budget: &Budget) -> Shared {
        Shared {
            contained: Self::contained(self.baseline.as_ref(), parent, budget)
                .filter(|reason| *reason != Containment::Inconsistent),
            baseline: self.facts(parent, budget),
        }
    }

    /// Why `mutant` is named, if it is.
    pub fn name(
        &self,
        mutant: &Automaton,
        shared: Option<&Shared>,
        steps: Steps,
        budget: &Budget,
    ) -> Option<Containment> {
        let direct = Self::contained(self.baseline.as_ref(), mutant, budget);
        let Some(shared) = shared else { return direct };
        let by_steps = || {
            if !steps.shared && shared.contained.is_none() {
                return None;
            }
            // The last mutation first: it is what this mutant adds.
            Self::contained(shared.baseline.as_ref(), mutant, budget).or(shared.contained.filter(|_| steps.last))
        };
        direct.or_else(by_steps)
    }
}
