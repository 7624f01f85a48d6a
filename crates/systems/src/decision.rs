//! The answer to one question about a mutant, and what it can consist of: a run, a plan.

use super::{InputId, OutputId};
use tamper_text::StopReason;

/// An answer that may have stopped at a limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision<T> {
    /// The search was exhaustive: no such thing exists.
    No,
    /// The thing that was looked for.
    Yes(T),
    /// A limit was hit before the answer was known.
    Unknown(StopReason),
}

impl<T> Decision<T> {
    /// The thing that was looked for, if found.
    pub fn found(&self) -> Option<&T> {
        match self {
            Self::Yes(found) => Some(found),
            Self::No | Self::Unknown(_) => None,
        }
    }
    /// The limit that was hit.
    pub fn limit(&self) -> Option<StopReason> {
        match self {
            Self::Unknown(reason) => Some(*reason),
            Self::No | Self::Yes(_) => None,
        }
    }
}

/// A run of the mutant whose last output the specification cannot give.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// What is seen before the first input, where that is not always the same. Without an input, it is at fault itself.
    pub first: Option<String>,
    /// The inputs, as few as there can be.
    pub inputs: Vec<InputId>,
    /// What the mutant answers to each.
    pub outputs: Vec<OutputId>,
}

/// What a tester does who has seen some outputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The input that the tester gives.
    pub input: InputId,
    /// Every output that the mutant can answer, and the move that follows; none where the specification cannot answer so,
    /// which is a fail.
    pub answers: Vec<(OutputId, Option<usize>)>,
}

/// A tester's plan that fails every run of the mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// What the mutant can show before the first input, and the move that follows; none where the specification cannot start
    /// so, which is a fail.
    pub starts: Vec<(String, Option<usize>)>,
    /// The moves, to which answers refer by position.
    pub moves: Vec<Move>,
    /// How many inputs the longest play has; no plan has a shorter longest play.
    pub depth: usize,
}
