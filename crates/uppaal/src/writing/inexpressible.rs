//! Parts of a game that a format cannot express.

/// A part of a game that a format cannot hold: the game is refused rather than changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .part.refused(.format))]
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
    /// Inputs that are ignored if no edge accepts them.
    IgnoredInputs,
    /// Atomic propositions of locations.
    Propositions,
    /// An edge without a label.
    InternalEdge(String),
    /// An edge with select variables.
    Select(String),
    /// An operator in a guard, invariant or assignment.
    Operator(&'static str),
    /// A condition used as a number, or a connective in a place for a comparison.
    Condition,
    /// A name that the format does not read as the same name.
    Name(String),
}

impl Part {
    /// The message about a format that cannot hold the part.
    fn refused(&self, format: &str) -> String {
        match self {
            Self::UrgentChannel(name) => format!(
                "{format} has no urgent channels, and `{name}` is one: make the locations urgent from which it is sent"
            ),
            Self::IgnoredInputs => format!(
                "{format} does not ignore inputs that no edge accepts: read the model with --input-enabling off, or add \
                 the self loops"
            ),
            Self::Propositions => {
                format!(
                    "{format} has no atomic propositions of locations here: take the lines `propositions:` out of the comments"
                )
            }
            Self::InternalEdge(edge) => {
                format!("{format} has no internal edges, and {edge} is one: give it an output label")
            }
            Self::Select(edge) => {
                format!("{format} has no select variables, and the edge {edge} has: write one edge per value")
            }
            Self::Operator(operator) => format!("{format} has no operator `{operator}`: rewrite the expression"),
            Self::Condition => {
                format!("{format} has conditions only as conjunctions of comparisons: rewrite the expression")
            }
            Self::Name(name) => format!("`{name}` cannot be a name in {format}: rename it"),
        }
    }
}
