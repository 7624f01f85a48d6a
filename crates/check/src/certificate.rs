//! A certificate: two games, a claim about them, and the sets of states that prove it.

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

/// The games, by their places in a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The game that should refine.
    Mutant,
    /// The game that should be refined.
    Specification,
}

/// A way to go on from the states of a zone, so that time does not run out.
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
    /// What is done in them.
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
    /// The line that says so; the states of later lines may lead to those of earlier ones.
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

/// What shows the difference.
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
    /// The line that says so; the states of later lines may lead to those of earlier ones.
    pub line: usize,
    /// The node of the mutant and the node of the specification.
    pub pair: (usize, usize),
    /// The valuations of the clocks of both.
    pub zone: Zone,
    /// The first step of the difference.
    pub challenge: Challenge,
}

/// What a certificate says.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The claim, and the line of it.
    pub claim: (Claim, usize),
    /// Whether actions that the other game does not know are ignored; else they cannot be answered.
    pub ignores_unknown: bool,
    /// Whether both games are restricted to their consistent states.
    pub is_pruned: bool,
    /// The mutant and the specification.
    pub games: [Game; 2],
    /// Per game and node, states that are consistent.
    pub consistent: [Vec<Vec<Consistent>>; 2],
    /// Per game, states that are not.
    pub inconsistent: [Vec<Inconsistent>; 2],
    /// The relation.
    pub relation: Vec<Related>,
    /// The refutation.
    pub refutation: Vec<Refuted>,
}
