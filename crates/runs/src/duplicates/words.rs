//! Timed words, and the length to which games follow them.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed as _, Zero as _};

use crate::plans::sample::below;
use tamper_features::Random;
use tamper_game::{ConcreteGame, ConcreteState};
use tamper_timed::model::{Automaton, EvalError};

/// Largest number of steps in a word.
const MAX_STEPS: u64 = 12;

/// A delay followed by an action, given by its label.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct TimedAction {
    delay: BigRational,
    action: String,
}

/// A timed word.
pub(super) type TimedWord = Vec<TimedAction>;

/// A random walk through `game`. Delays aim at the constants of the game and their neighbours.
pub(super) fn walk(game: &WalkGame<'_>, random: &mut Random) -> Result<TimedWord, EvalError> {
    let mut word = TimedWord::new();
    let Some(mut state) = game.game.initial()? else {
        return Ok(word);
    };
    for _ in 0..MAX_STEPS {
        let Some((step, next)) = game.random_step(&state, random)? else {
            break;
        };
        word.push(step);
        state = next;
    }
    Ok(word)
}

/// A game with the constants that walks aim at.
pub(super) struct WalkGame<'a> {
    automaton: &'a Automaton,
    game: ConcreteGame<'a>,
    constants: Vec<i64>,
}

impl<'a> WalkGame<'a> {
    pub fn new(automaton: &'a Automaton, game: ConcreteGame<'a>) -> Self {
        let guards = automaton.edges().iter().map(|edge| &edge.guard);
        let guards = guards.chain(automaton.locations().iter().map(|location| &location.invariant));
        let bounds = guards.flat_map(|guard| guard.clocks.iter().filter_map(|atom| atom.bound.as_const()));
        let constants: BTreeSet<i64> = bounds.collect();
        Self {
            automaton,
            game,
            constants: constants.into_iter().collect(),
        }
    }

    /// A random step that is possible in `state`: half of the aimed delays lie on a constant, the others half a unit
    /// beside it.
    fn random_step(
        &self,
        state: &ConcreteState,
        random: &mut Random,
    ) -> Result<Option<(TimedAction, ConcreteState)>, EvalError> {
        // Several tries, since a delay may lead to a state without moves.
        for _ in 0..6 {
            let delay = self.random_delay(state, random);
            if !self.game.can_delay(state, &delay)? {
                continue;
            }
            let later = delayed(state, &delay);
            let moves = self.game.moves(&later)?;
            if moves.is_empty() {
                continue;
            }
            let chosen = &moves[position(random, moves.len())];
            let action = self.automaton.actions()[chosen.action].to_string();
            return Ok(Some((TimedAction { delay, action }, chosen.target.clone())));
        }
        Ok(None)
    }

    fn random_delay(&self, state: &ConcreteState, random: &mut Random) -> BigRational {
        let halves = |n: i64| BigRational::new(BigInt::from(n), BigInt::from(2));
        if self.constants.is_empty() || state.clocks.is_empty() || below(random, 4) == 0 {
            return halves(i64::from(below(random, 3) == 0));
        }
        let constant = self.constants[position(random, self.constants.len())];
        let clock = &state.clocks[position(random, state.clocks.len())];
        let aim = halves(2 * constant + [0, 0, 1, -1][position(random, 4)]) - clock;
        if aim.is_negative() { BigRational::zero() } else { aim }
    }

    /// The length to which the game, which must be deterministic, follows `word`: twice the number of steps done, plus
    /// one if the game then makes the delay but not the action.
    pub fn follow(&self, word: &TimedWord) -> Result<u8, EvalError> {
        let Some(mut state) = self.game.initial()? else {
            return Ok(0);
        };
        let mut done = 0;
        for step in word {
            if !self.game.can_delay(&state, &step.delay)? {
                return Ok(done);
            }
            let later = delayed(&state, &step.delay);
            let label = |action| self.automaton.actions()[action].to_string();
            let moves = self.game.moves(&later)?;
            let Some(found) = moves.into_iter().find(|found| label(found.action) == step.action) else {
                return Ok(done + 1);
            };
            state = found.target;
            done += 2;
        }
        Ok(done)
    }
}

/// A random position in a list of length `len`, which must not be 0.
fn position(random: &mut Random, len: usize) -> usize {
    usize::try_from(below(random, len as u64)).unwrap_or(0)
}

fn delayed(state: &ConcreteState, delay: &BigRational) -> ConcreteState {
    ConcreteState {
        clocks: state.clocks.iter().map(|clock| clock + delay).collect(),
        ..state.clone()
    }
}
