//! A timed game in normal form: nodes, each a discrete state, and moves between them under bounds of clocks.

use std::rc::Rc;

use crate::zone::{Atom, Reset, Zone};

/// The player that decides about an action, and the way in which it is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The environment gives it: `a?`.
    Input,
    /// The system makes it: `a!`.
    Output,
    /// The system makes it, and nobody ignores it: `a.`.
    Internal,
}

/// The name and the role of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
}

/// A move of a node.
#[derive(Clone, Debug)]
pub struct Move {
    /// Its action, by its position in the alphabet of the game.
    pub action: usize,
    /// Its guard.
    pub guard: Vec<Atom>,
    /// The clocks that it sets.
    pub resets: Vec<Reset>,
    /// The node to which it leads.
    pub target: usize,
}

/// A discrete state.
#[derive(Clone, Debug)]
pub struct Node {
    /// The valuations that exist here: those that satisfy its invariant.
    pub existing: Option<Zone>,
    /// Whether no time passes here.
    pub is_urgent: bool,
    /// Whether the game is inside an atomic step, where inputs are not compared.
    pub is_atomic: bool,
    /// Its moves.
    pub moves: Vec<Move>,
}

/// A game in normal form; it starts in node 0 with all clocks at 0.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// Names of its clocks; clock 1 is the first of them.
    pub clocks: Vec<String>,
    /// Its alphabet.
    pub actions: Vec<Action>,
    /// Its nodes; a mutant shares those of the specification.
    pub nodes: Vec<Rc<Node>>,
}

impl Game {
    /// The action of a move.
    pub fn action(&self, step: &Move) -> &Action {
        &self.actions[step.action]
    }

    /// Per node, whether a path of moves leads to it, whatever the clocks.
    pub fn reachable(&self) -> Vec<bool> {
        let mut reachable = vec![false; self.nodes.len()];
        let mut waiting = vec![0];
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut reachable[node], true) {
                waiting.extend(self.nodes[node].moves.iter().map(|step| step.target));
            }
        }
        reachable
    }

    /// The moves of the environment (`true`) or of the system in a node.
    pub fn moves(&self, node: usize, of_environment: bool) -> impl Iterator<Item = &Move> {
        let moves = self.nodes[node].moves.iter();
        moves.filter(move |step| (self.action(step).role == Role::Input) == of_environment)
    }

    /// Whether the alphabet has the name as an input or an output.
    pub fn has_name(&self, action: &Action) -> bool {
        let mut known = self.actions.iter();
        known.any(|known| known.role != Role::Internal && known.name == action.name)
    }
}
