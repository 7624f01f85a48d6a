//! The states that runs of one game reach, by zones up to simulation: for reachability only, so that a zone is left out if
//! a known one can do whatever it can (`docs/notes/0019-zones-up-to-simulation.md`). Nothing is extrapolated: all points of
//! a zone are reached.

use super::arena::{Arena, Atom, Move};
use super::ids::NodeId;
use super::zone_ops;
use tamper_text::{Budget, Id as _, IndexVec, StopReason};
use tamper_zones::{Clock, Dbm};

/// Per node of a game without clock differences, the largest constants with which each clock is compared from there on before it is
/// set: of lower and of upper bounds, by matrix index.
#[derive(Clone, Debug)]
pub struct NodeBounds {
    dim: usize,
    lower: Vec<i64>,
    upper: Vec<i64>,
}

/// Whether a condition counts as it stands, or its negation as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// As it stands.
    Once,
    /// Both ways: a lower bound's constant is then one of an upper bound, too.
    BothWays,
}

impl NodeBounds {
    /// The bounds of the conditions of `arena`, unpruned. `watch` adds further conditions of a node; where `is_watched`
    /// holds, all conditions of the node count both ways.
    pub fn of(arena: &Arena, is_watched: impl Fn(NodeId) -> bool, watch: impl Fn(NodeId, &mut Vec<Atom>)) -> Self {
        let dim = arena.dim();
        let mut bounds = Self {
            dim,
            lower: vec![Dbm::NEVER_COMPARED; arena.nodes.len() * dim],
            upper: vec![Dbm::NEVER_COMPARED; arena.nodes.len() * dim],
        };
        for reference in (0..bounds.lower.len()).step_by(dim) {
            (bounds.lower[reference], bounds.upper[reference]) = (0, 0);
        }
        let mut atoms = Vec::new();
        for (node, parts) in arena.nodes.iter_enumerated() {
            let asked = match is_watched(node) {
                true => Asked::BothWays,
                false => Asked::Once,
            };
            atoms.clear();
            atoms.extend_from_slice(arena.atoms_of(parts.invariant));
            for step in arena.moves_of(node) {
                atoms.extend_from_slice(arena.atoms_of(step.guard));
                // An atom that contradicts the values that are set makes the step impossible: the other atoms do not
                // matter.
                let invariant = arena.atoms_of(arena.node(step.target).invariant);
                let _ = arena.before_resets(invariant, step, &mut atoms);
            }
            watch(node, &mut atoms);
            atoms.iter().for_each(|atom| bounds.ask(node, *atom, asked));
        }
        let mut is_stable = false;
        while !is_stable {
            is_stable = true;
            for node in arena.nodes.ids().rev() {
                is_stable &= !bounds.join(arena, node);
            }
        }
        bounds
    }

    fn ask(&mut self, node: NodeId, atom: Atom, asked: Asked) {
        if atom.bound.is_infinite() {
            return;
        }
        let (clock, own, other) = match (atom.left, atom.right) {
            (clock, Clock::ZERO) => (clock, &mut self.upper, &mut self.lower),
            (_, clock) => (clock, &mut self.lower, &mut self.upper),
        };
        let (at, constant) = (node.index() * self.dim + clock.index(), atom.bound.constant().abs());
        own[at] = own[at].max(constant);
        if asked == Asked::BothWays {
            other[at] = other[at].max(constant);
        }
    }

    /// Adds the bounds of the targets of a node's moves; returns whether that changed anything.
    fn join(&mut self, arena: &Arena, node: NodeId) -> bool {
        let mut changed = false;
        for step in arena.moves_of(node) {
            let resets = arena.resets_of(step);
            for clock in 1..self.dim {
                let (own, later) = (node.index() * self.dim + clock, step.target.index() * self.dim + clock);
                let is_more = self.lower[later] > self.lower[own] || self.upper[later] > self.upper[own];
                if is_more && !resets.iter().any(|(reset, _)| reset.index() == clock) {
                    self.lower[own] = self.lower[own].max(self.lower[later]);
                    self.upper[own] = self.upper[own].max(self.upper[later]);
                    changed = true;
                }
            }
        }
        changed
    }

