//! The answer to one question about a mutant, and the evidence for it: a run, or a plan.

use super::{InputId, OutputId};
use tamper_text::StopReason;

/// An answer that may have stopped at a limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision<T> {
    /// The search was exhaustive and found nothing.
    No,
    /// The search found this.
    Yes(T),
    /// A limit was hit before the answer was known.
    Unknown(StopReason),
}

impl<T> Decision<T> {
    /// The result of the search, if there is one.
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
    /// The output before the first input, if it is not always the same. In a run without inputs, this output is the
    /// fault.
    pub first: Option<String>,
    /// The inputs; no run of this kind has fewer.
    pub inputs: Vec<InputId>,
    /// The mutant's answer to each input.
    pub outputs: Vec<OutputId>,
}

/// The next move of a tester who has seen some outputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The input that the tester gives.
    pub input: InputId,
    /// Every output that the mutant can answer, and the position of the move that follows; `None` is a fail, since the
    /// specification cannot give that output.
    pub answers: Vec<(OutputId, Option<usize>)>,
}

/// A tester's plan that fails every run of the mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// Every output of the mutant before the first input, and the position of the move that follows; `None` is a fail,
    /// since the specification cannot show that output.
    pub starts: Vec<(String, Option<usize>)>,
    /// The moves, to which answers refer by position.
    pub moves: Vec<Move>,
    /// The number of inputs in the longest play; no plan has a shorter longest play.
    pub depth: usize,
}
