//! Mutants of an action system that are to be killed.

use super::compare::{ActionVerdicts, CompareError, Killed, compare};
use super::observed::{Alphabet, View, observed};
use super::steps::Open;
use super::system::ActionSystem;
use crate::explicit::TransitionSystem;
use crate::pair::Pair;
use crate::testing::{SystemFate, WantedKill, fate_of};
use crate::verdict::{Verdicts, decide};
use tamper_text::Budget;

/// An action system, prepared for testing its mutants.
#[derive(Clone, Debug)]
pub struct ActionBench {
    /// The action system from which the mutants are made.
    pub original: ActionSystem,
    /// The actions and classes of values that tests tell apart.
    pub alphabet: Alphabet,
    /// The original as a specification of events.
    events: TransitionSystem,
    /// The original as a specification of outputs and silences.
    outputs: TransitionSystem,
}

impl ActionBench {
    /// Prepares tests for mutants of `original` whose actions `alphabet` tells apart.
    ///
    /// # Errors
    /// A limit was hit.
    pub fn new(original: &ActionSystem, alphabet: Alphabet, budget: &Budget) -> Result<Self, Open> {
        let view = |view| observed(original, &alphabet, view, budget);
        Ok(Self {
            events: view(View::Events)?,
            outputs: view(View::Outputs)?,
            original: original.clone(),
            alphabet,
        })
    }
    /// The original or a mutant as the system under test.
    ///
    /// # Errors
    /// A limit was hit.
    pub fn subject(&self, system: &ActionSystem, budget: &Budget) -> Result<TransitionSystem, Open> {
        observed(system, &self.alphabet, View::Subject, budget)
    }
    /// The states of a mutant as a tester meets them, and its fate; with a test made for it if one is `wanted`.
    ///
    /// # Errors
    /// It cannot be compared with the original.
    pub fn judge(
        &self,
        mutant: &ActionSystem,
        wanted: Option<WantedKill>,
        budget: &Budget,
    ) -> Result<(Option<TransitionSystem>, SystemFate), CompareError> {
        let verdicts = compare(mutant, &self.original, budget)?;
        let states = match self.subject(mutant, budget) {
            Ok(states) => states,
            Err(open) => return Ok((None, SystemFate::Unknown(open.to_string()))),
        };
        let Some((relation, specification)) = self.relation(&verdicts) else {
            let fate = match (verdicts.open(), verdicts.state.known()) {
                (Some(open), _) => SystemFate::Unknown(open.to_string()),
                (None, Some(true)) => SystemFate::Untestable,
                (None, _) => SystemFate::Equivalent,
            };
            return Ok((Some(states), fate));
        };
        let fate = match Pair::new(&states, specification) {
            Ok(pair) => fate_of(&pair, &decide(&pair, budget), Some(relation), wanted, budget),
            Err(error) => SystemFate::Refused(error.to_string()),
        };
        Ok((Some(states), fate))
    }
    /// The relation that a test can decide, with the states of the original for it: `event` if some event is new, else
    /// `ioco` if an output or a silence is new.
    fn relation(&self, verdicts: &ActionVerdicts) -> Option<(&'static str, &TransitionSystem)> {
        match (&verdicts.event, &verdicts.ioco) {
            (Killed::Yes(_), _) => Some(("event", &self.events)),
            (_, Killed::Yes(_)) => Some(("ioco", &self.outputs)),
            _ => None,
        }
    }
    /// The verdicts of both relations by way of transition systems: an independent check of [`compare`].
    ///
    /// # Errors
    /// A limit was hit.
    pub fn by_states(&self, mutant: &ActionSystem, budget: &Budget) -> Result<[Verdicts; 2], Open> {
        let states = self.subject(mutant, budget)?;
        let decided = |specification| match Pair::new(&states, specification) {
            Ok(pair) => Ok(decide(&pair, budget)),
            Err(_) => Err(Open::Parameter),
        };
        Ok([decided(&self.events)?, decided(&self.outputs)?])
    }
}
