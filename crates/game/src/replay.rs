//! Re-execution of a counterexample on both automata: it must be playable and complete, and end as claimed.

use num_rational::BigRational;
use num_traits::Signed;

use super::concrete::{ConcreteGame, ConcreteMove};
use super::product::has_name;
use super::semantics::{Semantics, Unmatched};
use super::witness::{Counterexample, Demand, Doing, End, GamePoint, PairPoint, Play, Side};
use crate::symbolic::GameError;
use tamper_text::Budget;
use tamper_timed::model::{Action, Automaton, EvalError, Role};

/// The reason why a counterexample is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// A game has no meaning, so nothing can be played.
    #[error("{0}")]
    Game(GameError),
    /// An expression has no value.
    #[error("{0}")]
    Evaluation(EvalError),
    /// A game has no (consistent) initial state, or the budget was hit.
    #[error("a game has no initial state to play from")]
    NoInitialState,
    /// The play does not start at the initial states, or a step does not start where the last one ended.
    #[error("a step does not start where the one before it ended")]
    Elsewhere,
    /// A delay that a game cannot make.
    #[error("the delay {} before {} is impossible", .0.delay, .0.action)]
    ImpossibleDelay(Box<Demand>),
    /// The mover cannot make its move.
    #[error("the move {} is impossible", .0.action)]
    ImpossibleMove(Box<Demand>),
    /// The listed answers are not the existing ones.
    #[error("the answers to {} are not those listed", .0.action)]
    WrongAnswers(Box<Demand>),
    /// The last delay is possible in the specification, or not in the mutant.
    #[error("the last delay {0} does not tell the games apart")]
    NoFailure(BigRational),
}

impl From<EvalError> for ReplayError {
    fn from(error: EvalError) -> Self {
        Self::Evaluation(error)
    }
}

impl From<GameError> for ReplayError {
    fn from(error: GameError) -> Self {
        Self::Game(error)
    }
}

/// Plays `counterexample` on both games under `semantics`.
///
/// # Errors
/// The first claim in it that is wrong.
pub fn replay(
    mutant: &Automaton,
    spec: &Automaton,
    semantics: Semantics,
    counterexample: &Counterexample,
) -> Result<(), ReplayError> {
    let budget = Budget::unlimited();
    let game = |automaton| ConcreteGame::new(automaton, semantics.prune, &budget);
    let replayer = Replayer {
        mutant: game(mutant)?.ok_or(ReplayError::NoInitialState)?,
        spec: game(spec)?.ok_or(ReplayError::NoInitialState)?,
        mutant_automaton: mutant,
        spec_automaton: spec,
        semantics,
    };
    replayer.play(&counterexample.play, replayer.initial()?)
}

/// A mutant and a specification, played side by side.
struct Replayer<'a> {
    mutant: ConcreteGame<'a>,
    spec: ConcreteGame<'a>,
    mutant_automaton: &'a Automaton,
    spec_automaton: &'a Automaton,
    semantics: Semantics,
}

