//! Errors of this crate: reasons for which a question about tests has no answer.

use tamper_features::SolverFailure;
use tamper_game::GameError;
use tamper_game::symbolic::Halt;
use tamper_text::StopReason;

/// The reason for which a question about tests has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SuiteFailure {
    /// A game has no meaning.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A limit of the search was hit.
    #[error("{0}")]
    Stopped(StopReason),
    /// The game has no initial state.
    #[error("`{automaton}` has no state: its initial invariant does not hold at the start")]
    NoInitialState {
        /// The name of the game without an initial state.
        automaton: String,
    },
    /// All runs of the subject are runs of the specification, which is known without making the subject.
    #[error("the specification allows every run of it")]
    Allowed,
    /// The specification can do one observable thing in two ways, so that no single state says what it allows.
    #[error(
        "the specification is not deterministic: edges {} and {} can both be taken; no tests are made from such a specification, \
        but `tamper run --strategy adaptive` tests a program against it",
        .edges.0, .edges.1
    )]
    NonDeterministic {
        /// The two edges that can be taken at the same time.
        edges: (String, String),
    },
    /// The bounds of a test are fractions too fine to be compared exactly.
    #[error("the bounds of test {test} are too fine or too large")]
    TooFine {
        /// The id of the test.
        test: String,
    },
    /// The times of a log are fractions too fine, or numbers too large, to be compared exactly.
    #[error("the times of the log are too fine or too large")]
    TraceTooFine,
    /// The SAT solver gave up.
    #[error(transparent)]
    Solver(#[from] SolverFailure),
    /// A constant of a game becomes too large in the unit of time of a test.
    #[error("a constant of the game is too large in the test's unit of time")]
    ConstantTooLarge,
    /// The subject of the tests has no meaning: a network without a composition.
    #[error("{reason}")]
    Invalid {
        /// The reason for which it has no meaning.
        reason: String,
    },
    /// Tests cannot be made for this subject.
    #[error("{reason}")]
    Unsupported {
        /// The reason for which there can be no tests.
        reason: String,
    },
}

impl SuiteFailure {
    /// The limit that was hit, if nothing else is wrong.
    pub fn limit(&self) -> Option<StopReason> {
        match self {
            Self::Stopped(reason) => Some(*reason),
            Self::Game(error) => error.limit(),
            Self::Solver(failure) => failure.reason(),
            _ => None,
        }
    }
    /// Whether no test can fail on the subject.
    pub fn cannot_be_killed(&self) -> bool {
        matches!(self, Self::NoInitialState { .. } | Self::Allowed)
    }
    /// Whether a game has no meaning; other errors tell nothing about the game.
    pub fn is_invalid(&self) -> bool {
        match self {
            Self::Game(error) => error.is_invalid(),
            Self::Invalid { .. } => true,
            _ => false,
        }
    }
}

impl From<Halt> for SuiteFailure {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped(reason) => Self::Stopped(reason),
            Halt::Error(error) => Self::Game(error),
        }
    }
}

impl From<StopReason> for SuiteFailure {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}