    /// Whether each value of `zone` is simulated by one of `other`, at the node.
    fn is_simulated(&self, node: NodeId, zone: &Dbm, other: &Dbm) -> bool {
        let (lower, upper) = self.at(node);
        zone.is_simulated_in(other, lower, upper)
    }

    /// A zone that contains all values that some value of `zone` simulates at the node.
    pub fn widened(&self, node: NodeId, zone: &Dbm) -> Dbm {
        let (lower, upper) = self.at(node);
        zone.simulated(lower, upper)
    }

    fn at(&self, node: NodeId) -> (&[i64], &[i64]) {
        let row = node.index() * self.dim..(node.index() + 1) * self.dim;
        (&self.lower[row.clone()], &self.upper[row])
    }
}

/// A node and clock values with which runs are there, after waiting.
#[derive(Debug)]
pub struct Reached {
    /// The node.
    pub node: NodeId,
    /// The clock values, all of which are reached.
    pub zone: Dbm,
    /// Whether a later state simulates it; it is then not examined itself.
    is_covered: bool,
}

/// The states that runs reach, in the order of discovery. The caller decides which steps are taken.
pub struct Walk<'a> {
    arena: &'a Arena,
    bounds: &'a NodeBounds,
    budget: &'a Budget,
    /// The reached states.
    pub states: Vec<Reached>,
    /// Per node, the states there that no other one simulates.
    known: IndexVec<NodeId, Vec<usize>>,
    next: usize,
}

impl<'a> Walk<'a> {
    /// No state yet. The bounds also hold for runs that take fewer steps.
    pub fn new(arena: &'a Arena, bounds: &'a NodeBounds, budget: &'a Budget) -> Self {
        Self {
            arena,
            bounds,
            budget,
            states: Vec::new(),
            known: IndexVec::filled(Vec::new(), arena.nodes.len()),
            next: 0,
        }
    }

    /// The next state to examine, if one is left.
    pub fn next_state(&mut self) -> Option<usize> {
        while self.next < self.states.len() {
            let at = self.next;
            self.next += 1;
            if !self.states[at].is_covered {
                return Some(at);
            }
        }
        None
    }

    /// Adds the values that waiting reaches from `entry`, which satisfies the node's invariant, unless a state simulates all of them.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn enter(&mut self, node: NodeId, entry: Dbm) -> Result<(), StopReason> {
        let (parts, mut zone) = (self.arena.node(node), entry);
        if !parts.urgent {
            zone.up();
            let kept = zone_ops::restrict(&mut zone, self.arena.atoms_of(parts.invariant));
            assert!(kept, "an entered state satisfies its invariant");
        }
        let (known, states, bounds) = (&mut self.known[node], &mut self.states, self.bounds);
        if known
            .iter()
            .any(|at| bounds.is_simulated(node, &zone, &states[*at].zone))
        {
            return Ok(());
        }
        known.retain(|at| {
            let old = &mut states[*at];
            old.is_covered = bounds.is_simulated(node, &old.zone, &zone);
            !old.is_covered
        });
        known.push(states.len());
        states.push(Reached {
            node,
            zone,
            is_covered: false,
        });
        let n_states = states.len() as u64;
        let bytes = n_states * zone_ops::zone_bytes(self.arena.dim());
        self.budget.exceeded(n_states, bytes).map_or(Ok(()), Err)
    }

    /// The values that the step, unpruned, leads to from `zone`; `None` if no value of `zone` can take it.
    pub fn after(&self, zone: &Dbm, step: &Move) -> Option<Dbm> {
        let mut zone = zone_ops::restricted(zone, self.arena.atoms_of(step.guard))?;
        zone_ops::reset_all(&mut zone, self.arena.resets_of(step));
        let invariant = self.arena.atoms_of(self.arena.node(step.target).invariant);
        zone_ops::restrict(&mut zone, invariant).then_some(zone)
    }
}

/// Whether time can pass in the node for ever, from all of its states.
pub fn is_calm(arena: &Arena, node: NodeId) -> bool {
    let bounds_time = |atom: &Atom| atom.left != Clock::ZERO && atom.right == Clock::ZERO && !atom.bound.is_infinite();
    let parts = arena.node(node);
    !parts.urgent && !arena.atoms_of(parts.invariant).iter().any(bounds_time)
}
