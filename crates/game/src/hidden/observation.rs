//! An observation that tells a mutant from its specification, and its execution on the automaton itself.

use std::fmt::Write as _;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, ToPrimitive as _};

use super::estimate::{Estimate, Estimator};
use crate::concrete::{ConcreteGame, ConcreteState};
use crate::product::has_name;
use crate::semantics::Unmatched;
use crate::specification::Specification;
use crate::symbolic::GameError;
use crate::witness::Doing;
use tamper_text::Budget;
use tamper_timed::model::{Action, ActionId, Automaton, Role, Urgency};

/// A run of the mutant that no run of the specification looks like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The steps of the mutant, which the specification can match.
    pub steps: Vec<SeenStep>,
    /// The end of the run, which the specification cannot match.
    pub difference: Difference,
}

/// A step of the mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenStep {
    /// Time that passes first, in time units.
    pub delay: BigRational,
    /// The observed action; `None` for a hidden step.
    pub action: Option<Action>,
    /// The step that the mutant makes.
    pub doing: Doing,
}

/// The end of a run that tells the games apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The mutant makes an output that the specification cannot make, wherever it may be.
    Output {
        /// The time that passes before the output.
        delay: BigRational,
        /// The output that the specification cannot give.
        action: Action,
        /// The edge of the mutant that gives it.
        doing: Doing,
    },
    /// The mutant refuses an input that the specification accepts wherever it may be.
    Refused {
        /// The time that passes before the input.
        delay: BigRational,
        /// The input that the mutant refuses.
        action: Action,
    },
    /// The mutant stays silent for longer than the specification can.
    Delay {
        /// The delay that the specification does not allow.
        delay: BigRational,
    },
}

impl std::fmt::Display for Observation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::new();
        for SeenStep { delay, action, .. } in &self.steps {
            match action {
                Some(action) => write!(text, "+{delay} {action}; ")?,
                None => write!(text, "+{delay} (hidden); ")?,
            }
        }
        match &self.difference {
            Difference::Output { delay, action, .. } => write!(text, "+{delay} {action} is not allowed")?,
            Difference::Refused { delay, action } => write!(text, "+{delay} {action} is refused")?,
            Difference::Delay { delay } => write!(text, "+{delay}: the delay is not allowed")?,
        }
        f.write_str(&text)
    }
}

impl Observation {
    fn delays(&self) -> impl Iterator<Item = &BigRational> {
        let last = match &self.difference {
            Difference::Output { delay, .. } | Difference::Refused { delay, .. } | Difference::Delay { delay } => delay,
        };
        self.steps.iter().map(|step| &step.delay).chain([last])
    }

    /// Whether the run is one of `mutant` and tells it from the specification: executed on the automaton with exact numbers,
    /// beside the states in which the specification may be. `false` also when the budget does not suffice.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn confirm(&self, spec: &Specification, mutant: &Automaton, budget: &Budget) -> Result<bool, GameError> {
        let factor = self.delays().fold(BigInt::one(), |all, delay| all.lcm(delay.denom()));
        let arena = factor.to_i64().and_then(|factor| spec.arena().scaled(factor));
        let (Some(arena), Some(game)) = (arena, ConcreteGame::new(mutant, spec.semantics().prune, budget)?) else {
            return Ok(false);
        };
        let run = Execution {
            factor,
            mutant,
            game,
            spec,
            estimator: Estimator::new(&arena, false, budget, u64::MAX),
        };
        Ok(run.confirms(self).is_some())
    }
}

/// Executes one observation; `None` is a step that does not take place.
struct Execution<'a> {
    /// Units of the estimator per unit of time.
    factor: BigInt,
    mutant: &'a Automaton,
    game: ConcreteGame<'a>,
    spec: &'a Specification,
    estimator: Estimator<'a>,
}

/// The state of the mutant and the possible states of the specification after a part of an observation.
struct Both {
    mutant: ConcreteState,
    specification: Estimate,
}

