//! Consistency where runs lead, which is all that a game that is played from the start asks for.

use super::arena::Arena;
use super::consistency::{Pruning, Shrunk, Until, full, has_start, is_full, restrict_to};
use super::error::Halt;
use super::groups::SingleGame;
use super::ids::NodeId;
use super::zone_ops;
use tamper_text::{Budget, IndexVec};
use tamper_zones::Dbm;

/// What is consistent of the states that runs reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Within {
    /// Not even the initial state is in it.
    Nothing,
    /// Some of the states are in it.
    Part,
    /// All of them: the game is its own pruning, as far as runs lead.
    All,
}

/// Restricts `arena` so that of the states that runs reach the consistent ones are left; about others nothing is promised.
/// `reach` has, per node, a zone that includes all states that runs of the unpruned game reach there.
///
/// # Errors
/// The budget, which counts how often a node is looked at.
pub fn prune_within(arena: &mut Arena, mut reach: IndexVec<NodeId, Dbm>, budget: &Budget) -> Result<Within, Halt> {
    for (parts, zone) in arena.nodes.iter().zip(&mut reach) {
        let exists = zone_ops::restrict(zone, arena.atoms_of(parts.invariant));
        assert!(exists, "what runs reach satisfies the invariant");
    }
    let mut shrunk: Shrunk = arena.nodes.iter().map(|_| full(())).collect();
    let movers = IndexVec::filled((), arena.moves.len());
    let mut pruning = Pruning {
        arena,
        movers: &movers,
        cells: &mut shrunk,
        groups: &mut SingleGame,
        within: Some(&reach),
    };
    let all = pruning.arena.nodes.ids().collect();
    pruning.run(all, &(), Until::StartIsLost, budget)?;
    Ok(match (has_start(arena, &shrunk), shrunk.iter().all(is_full)) {
        (false, _) => Within::Nothing,
        (true, true) => Within::All,
        (true, false) => {
            restrict_to(arena, &shrunk);
            Within::Part
        }
    })
}
