//! The path of a counterexample, tried on another mutant and another specification (`docs/notes/0020-since.md`).
//!
//! Nothing is taken over but a guess, what the spoiler does: both games are played with exact numbers, whatever the answers. What
//! wins is a counterexample, whoever found it and for which model.

use std::sync::Arc;

use num_rational::BigRational;

use super::concrete::{ConcreteGame, ConsistentStates};
use super::replay::{ReplayError, Replayer};
use super::specification::{Specification, consistent_arena};
use super::witness::{GamePoint, PairPoint, Side};
use tamper_text::Budget;
use tamper_timed::model::{Action, Automaton, Role, Urgency};

/// Most states of both games that one trial looks at: where answers are many, a path may lead to very many.
const MOST_POINTS: u32 = 4096;

/// What the spoiler does, as long as it is answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// Its demands, in order.
    pub steps: Vec<PathStep>,
    /// A delay behind the last one, which the mutant makes and the specification does not allow.
    pub delay: Option<BigRational>,
}

/// A delay and an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// Time that passes first, in time units.
    pub delay: BigRational,
    /// The action as it is shown, with its mark.
    pub action: String,
}

/// A specification that paths are tried on.
#[derive(Debug)]
pub struct Retrial {
    /// None where games are not pruned.
    consistent: Option<Arc<ConsistentStates>>,
}

impl Retrial {
    /// Of mutants of this specification.
    pub fn new(specification: &Specification) -> Self {
        let is_pruned = specification.semantics().prune;
        Self {
            consistent: is_pruned.then(|| ConsistentStates::of(specification.arena().clone())),
        }
    }

    /// Whether a spoiler who follows `path` wins, whatever the answers: then the mutant is consistent, and does not refine the
    /// specification. If not, or where a limit was hit or a game has no meaning, nothing is known.
    pub fn wins(&self, specification: &Specification, mutant: &Automaton, path: &Path, budget: &Budget) -> bool {
        let semantics = specification.semantics();
        // Lowered also where it is not pruned: that finds what gives a mutant no meaning, on whatever run.
        let Ok(Some(arena)) = consistent_arena(mutant, semantics.prune, budget) else {
            return false;
        };
        let consistent = semantics.prune.then(|| ConsistentStates::of(arena));
        let trial = Trial {
            replayer: Replayer {
                mutant: ConcreteGame::within(mutant, consistent),
                spec: ConcreteGame::within(specification.automaton(), self.consistent.clone()),
                mutant_automaton: mutant,
                spec_automaton: specification.automaton(),
                semantics,
            },
            path,
        };
        let start = trial.replayer.initial();
        start.is_ok_and(|start| trial.wins(&start, 0, &mut { MOST_POINTS }).unwrap_or(false))
    }
}

struct Trial<'a> {
    replayer: Replayer<'a>,
    path: &'a Path,
}

impl Trial<'_> {
    /// Whether the spoiler wins from `at` with the steps from that position on; `left` are the points that may still be looked at.
    fn wins(&self, at: &PairPoint, position: usize, left: &mut u32) -> Result<bool, ReplayError> {
        let Some(fewer) = left.checked_sub(1) else {
            return Ok(false);
        };
        *left = fewer;
        let games = &self.replayer;
        let step = self.path.steps.get(position);
        let Some(delay) = step.map(|step| &step.delay).or(self.path.delay.as_ref()) else {
            return Ok(false);
        };
        if !games.mutant.can_delay(&at.mutant, delay)? {
            return Ok(false);
        }
        if !games.spec.can_delay(&at.spec, delay)? {
            return Ok(true);
        }
        if step.is_none() {
            return Ok(false);
        }
        let later = PairPoint {
            mutant: at.mutant.later(delay),
            spec: at.spec.later(delay),
        };
        Ok(self.wins_by(Side::Mutant, &later, position, left)?
            || self.wins_by(Side::Specification, &later, position, left)?)
    }

    /// Whether one of the moves of `mover` with the step's action wins at `at`: the mutant's outputs and internal steps, the
    /// specification's inputs, which are not compared in the middle of an atomic step.
    fn wins_by(&self, mover: Side, at: &PairPoint, position: usize, left: &mut u32) -> Result<bool, ReplayError> {
        let step = &self.path.steps[position];
        let games = &self.replayer;
        let refuses_nothing = |side: Side, at: &GamePoint| {
            let game = games.game(side).1;
            game.is_atomic() && game.locations()[at.location].urgency == Urgency::Committed
        };
        if mover == Side::Specification
            && (refuses_nothing(Side::Mutant, &at.mutant) || refuses_nothing(mover, &at.spec))
        {
            return Ok(false);
        }
        let mut actions = games.game(mover).1.actions().iter();
        let is_its = |action: &&Action| {
            (action.role == Role::Input) == (mover == Side::Specification) && action.to_string() == step.action
        };
        let Some(action) = actions.find(is_its) else {
            return Ok(false);
        };
        let (own, other) = match mover {
            Side::Mutant => (&at.mutant, Side::Specification),
            Side::Specification => (&at.spec, Side::Mutant),
        };
        let from = if other == Side::Mutant { &at.mutant } else { &at.spec };
        let answers = games.answers(other, from, action)?;
        for found in games.moves(mover, own, action)? {
            let mut all_lose = true;
            for (_, answer) in &answers {
                let (mutant, spec) = match mover {
                    Side::Mutant => (found.target.clone(), answer.clone()),
                    Side::Specification => (answer.clone(), found.target.clone()),
                };
                all_lose &= self.wins(&PairPoint { mutant, spec }, position + 1, left)?;
            }
            if all_lose {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