impl Execution<'_> {
    fn confirms(mut self, observation: &Observation) -> Option<()> {
        let mut at = Both {
            mutant: self.game.initial().ok()??,
            specification: self.estimator.start().ok()?,
        };
        for step in &observation.steps {
            at = self.wait(at, &step.delay)?;
            at = self.step(at, step.action.as_ref(), step.doing)?;
            (!at.specification.is_empty()).then_some(())?;
        }
        match &observation.difference {
            Difference::Delay { delay } => self.wait(at, delay)?.specification.is_empty().then_some(()),
            Difference::Output { delay, action, doing } => {
                let at = self.wait(at, delay)?;
                (!at.specification.is_empty() && action.role == Role::Output).then_some(())?;
                let at = self.step(at, Some(action), *doing)?;
                at.specification.is_empty().then_some(())
            }
            Difference::Refused { delay, action } => {
                let at = self.wait(at, delay)?;
                let is_asked = !at.specification.is_empty() && self.accepts(&at.specification, action);
                (is_asked && self.refuses(at.mutant, action)?).then_some(())
            }
        }
    }

    fn wait(&mut self, at: Both, delay: &BigRational) -> Option<Both> {
        self.game.can_delay(&at.mutant, delay).ok()?.then_some(())?;
        let span = (delay * BigRational::from_integer(self.factor.clone()))
            .to_integer()
            .to_i64()?;
        Some(Both {
            mutant: at.mutant.later(delay),
            specification: self.estimator.after_delay(&at.specification, span).ok()?,
        })
    }

    /// The specification's id of the action, if it knows the action.
    fn known(&self, action: &Action) -> Option<ActionId> {
        let mut known = self.spec.automaton().actions().iter_enumerated();
        let (id, _) = known.find(|(_, other)| other.name == action.name && other.role == action.role)?;
        Some(id)
    }

    fn step(&mut self, at: Both, action: Option<&Action>, doing: Doing) -> Option<Both> {
        let Both {
            mutant: state,
            specification: estimate,
        } = at;
        let ignores = |game: &Automaton, action: &Action| {
            self.spec.semantics().unmatched == Unmatched::Ignore && !has_name(game.actions().iter(), action)
        };
        let moves = self.game.moves(&state).ok()?;
        let same = |id| match (&self.mutant.actions()[id], action) {
            (own, Some(action)) => own.name == action.name && own.role == action.role,
            (own, None) => own.role == Role::Internal,
        };
        let answers: Vec<_> = moves.into_iter().filter(|found| same(found.action)).collect();
        let target = match answers.iter().find(|found| found.doing == doing) {
            Some(found) => found.target.clone(),
            None if doing == Doing::Stays && action.is_some_and(|action| ignores(self.mutant, action)) => state.clone(),
            None => return None,
        };
        let Some(action) = action else {
            return Some(Both {
                mutant: target,
                specification: estimate,
            });
        };
        if action.role == Role::Input {
            let has_one_answer = answers.iter().all(|found| found.target == target);
            let is_compared = !self.is_atomic(&state) && self.accepts(&estimate, action);
            (has_one_answer && is_compared).then_some(())?;
        }
        let specification = match self.known(action) {
            Some(known) => self.estimator.after_action(&estimate, known).ok()?,
            None if ignores(self.spec.automaton(), action) => estimate,
            None => Estimate::default(),
        };
        Some(Both {
            mutant: target,
            specification,
        })
    }

    fn accepts(&self, estimate: &Estimate, input: &Action) -> bool {
        self.known(input)
            .is_some_and(|known| self.estimator.accepts(estimate, known))
    }

    /// Whether a committed location of the mutant makes it an atomic step.
    fn is_atomic(&self, state: &ConcreteState) -> bool {
        self.mutant.is_atomic() && self.mutant.locations()[state.location].urgency == Urgency::Committed
    }

    /// Whether the mutant refuses the input, even after hidden steps that take no time.
    fn refuses(&self, state: ConcreteState, input: &Action) -> Option<bool> {
        let mut known = vec![state];
        let mut at = 0;
        while let Some(state) = known.get(at).cloned() {
            at += 1;
            if self.is_atomic(&state) {
                return Some(false);
            }
            for found in self.game.moves(&state).ok()? {
                let action = &self.mutant.actions()[found.action];
                if action.role == Role::Internal {
                    if !known.contains(&found.target) {
                        known.push(found.target);
                    }
                } else if action.name == input.name && action.role == input.role {
                    return Some(false);
                }
            }
        }
        Some(true)
    }
}
