//! Why a question about tests has no answer.

use crate::features::SolverFailure;
use crate::game::GameError;
use crate::symbolic::Halt;
use crate::text::StopReason;

/// Why a question about tests has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SuiteFailure {
    /// A game has no meaning.
    Game(GameError),
    /// A limit was hit.
    Stopped(StopReason),
    /// The game has no initial state.
    NoInitialState {
        /// The game.
        automaton: String,
    },
    /// The specification may do one observable thing in two ways, so that no single state says what it allows.
    NonDeterministic {
        /// The edges that can both be taken.
        edges: (String, String),
    },
    /// The bounds of a test are fractions too fine to be compared exactly.
    TooFine {
        /// The test.
        test: String,
    },
    /// The SAT solver gave up.
    Solver(SolverFailure),
    /// A constant of a game becomes too large in the unit of time of a test.
    ConstantTooLarge,
    /// What should be tested has no meaning: a network without a composition.
    Invalid {
        /// Why it has none.
        reason: String,
    },
    /// What should be tested is nothing that tests can be made for.
    Unsupported {
        /// Why not.
        reason: String,
    },
}

impl SuiteFailure {
    /// Whether the game that was asked about has no meaning; else nothing is known of it.
    pub fn is_invalid(&self) -> bool {
        match self {
            Self::Game(error) => error.is_invalid(),
            Self::Invalid { .. } => true,
            _ => false,
        }
    }
}

impl std::fmt::Display for SuiteFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Game(error) => error.fmt(f),
            Self::Stopped(reason) => reason.fmt(f),
            Self::NoInitialState { automaton } => {
                write!(
                    f,
                    "`{automaton}` has no state: its initial invariant does not hold at the start"
                )
            }
            Self::NonDeterministic { edges: (first, second) } => write!(
                f,
                "the specification is not deterministic: edges {first} and {second} can both be taken; no tests are made from such a specification"
            ),
            Self::TooFine { test } => write!(f, "the bounds of test {test} are too fine or too large"),
            Self::Solver(error) => error.fmt(f),
            Self::Invalid { reason } | Self::Unsupported { reason } => f.write_str(reason),
            Self::ConstantTooLarge => f.write_str("a constant of the game is too large in the test's unit of time"),
        }
    }
}

impl std::error::Error for SuiteFailure {}

impl From<Halt> for SuiteFailure {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped(reason) => Self::Stopped(reason),
            Halt::Error(error) => Self::Game(error),
        }
    }
}

impl From<GameError> for SuiteFailure {
    fn from(error: GameError) -> Self {
        Self::Game(error)
    }
}

impl From<SolverFailure> for SuiteFailure {
    fn from(error: SolverFailure) -> Self {
        Self::Solver(error)
    }
}

impl From<StopReason> for SuiteFailure {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}
