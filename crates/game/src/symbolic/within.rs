//! Consistency of the states that runs reach, which is enough for a game that is played from the start.

use super::arena::Arena;
use super::consistency::{Pruning, Shrunk, Until, full, has_start, is_full, restrict_to};
use super::error::Halt;
use super::groups::SingleGame;
use super::ids::NodeId;
use super::zone_ops;
use tamper_text::{Budget, IndexVec};
use tamper_zones::Dbm;

/// The consistency of the states that runs reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Within {
    /// Not even the initial state is consistent.
    Nothing,
    /// Some of the states are consistent.
    Part,
    /// All of the states are consistent: pruning changes nothing, as far as runs lead.
    All,
}

/// Restricts `arena` so that of the states that runs reach exactly the consistent ones are left; about other states nothing
/// is promised. `reach` holds, per node, a zone that includes all states that runs of the unpruned game reach there.
///
/// # Errors
/// The budget, which counts the visits of nodes.
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
