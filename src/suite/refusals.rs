//! Whether a refused input is wrong.

use crate::model::Automaton;

/// What it means to a suite that an input is refused.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Refusals {
    /// A fail: the specification takes every input that a test gives.
    #[default]
    Error,
    /// Nothing: who does not take an input ignores it. A model that a test meets stays where it is.
    Never,
}

impl Refusals {
    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Never => "never",
        }
    }

    /// `game` as tests of such a suite meet it.
    #[must_use]
    pub fn met(self, game: Automaton) -> Automaton {
        match self {
            Self::Error => game,
            Self::Never => game.with_input_enabling(true),
        }
    }
}
