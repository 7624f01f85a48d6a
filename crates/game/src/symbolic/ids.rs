//! The numbers of the parts of a lowered game.

use std::ops::Range;

use tamper_text::define_ids;

define_ids! {
    /// A node of an arena: a discrete state of a game.
    NodeId,
    /// A move of an arena, whatever node it leaves.
    MoveId,
    /// A pair of nodes, by the order in which pairs are met.
    PairId,
}

/// The initial node: lowering always makes it first.
pub const INITIAL: NodeId = NodeId(0);

/// The first pair: both games at their starts, wherever pairs are explored from there.
pub const INITIAL_PAIR: PairId = PairId(0);

/// The empty range of moves, for a node without moves, or without moves yet.
pub const NO_MOVES: Range<MoveId> = MoveId(0)..MoveId(0);
