//! An arena for several games at once: nodes and moves with the games that have them.

use super::arena::{Arena, Move};
use super::consistency::{Cells, ConsistentGroup, Pruning, Until, full, push_enabled, push_states};
use super::error::Halt;
use super::groups::ProductSetAlgebra;
use super::ids::{MoveId, NodeId};
use super::zone_ops;
use tamper_text::{Budget, IndexVec};
use tamper_zones::Dbm;

/// An arena whose parts belong to groups of games. A location whose invariant, urgency or consistent states differ between
/// games is several nodes, so that within a node only the moves tell games apart.
#[derive(Clone, Debug)]
pub struct SharedArena<Group> {
    /// All parts of all games.
    pub arena: Arena,
    /// Per node, the games for which the location is this node.
    pub nodes: IndexVec<NodeId, Group>,
    /// Per move, the games of the source node that have it (and perhaps some that are not in the source node).
    pub moves: IndexVec<MoveId, Group>,
    /// Per node, the node it was before pruning: itself, if nothing was pruned yet.
    pub origins: IndexVec<NodeId, NodeId>,
    /// The nodes in which runs begin, with their games.
    pub starts: Vec<(NodeId, Group)>,
}

impl<Group: Clone + PartialEq> SharedArena<Group> {
    /// The ids of a node's moves.
    pub fn move_ids(&self, node: NodeId) -> impl ExactSizeIterator<Item = MoveId> + use<Group> {
        self.arena.move_ids(node)
    }

    /// The arena restricted to consistent states, for the games of `everyone` only: every node by its cells.
    ///
    /// # Errors
    /// The budget.
    pub fn pruned<G: ProductSetAlgebra<Group = Group>>(
        &self,
        everyone: &Group,
        groups: &mut G,
        budget: &Budget,
    ) -> Result<Self, Halt> {
        let mut cells: IndexVec<NodeId, Cells<Group>> = IndexVec::new();
        for own in &self.nodes {
            let own = groups.both(own, everyone)?;
            cells.push(own.map_or_else(Cells::new, full));
        }
        let all = self.nodes.ids().collect();
        let mut pruning = Pruning {
            arena: &self.arena,
            movers: &self.moves,
            cells: &mut cells,
            groups,
            within: None,
        };
        pruning.run(all, everyone, Until::Stable, budget)?;
        self.split(&cells, groups)
    }

    /// The arena with a node per cell, `alive` and `enabled` as pruned; cells without states are left out.
    fn split<G: ProductSetAlgebra<Group = Group>>(
        &self,
        cells: &IndexVec<NodeId, Cells<Group>>,
        groups: &mut G,
    ) -> Result<Self, Halt> {
        let mut after = Self {
            arena: Arena {
                nodes: IndexVec::new(),
                moves: IndexVec::new(),
                max_bounds: Vec::new(),
                ..self.arena.clone()
            },
            nodes: IndexVec::new(),
            moves: IndexVec::new(),
            origins: IndexVec::new(),
            starts: Vec::new(),
        };
        // Per old node, the new ones.
        let split: IndexVec<NodeId, Vec<NodeId>> = cells
            .iter_enumerated()
            .map(|(node, cells)| {
                cells
                    .iter()
                    .filter_map(|cell| after.add_cell(self, node, cell))
                    .collect()
            })
            .collect();
        for (node, own) in split.iter_enumerated() {
            for new in own {
                let first = after.arena.moves.next_id();
                for at in self.arena.move_ids(node) {
                    let step = &self.arena.moves[at];
                    let is_whole = cells[step.target].len() == 1;
                    for target in &split[step.target] {
                        let there = match is_whole {
                            true => Some(self.moves[at].clone()),
                            false => groups.both(&self.moves[at], &after.nodes[*target])?,
                        };
                        let Some(there) = there else { continue };
                        if groups.both(&there, &after.nodes[*new])?.is_some() {
                            after.add_move(step, *target, there);
                        }
                    }
                }
                after.arena.nodes[*new].moves = first..after.arena.moves.next_id();
            }
        }
        let zero = Dbm::zero(after.arena.dim());
        for (node, group) in &self.starts {
            for new in &split[*node] {
                let contains_start = after.arena.alive(*new).any(|atoms| zone_ops::satisfies(&zero, atoms));
                if contains_start && let Some(here) = groups.both(group, &after.nodes[*new])? {
                    after.starts.push((*new, here));
                }
            }
        }
        Ok(after)
    }

    fn add_cell(&mut self, old: &Self, node: NodeId, cell: &ConsistentGroup<Group>) -> Option<NodeId> {
        let mut parts = old.arena.node(node).clone();
        if let Some(shrunk) = &cell.shrunk {
            if shrunk.is_empty() {
                return None;
            }
            parts.alive = push_states(&mut self.arena, shrunk);
        }
        let new = self.arena.nodes.push(parts);
        self.arena.max_bounds.extend_from_slice(old.arena.max_bounds_of(node));
        self.nodes.push(cell.group.clone());
        self.origins.push(node);
        Some(new)
    }

    fn add_move(&mut self, step: &Move, target: NodeId, group: Group) {
        let enabled = push_enabled(&mut self.arena, step, target);
        if enabled.start < enabled.end {
            let step = step.clone();
            self.arena.moves.push(Move {
                enabled,
                target,
                ..step
            });
            self.moves.push(group);
        }
    }
}
