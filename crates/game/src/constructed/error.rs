//! Errors in the construction of games.

use crate::symbolic::{GameError, Halt};
use tamper_text::StopReason;

/// The reason why a game cannot be constructed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConstructionError {
    /// A part of a quotient has an action that the whole does not have, or has in the other direction.
    #[error(
        "in a quotient `{part}` may only have actions of `{whole}`, its outputs among the outputs, but it has `{action}`; \
         `refine --semantics tiga` reads `{whole}` as a game that ignores what it does not know"
    )]
    Alphabets {
        /// The name of the game on the left of the sign.
        whole: String,
        /// The name of the game on its right.
        part: String,
        /// The action, with its sign.
        action: String,
    },
    /// A game of a quotient has internal steps.
    #[error("`{0}` has internal steps, for which the quotient is not defined")]
    Internal(String),
    /// A game of a quotient has an urgent channel.
    #[error("the channel `{0}` is urgent, which is not supported in expressions")]
    Urgent(String),
    /// A game of a quotient refuses inputs instead of ignoring them.
    #[error(
        "`{0}` refuses inputs that no edge accepts; a quotient is about games that ignore them: give it an IO \
        line, or use --input-enabling on"
    )]
    RefusesInputs(String),
    /// A game of a quotient is not deterministic.
    #[error(
        "`{game}` is not deterministic: {edges} can both be taken; the quotient is defined for deterministic games only"
    )]
    NonDeterministic {
        /// The name of the game.
        game: String,
        /// Two edges that overlap.
        edges: String,
    },
    /// The game has no consistent initial state.
    #[error("`{0}` is inconsistent: it cannot avoid a state where time is stopped and it has no output")]
    Inconsistent(String),
    /// The consistent states of a location are no conjunction of bounds.
    #[error(
        "`{game}` has inconsistent states in `{location}`, and what is left of the location is no conjunction of \
        bounds, which the invariant of an automaton has to be"
    )]
    NoInvariant {
        /// The name of the game.
        game: String,
        /// The name of the location.
        location: String,
    },
    /// A game has no meaning.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A limit was hit.
    #[error("not within the limits: {0}")]
    Stopped(StopReason),
}

impl ConstructionError {
    /// The limit that was hit, if nothing else is wrong.
    pub fn limit(&self) -> Option<StopReason> {
        match self {
            Self::Stopped(reason) => Some(*reason),
            Self::Game(error) => error.limit(),
            _ => None,
        }
    }
}

impl From<Halt> for ConstructionError {
    fn from(halt: Halt) -> Self {
        match Halt::sorted::<()>(Err(halt)) {
            Err(error) => Self::Game(error),
            Ok(Err(reason)) => Self::Stopped(reason),
            Ok(Ok(())) => unreachable!("a halt is an error"),
        }
    }
}