impl Replayer<'_> {
    /// The initial states of both games.
    fn initial(&self) -> Result<PairPoint, ReplayError> {
        Ok(PairPoint {
            mutant: self.mutant.initial()?.ok_or(ReplayError::NoInitialState)?,
            spec: self.spec.initial()?.ok_or(ReplayError::NoInitialState)?,
        })
    }

    fn play(&self, play: &Play, start: PairPoint) -> Result<(), ReplayError> {
        let mut at = start;
        for (position, step) in play.steps.iter().enumerate() {
            let next = match play.steps.get(position + 1) {
                Some(step) => &step.demand.from,
                None => play.end.from(),
            };
            let listed = [(step.answer, next)];
            self.demand(&at, &step.demand, &listed)?;
            at = next.clone();
        }
        match &play.end {
            End::NoAnswer(demand) => self.demand(&at, demand, &[]),
            End::Branch(demand, branches) => {
                let listed: Vec<_> = branches.iter().map(|(doing, play)| (*doing, play.start())).collect();
                self.demand(&at, demand, &listed)?;
                branches
                    .iter()
                    .try_for_each(|(_, play)| self.play(play, play.start().clone()))
            }
            End::NoDelay { from, delay, .. } => {
                if *from != at {
                    return Err(ReplayError::Elsewhere);
                }
                let fails = delay.is_positive()
                    && self.mutant.can_delay(&at.mutant, delay)?
                    && !self.spec.can_delay(&at.spec, delay)?;
                if fails {
                    Ok(())
                } else {
                    Err(ReplayError::NoFailure(delay.clone()))
                }
            }
        }
    }

    /// Checks that `demand` can be made at `at` and that its answers lead exactly to `listed`.
    fn demand(&self, at: &PairPoint, demand: &Demand, listed: &[(Doing, &PairPoint)]) -> Result<(), ReplayError> {
        if demand.from != *at {
            return Err(ReplayError::Elsewhere);
        }
        let delay = &demand.delay;
        if !self.mutant.can_delay(&at.mutant, delay)? || !self.spec.can_delay(&at.spec, delay)? {
            return Err(ReplayError::ImpossibleDelay(Box::new(demand.clone())));
        }
        let PairPoint { mutant, spec } = at.later(demand);
        let (own, other, other_at) = match demand.mover {
            Side::Mutant => (
                self.moves(Side::Mutant, &mutant, &demand.action)?,
                Side::Specification,
                &spec,
            ),
            Side::Specification => (
                self.moves(Side::Specification, &spec, &demand.action)?,
                Side::Mutant,
                &mutant,
            ),
        };
        let answers = self.answers(other, other_at, &demand.action)?;
        let right_role = (demand.action.role == Role::Input) == (demand.mover == Side::Specification);
        let made = own.iter().filter(|found| found.doing == demand.doing);
        // An edge with selects may lead to several states: the mover chose one that all listed answers start from.
        let leads_to = |found: &&ConcreteMove| listed.iter().all(|(_, next)| *side(next, demand.mover) == found.target);
        if !right_role || !made.clone().any(|found| leads_to(&found)) {
            return Err(ReplayError::ImpossibleMove(Box::new(demand.clone())));
        }
        let is_listed = |state: &GamePoint| listed.iter().any(|(_, next)| side(next, other) == state);
        let exists = |(doing, next): &(Doing, &PairPoint)| {
            answers
                .iter()
                .any(|(known, state)| known == doing && side(next, other) == state)
        };
        if answers.iter().all(|(_, state)| is_listed(state)) && listed.iter().all(exists) {
            Ok(())
        } else {
            Err(ReplayError::WrongAnswers(Box::new(demand.clone())))
        }
    }

    /// The moves of one side with this action.
    fn moves(&self, who: Side, at: &GamePoint, action: &Action) -> Result<Vec<ConcreteMove>, ReplayError> {
        let (game, automaton) = self.game(who);
        let mut moves = game.moves(at)?;
        moves.retain(|found| same_action(&automaton.actions()[found.action], action));
        Ok(moves)
    }

    /// The answers of one side to this action of the other one, with the states that they lead to.
    fn answers(&self, who: Side, at: &GamePoint, action: &Action) -> Result<Vec<(Doing, GamePoint)>, ReplayError> {
        let (_, automaton) = self.game(who);
        if !has_name(automaton.actions().iter(), action)
            && action.role != Role::Internal
            && self.semantics.unmatched == Unmatched::Ignore
        {
            return Ok(vec![(Doing::Stays, at.clone())]);
        }
        let moves = self.moves(who, at, action)?;
        Ok(moves.into_iter().map(|found| (found.doing, found.target)).collect())
    }

    /// The game and the automaton of one side.
    fn game(&self, who: Side) -> (&ConcreteGame<'_>, &Automaton) {
        match who {
            Side::Mutant => (&self.mutant, self.mutant_automaton),
            Side::Specification => (&self.spec, self.spec_automaton),
        }
    }
}

fn same_action(a: &Action, b: &Action) -> bool {
    a.name == b.name && a.role == b.role
}

fn side(point: &PairPoint, who: Side) -> &GamePoint {
    match who {
        Side::Mutant => &point.mutant,
        Side::Specification => &point.spec,
    }
}

impl End {
    /// The states it starts from.
    pub fn from(&self) -> &PairPoint {
        match self {
            Self::NoAnswer(demand) | Self::Branch(demand, _) => &demand.from,
            Self::NoDelay { from, .. } => from,
        }
    }
}

impl Play {
    /// The states it starts from.
    pub fn start(&self) -> &PairPoint {
        self.steps
            .first()
            .map_or_else(|| self.end.from(), |step| &step.demand.from)
    }
}
