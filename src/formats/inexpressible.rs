//! What a format has no way to say.

use std::fmt;

/// A part of a game that a format cannot hold, so that the game is not written rather than changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inexpressible {
    /// The format.
    pub format: &'static str,
    /// The part.
    pub part: Part,
}

/// A part of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Part {
    /// An urgent channel.
    UrgentChannel(String),
    /// Inputs that are ignored where no edge accepts them.
    IgnoredInputs,
    /// An edge without a label.
    InternalEdge(String),
    /// An edge with select variables.
    Select(String),
    /// An operator in a guard, invariant or assignment.
    Operator(&'static str),
    /// A condition used as a number, or a connective where the format wants a comparison.
    Condition,
    /// A name that the format reads as something else, or cannot read.
    Name(String),
}

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, part } = self;
        match part {
            Part::UrgentChannel(name) => write!(
                f,
                "{format} has no urgent channels, and `{name}` is one: make the locations urgent from which it is sent"
            ),
            Part::IgnoredInputs => write!(
                f,
                "{format} does not ignore inputs that no edge accepts: read the model with --input-enabling off, or add \
                 the self loops"
            ),
            Part::InternalEdge(edge) => write!(
                f,
                "{format} has no internal edges, and {edge} is one: give it an output label"
            ),
            Part::Select(edge) => write!(
                f,
                "{format} has no select variables, and the edge {edge} has: write one edge per value"
            ),
            Part::Operator(operator) => write!(f, "{format} has no operator `{operator}`: rewrite the expression"),
            Part::Condition => write!(
                f,
                "{format} has conditions only as conjunctions of comparisons: rewrite the expression"
            ),
            Part::Name(name) => write!(f, "`{name}` cannot be a name in {format}: rename it"),
        }
    }
}

impl std::error::Error for Inexpressible {}
