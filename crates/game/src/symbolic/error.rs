//! Errors of games without a verdict: they have no meaning, or none that is certain.

use tamper_text::StopReason;
use tamper_timed::model::EvalError;

/// Most values an integer expression may have when a clock difference is compared with it.
pub const MOST_DIAGONAL_VALUES: i64 = 64;
/// Most combinations of select values on one edge.
pub const MOST_SELECTS: u64 = 65_536;

/// The reason why a question about a game has no answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The specification's initial state is not consistent: no verdict against it means anything.
    #[error("the specification `{automaton}` is inconsistent: {}", lost(location.as_deref()))]
    SpecInconsistent {
        /// The name of the inconsistent automaton.
        automaton: String,
        /// A location in which time stops without an output; `None` if the game has no state at all.
        location: Option<String>,
    },
    /// The specification could not be analysed within the budget.
    #[error("the specification could not be analysed: {0}")]
    SpecUnknown(StopReason),
    /// An integer leaves its declared range on a transition that some run takes.
    #[error("edge {edge}, taken from state {state}, would give `{variable}` the value {value}, outside its range")]
    OutOfRange {
        /// The edge that leaves the range, as `source->target`.
        edge: String,
        /// The state from which the edge is taken.
        state: String,
        /// The variable.
        variable: String,
        /// The value that it would get.
        value: i64,
    },
    /// An expression has no value.
    #[error("{error} in {place}")]
    Evaluation {
        /// The place of the expression in the game.
        place: String,
        /// The reason for which it has no value.
        error: EvalError,
    },
    /// A clock is reset to a negative number.
    #[error("edge {edge} resets a clock to the negative value {value}")]
    NegativeReset {
        /// The edge that resets a clock, as `source->target`.
        edge: String,
        /// The negative value of the reset.
        value: i64,
    },
    /// A bound outside what zones represent exactly.
    #[error("the constant {value} in {place} is too large")]
    ConstantTooLarge {
        /// The place of the constant in the game.
        place: String,
        /// The constant that is too large.
        value: i64,
    },
    /// An edge on an urgent channel that is enabled only for some clock values of a state.
    #[error("edge {edge} is on an urgent channel but enabled for some clock values only; such edges are not supported")]
    UrgentDependsOnClocks {
        /// The edge with the urgent action, as `source->target`.
        edge: String,
    },
    /// A clock difference compared with an integer expression of too many values.
    #[error(
        "a clock difference in {place} is compared with an integer expression of more than {} values",
        MOST_DIAGONAL_VALUES
    )]
    DiagonalRange {
        /// The place of the comparison in the game.
        place: String,
    },
    /// More select combinations on one edge than are expanded.
    #[error("the select label of edge {edge} has more than {} combinations", MOST_SELECTS)]
    SelectTooLarge {
        /// The edge with the selection, as `source->target`.
        edge: String,
    },
}

fn lost(location: Option<&str>) -> String {
    match location {
        Some(location) => format!(
            "from its initial state it cannot avoid a state where time is stopped and it has no output, in {location} (give \
             it an output that is possible there before time ends, or a later end; --semantics definition takes games as \
             they are)"
        ),
        None => "the invariant of its initial location does not hold at the start".to_owned(),
    }
}

impl GameError {
    /// The limit that was hit, if nothing else is wrong.
    pub fn limit(&self) -> Option<StopReason> {
        match self {
            Self::SpecUnknown(reason) => Some(*reason),
            _ => None,
        }
    }
    /// The same, with the location in which an inconsistent game gets stuck in other words, if there are any.
    #[must_use]
    pub fn in_words(mut self, words: impl Fn(&str) -> Option<String>) -> Self {
        if let Self::SpecInconsistent {
            location: Some(location),
            ..
        } = &mut self
            && let Some(words) = words(location)
        {
            *location = words;
        }
        self
    }
    /// Whether some run ends in an evaluation without a meaning.
    pub fn is_fault(&self) -> bool {
        matches!(
            self,
            Self::OutOfRange { .. } | Self::Evaluation { .. } | Self::NegativeReset { .. }
        )
    }
    /// Whether the error shows that the game itself has no meaning; other errors tell nothing about it.
    pub fn is_invalid(&self) -> bool {
        match self {
            Self::OutOfRange { .. }
            | Self::Evaluation { .. }
            | Self::NegativeReset { .. }
            | Self::UrgentDependsOnClocks { .. } => true,
            Self::SpecInconsistent { .. }
            | Self::SpecUnknown(_)
            | Self::ConstantTooLarge { .. }
            | Self::DiagonalRange { .. }
            | Self::SelectTooLarge { .. } => false,
        }
    }
}

/// The reason why a computation ended without a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// A limit of the exploration was hit.
    Stopped(StopReason),
    /// The game has no meaning.
    Error(GameError),
}

impl Halt {
    /// Separates a limit that was hit from a game without a meaning.
    ///
    /// # Errors
    /// Games without a meaning.
    pub fn sorted<T>(result: Result<T, Self>) -> Result<Result<T, StopReason>, GameError> {
        match result {
            Ok(found) => Ok(Ok(found)),
            Err(Self::Stopped(reason)) => Ok(Err(reason)),
            Err(Self::Error(error)) => Err(error),
        }
    }
}

impl From<GameError> for Halt {
    fn from(error: GameError) -> Self {
        Self::Error(error)
    }
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}
