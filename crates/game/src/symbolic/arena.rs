//! A timed game lowered to numbers: discrete states as nodes, edges as moves, constraints as matrix bounds.
//!
//! A node is a location with values for the integers; its constraints are constants. All atoms of an arena lie in
//! one flat vector; a [`Conjunction`] is a range of them and a [`ConjunctionRange`] a range of conjunctions (their
//! union), so an arena is a handful of allocations whatever its size. Clocks are matrix indices: 0 is the reference
//! clock.

use std::ops::Range;

use fixedbitset::FixedBitSet;

use super::ids::{MoveId, NodeId};
use tamper_text::{Id, IndexVec, ids_of};
use tamper_timed::model::{ActionId, EdgeId, LocId, Role};
use tamper_zones::{Bound, Clock, Dbm, Variable};

/// `left - right` is bounded by `bound`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The clock that is bounded from above.
    pub left: Clock,
    /// The clock that is subtracted from it.
    pub right: Clock,
    /// The bound of the difference.
    pub bound: Bound,
}

/// A range of [`Arena::atoms`]: all of them hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conjunction {
    /// The first of the range.
    pub start: u32,
    /// The end of the range, exclusive.
    pub end: u32,
}

/// A range of [`Arena::conjunctions`]: one of them holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConjunctionRange {
    /// The first of the range.
    pub start: u32,
    /// The end of the range, exclusive.
    pub end: u32,
}

/// A discrete state of a lowered game.
#[derive(Clone, Debug)]
pub struct Node {
    /// The location of the discrete state.
    pub location: LocId,
    /// First of the node's values in [`Arena::values`].
    pub values: u32,
    /// No time passes in this state.
    pub urgent: bool,
    /// A committed location of a composed game: inputs are not compared here.
    pub atomic: bool,
    /// The clock constraints of the location under the node's values.
    pub invariant: Conjunction,
    /// The range of its moves in [`Arena::moves`].
    pub moves: Range<MoveId>,
    /// The states that exist here: the invariant, or the consistent part of it after pruning.
    pub alive: ConjunctionRange,
}

/// A move of a node.
#[derive(Clone, Debug)]
pub struct Move {
    /// The edge; `None` for the implicit self loop of an ignored input.
    pub edge: Option<EdgeId>,
    /// The action that the move performs.
    pub action: ActionId,
    /// The player that decides about the action.
    pub role: Role,
    /// The clock constraints of the guard under the source's values.
    pub guard: Conjunction,
    /// The range of its resets in [`Arena::resets`].
    pub resets: (u32, u32),
    /// The node it leads to.
    pub target: NodeId,
    /// The condition under which it can be taken: the guard holds and the target state exists.
    pub enabled: ConjunctionRange,
}

/// A game lowered to nodes, moves and clock bounds.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    /// Number of clocks, without the reference clock.
    pub n_clocks: usize,
    /// Number of integers.
    pub n_ints: usize,
    /// The discrete states, by their ids.
    pub nodes: IndexVec<NodeId, Node>,
    /// Their moves, node by node.
    pub moves: IndexVec<MoveId, Move>,
    /// The atoms of all conjunctions.
    pub atoms: Vec<Atom>,
    /// The conjunctions of all unions.
    pub conjunctions: Vec<Conjunction>,
    /// A clock and the value it takes; at most one per clock and move.
    pub resets: Vec<(Variable, i64)>,
    /// The values of the integers, [`Self::n_ints`] for each node.
    pub values: Vec<i32>,
    /// Clock differences that occur in the game, with both senses of every comparison decided by one atom each.
    pub diagonals: Vec<Atom>,
    /// Per node and clock (`node * n_clocks + clock`), the largest constant the clock is compared with from there on
    /// before it is reset; `Dbm::NEVER_COMPARED` if none.
    pub max_bounds: Vec<i64>,
}

