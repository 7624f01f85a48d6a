//! The content of a certificate: a specification, its mutants, a claim about each, and the sets of states that prove it.

use std::rc::Rc;

use crate::game::Game;
use crate::zone::Zone;

/// The verdict that is claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The mutant has no consistent initial state.
    Inconsistent,
    /// The mutant refines the specification.
    Subsumed,
    /// It does not.
    NonSubsumed,
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Inconsistent => "inconsistent",
            Self::Subsumed => "subsumed",
            Self::NonSubsumed => "non-subsumed",
        })
    }
}

/// The next step from the states of a zone, so that time does not run out.
#[derive(Clone, Debug)]
pub enum Progress {
    /// An output leads to a consistent state.
    Output,
    /// Time passes for ever.
    Forever,
    /// Time passes until the states of this zone.
    Delay(Zone),
}

/// Consistent states of a node.
#[derive(Clone, Debug)]
pub struct Consistent {
    /// The line that says so.
    pub line: usize,
    /// The states.
    pub zone: Zone,
    /// Their next step.
    pub progress: Progress,
}

/// The reason for which states are not consistent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// An input leads to states that are not.
    Input,
    /// Time does not pass for ever, and no output leads to consistent states before it ends.
    Stuck,
}

/// Inconsistent states of a node.
#[derive(Clone, Debug)]
pub struct Inconsistent {
    /// The line that says so; the states of later lines may lead to earlier ones.
    pub line: usize,
    /// The node.
    pub node: usize,
    /// The states.
    pub zone: Zone,
    /// The reason.
    pub loss: Loss,
}

/// States of both games in which the mutant does nothing that the specification cannot answer.
#[derive(Clone, Debug)]
pub struct Related {
    /// The line that says so.
    pub line: usize,
    /// The node of the mutant and the node of the specification.
    pub pair: (usize, usize),
    /// The valuations of the clocks of both.
    pub zone: Zone,
}

/// The step that shows the difference.
#[derive(Clone, Debug)]
pub enum Challenge {
    /// The move of that number of the mutant's node.
    Output(usize),
    /// The move of that number of the specification's node.
    Input(usize),
    /// The mutant waits until the states of this zone.
    Delay(Zone),
}

/// States of both games from which the mutant shows a difference.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// The line that says so; the states of later lines may lead to earlier ones.
    pub line: usize,
    /// The node of the mutant and the node of the specification.
    pub pair: (usize, usize),
    /// The valuations of the clocks of both.
    pub zone: Zone,
    /// The first step of the difference.
    pub challenge: Challenge,
}

/// A game, and what is said about its states.
#[derive(Clone, Debug, Default)]
pub struct Stated {
    /// The game.
    pub game: Game,
    /// Per node, states that are consistent; a mutant shares them as well.
    pub consistent: Vec<Rc<Vec<Consistent>>>,
    /// States that are not.
    pub inconsistent: Vec<Inconsistent>,
    /// Per node, whether it, or what is said of its consistent states, was not taken over from the specification.
    pub is_own: Vec<bool>,
    /// Whether the inconsistent states were not taken over.
    pub has_own_losses: bool,
}

/// The reading of refinement.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Whether actions that the other game does not know are ignored; else they cannot be answered.
    pub ignores_unknown: bool,
    /// Whether both games are restricted to their consistent states.
    pub is_pruned: bool,
}

/// The statements about one mutant.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its name.
    pub name: String,
    /// The claim, and the line of it.
    pub claim: (Claim, usize),
    /// The mutant.
    pub stated: Stated,
    /// The relation.
    pub relation: Vec<Related>,
    /// The refutation.
    pub refutation: Vec<Refuted>,
}
