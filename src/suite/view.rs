//! What a game can do in one discrete state, cut out of whatever holds the game.

use std::rc::Rc;

use super::subject::is_output;
use crate::model::{ActionId, Automaton, LocId};
use crate::symbolic::{Arena, Atom, Move, NodeId};
use crate::text::IndexVec;
use crate::zones::{Clock, Variable};

/// A location and the values of the integers there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct DiscreteState {
    pub location: LocId,
    pub ints: Rc<[i32]>,
}

impl DiscreteState {
    /// The state in which every run of `automaton` begins.
    pub fn initial(automaton: &Automaton) -> Self {
        Self {
            location: automaton.initial(),
            ints: automaton.ints().iter().map(|var| var.initial).collect(),
        }
    }
}

/// A discrete state and its moves; constraints over the clocks of the test and of the game.
#[derive(Clone, Debug)]
pub(super) struct View<P> {
    pub urgent: bool,
    pub invariant: Vec<Atom>,
    /// What the tester does, and silence, are looked at in another view of the same members.
    pub only_outputs: bool,
    pub moves: Vec<ViewMove<P>>,
}

/// A move to the state `target`.
#[derive(Clone, Debug)]
pub(super) struct ViewMove<P> {
    pub label: String,
    pub is_output: bool,
    /// Where it can be taken: one of these.
    pub enabled: Vec<Vec<Atom>>,
    pub resets: Vec<(Variable, i64)>,
    pub target: P,
}

impl<P> View<P> {
    /// Whether the invariant bounds a clock above.
    pub fn bounds_time(&self) -> bool {
        let bounds = |atom: &Atom| atom.right == Clock::ZERO && !atom.bound.is_infinite();
        self.invariant.iter().any(bounds)
    }
    /// Where some output can be made.
    pub fn outputs(&self) -> impl Iterator<Item = &[Atom]> {
        let outputs = self.moves.iter().filter(|step| step.is_output);
        outputs.flat_map(|step| step.enabled.iter().map(Vec::as_slice))
    }
}

impl View<NodeId> {
    pub fn of(arena: &Arena, node: NodeId, labels: &IndexVec<ActionId, String>) -> Self {
        let view_move = |step: &Move| ViewMove {
            label: labels[step.action].clone(),
            is_output: is_output(step),
            enabled: arena.cases(step.enabled).map(<[Atom]>::to_vec).collect(),
            resets: arena.resets_of(step).to_vec(),
            target: step.target,
        };
        let parts = arena.node(node);
        Self {
            urgent: parts.urgent,
            invariant: arena.atoms_of(parts.invariant).to_vec(),
            only_outputs: false,
            moves: arena.moves_of(node).iter().map(view_move).collect(),
        }
    }
}