impl Arena {
    /// The dimension of the game's zones: its clocks and the reference clock.
    pub fn dim(&self) -> usize {
        self.n_clocks + 1
    }
    /// The node of that id.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node]
    }
    /// The moves of a node.
    pub fn moves_of(&self, node: NodeId) -> &[Move] {
        self.moves.slice(self.node(node).moves.clone())
    }
    /// The ids of a node's moves.
    pub fn move_ids(&self, node: NodeId) -> impl ExactSizeIterator<Item = MoveId> + use<> {
        ids_of(self.node(node).moves.clone())
    }
    /// The nodes of `start`, and the nodes that the graph reaches from there, regardless of clocks.
    pub fn reachable(&self, start: Vec<NodeId>) -> FixedBitSet {
        let mut seen = FixedBitSet::with_capacity(self.nodes.len());
        let mut waiting = start;
        while let Some(node) = waiting.pop() {
            if !seen.put(node.index()) {
                waiting.extend(self.moves_of(node).iter().map(|step| step.target));
            }
        }
        seen
    }
    /// The atoms of a conjunction.
    pub fn atoms_of(&self, conjunction: Conjunction) -> &[Atom] {
        &self.atoms[conjunction.start as usize..conjunction.end as usize]
    }
    /// The conjunctions of a union, each as its atoms.
    pub fn cases(&self, cases: ConjunctionRange) -> impl ExactSizeIterator<Item = &[Atom]> + Clone {
        self.conjunctions[cases.start as usize..cases.end as usize]
            .iter()
            .map(|conjunction| self.atoms_of(*conjunction))
    }
    /// The states that exist in a node, as a union of conjunctions.
    pub fn alive(&self, node: NodeId) -> impl ExactSizeIterator<Item = &[Atom]> + Clone {
        self.cases(self.node(node).alive)
    }
    /// The clocks that a move sets, with their values.
    pub fn resets_of(&self, step: &Move) -> &[(Variable, i64)] {
        &self.resets[step.resets.0 as usize..step.resets.1 as usize]
    }
    /// The values of the integers in a node.
    pub fn values_of(&self, node: NodeId) -> &[i32] {
        let start = self.node(node).values as usize;
        &self.values[start..start + self.n_ints]
    }
    /// The row of [`Self::max_bounds`] that belongs to a node.
    pub fn max_bounds_of(&self, node: NodeId) -> &[i64] {
        let start = node.index() * self.n_clocks;
        &self.max_bounds[start..start + self.n_clocks]
    }

    /// Appends a conjunction of `atoms`.
    pub fn push_conjunction(&mut self, atoms: impl IntoIterator<Item = Atom>) -> Conjunction {
        let start = index(self.atoms.len());
        self.atoms.extend(atoms);
        Conjunction {
            start,
            end: index(self.atoms.len()),
        }
    }
    /// Appends a union of `conjunctions`.
    pub fn push_cases(&mut self, conjunctions: impl IntoIterator<Item = Conjunction>) -> ConjunctionRange {
        let start = index(self.conjunctions.len());
        self.conjunctions.extend(conjunctions);
        ConjunctionRange {
            start,
            end: index(self.conjunctions.len()),
        }
    }

    /// Appends to `out` the weakest condition on clocks, before `step`, under which `atoms` hold after its resets; `false`
    /// if they cannot hold.
    #[must_use]
    pub fn before_resets(&self, atoms: &[Atom], step: &Move, out: &mut Vec<Atom>) -> bool {
        let resets = self.resets_of(step);
        for atom in atoms {
            match before(*atom, resets) {
                Before::Holds => {}
                Before::Fails => return false,
                Before::Needs(needed) => out.push(needed),
            }
        }
        true
    }

    /// The same game in a unit of time that is `factor` times smaller; `None` if a constant becomes too large.
    pub fn scaled(&self, factor: i64) -> Option<Self> {
        let scaled = |constant: i64| {
            let scaled = constant.checked_mul(factor)?;
            (scaled.unsigned_abs() <= Bound::LIMIT.unsigned_abs()).then_some(scaled)
        };
        let scaled_atom = |atom: &Atom| {
            let bound = if atom.bound.is_infinite() {
                atom.bound
            } else {
                shifted_bound(atom.bound, scaled(atom.bound.constant())? - atom.bound.constant())
            };
            Some(Atom { bound, ..*atom })
        };
        let scaled_max = |max: &i64| match *max {
            Dbm::NEVER_COMPARED => Some(Dbm::NEVER_COMPARED),
            max => scaled(max),
        };
        Some(Self {
            atoms: self.atoms.iter().map(scaled_atom).collect::<Option<_>>()?,
            diagonals: self.diagonals.iter().map(scaled_atom).collect::<Option<_>>()?,
            resets: self
                .resets
                .iter()
                .map(|(variable, value)| Some((*variable, scaled(*value)?)))
                .collect::<Option<_>>()?,
            max_bounds: self.max_bounds.iter().map(scaled_max).collect::<Option<_>>()?,
            ..self.clone()
        })
    }

    /// The same game with every clock index raised by `offset`, for the right side of a product.
    pub fn shifted(&self, offset: usize) -> Self {
        let shift = |clock: Clock| raise(clock, offset);
        let shift_variable = |variable: Variable| Variable::new(variable.index() - 1 + offset);
        let move_atom = |atom: &Atom| Atom {
            left: shift(atom.left),
            right: shift(atom.right),
            bound: atom.bound,
        };
        Self {
            atoms: self.atoms.iter().map(move_atom).collect(),
            diagonals: self.diagonals.iter().map(move_atom).collect(),
            resets: self
                .resets
                .iter()
                .map(|(variable, value)| (shift_variable(*variable), *value))
                .collect(),
            ..self.clone()
        }
    }
}

/// A position in one of an arena's flat vectors.
pub fn index(position: usize) -> u32 {
    u32::try_from(position).expect("an arena has fewer than 2^32 parts: the state budget ends far below")
}

fn raise(clock: Clock, offset: usize) -> Clock {
    if clock == Clock::ZERO {
        clock
    } else {
        Clock::from_index(clock.index() + offset)
    }
}

/// The condition that an atom imposes before some resets.
enum Before {
    Holds,
    Fails,
    Needs(Atom),
}

fn before(atom: Atom, resets: &[(Variable, i64)]) -> Before {
    let value = |clock: Clock| {
        if clock == Clock::ZERO {
            return Some(0);
        }
        resets
            .iter()
            .find(|(reset, _)| Clock::from(*reset) == clock)
            .map(|(_, value)| *value)
    };
    if atom.bound.is_infinite() {
        return Before::Holds;
    }
    let needs = |left, right, shift: i64| {
        Before::Needs(Atom {
            left,
            right,
            bound: shifted_bound(atom.bound, shift),
        })
    };
    match (value(atom.left), value(atom.right)) {
        (None, None) => Before::Needs(atom),
        (Some(left), None) => needs(Clock::ZERO, atom.right, -left),
        (None, Some(right)) => needs(atom.left, Clock::ZERO, right),
        (Some(left), Some(right)) if Bound::le(left - right) <= atom.bound => Before::Holds,
        (Some(_), Some(_)) => Before::Fails,
    }
}

/// `bound` with its constant raised by `shift`.
pub fn shifted_bound(bound: Bound, shift: i64) -> Bound {
    let constant = bound.constant() + shift;
    if bound.is_strict() {
        Bound::lt(constant)
    } else {
        Bound::le(constant)
    }
}
