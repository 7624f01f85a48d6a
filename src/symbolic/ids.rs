//! The numbers of the parts of a lowered game.

use crate::base::define_ids;

define_ids! {
    /// A node of an arena: a discrete state of a game.
    NodeId,
}

/// The initial node: lowering always makes it first.
pub const INITIAL: NodeId = NodeId(0);
