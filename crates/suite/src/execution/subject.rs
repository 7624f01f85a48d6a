//! A game under test: lowered, not pruned (semantics `definition`), with its actions identified by their labels.
//!
//! In the middle of an atomic step (a committed location of a composed game) inputs are not compared: a tester gives no input while
//! the specification is in a committed location, and the reaction of a mutant in one to an input tells nothing. That run stalls: it
//! ends without a verdict.

use crate::error::SuiteFailure;
use tamper_game::symbolic::{
    Arena, Atom, INITIAL, Move, NO_MOVES, Node, NodeId, consistency::before_resets, lower, zone_ops,
};
use tamper_text::{Budget, IndexVec};
use tamper_timed::model::{ActionId, Automaton, Role};
use tamper_zones::{Bound, Clock, Dbm, Variable};

/// A game that tests are made from, or run against in simulated time.
#[derive(Clone, Debug)]
pub struct Subject {
    pub(crate) arena: Arena,
    /// The labels of the actions: `coin?`, `tea!`, `tau`.
    pub(crate) labels: IndexVec<ActionId, String>,
    /// The names of its clocks.
    pub(crate) clocks: Vec<String>,
    /// The names of its locations.
    pub(crate) locations: Vec<String>,
    /// The node that an input leads to in the middle of an atomic step: not a state of the game.
    pub(crate) stalled: Option<NodeId>,
}

impl Subject {
    /// Lowers `automaton`.
    ///
    /// # Errors
    /// A game without a meaning or without an initial state, and the budget.
    pub fn new(automaton: &Automaton, budget: &Budget) -> Result<Self, SuiteFailure> {
        let mut subject = Self::specification(automaton, budget)?;
        let inputs = automaton.actions().iter_enumerated();
        let inputs = inputs.filter(|(_, action)| action.role == Role::Input);
        let inputs: Vec<ActionId> = inputs.map(|(id, _)| id).collect();
        subject.stalled = stall_on_inputs(&mut subject.arena, &inputs);
        Ok(subject)
    }

    /// Lowers a game that mutants are compared with: as [`Subject::new`], but it takes no input in the middle of an atomic step.
    ///
    /// # Errors
    /// As of [`Subject::new`].
    pub(crate) fn specification(automaton: &Automaton, budget: &Budget) -> Result<Self, SuiteFailure> {
        let no_state = || SuiteFailure::NoInitialState {
            automaton: automaton.name().to_owned(),
        };
        let mut arena = lower(automaton, budget)?.ok_or_else(no_state)?;
        if arena.nodes.iter().any(|node| node.atomic) {
            take_no_inputs(&mut arena);
        }
        let labels = automaton.actions().iter().map(ToString::to_string).collect();
        let clocks = automaton.clocks().iter().map(|clock| clock.name.to_string()).collect();
        let locations = automaton.locations().iter().map(|location| location.name.to_string());
        Ok(Self {
            arena,
            labels,
            clocks,
            locations: locations.collect(),
            stalled: None,
        })
    }

    /// The action of that label.
    pub(crate) fn action(&self, label: &str) -> Option<ActionId> {
        self.labels.ids().find(|id| self.labels[*id] == label)
    }
}

/// Removes the inputs in the middle of atomic steps.
fn take_no_inputs(arena: &mut Arena) {
    for node in &mut arena.nodes {
        let own = arena.moves.slice(node.moves.clone());
        if node.atomic && own.iter().any(|step| !is_output(step)) {
            let kept: Vec<Move> = own.iter().filter(|step| is_output(step)).cloned().collect();
            let start = arena.moves.next_id();
            arena.moves.extend(kept);
            node.moves = start..arena.moves.next_id();
        }
    }
}

/// Adds moves for the `inputs`, by their actions, from the middle of every atomic step to a new node in which time is stopped and
/// nothing happens except further inputs. Returns that node; `None` if none is needed.
fn stall_on_inputs(arena: &mut Arena, inputs: &[ActionId]) -> Option<NodeId> {
    if inputs.is_empty() || arena.nodes.iter().all(|node| !node.atomic) {
        return None;
    }
    let stalls = arena.nodes.next_id();
    let always = arena.push_conjunction([]);
    let anywhere = arena.push_cases([always]);
    let stalled = Node {
        urgent: true,
        atomic: true,
        invariant: always,
        moves: NO_MOVES,
        alive: anywhere,
        ..arena.node(INITIAL).clone()
    };
    arena.nodes.push(stalled);
    for node in arena.nodes.iter_mut().filter(|node| node.atomic) {
        let start = arena.moves.next_id();
        arena.moves.extend_from_within(node.moves.clone());
        arena.moves.extend(inputs.iter().map(|action| Move {
            edge: None,
            action: *action,
            role: Role::Input,
            guard: always,
            resets: (0, 0),
            target: stalls,
            enabled: anywhere,
        }));
        node.moves = start..arena.moves.next_id();
    }
    let never = std::iter::repeat_n(Dbm::NEVER_COMPARED, arena.n_clocks);
    arena.max_bounds.extend(never);
    Some(stalls)
}

/// Whether the system under test decides on the move.
pub(crate) fn is_output(step: &Move) -> bool {
    step.role != Role::Input
}

/// The condition under which a move is enabled: its guard holds and its resets lead into the target's invariant. `None` if it is
/// never enabled.
pub(crate) fn enabled_before(
    dim: usize,
    target: &[Atom],
    resets: &[(Variable, i64)],
    guard: &[Atom],
) -> Option<Vec<Atom>> {
    let mut zone = zone_ops::restricted(&Dbm::universe(dim), target)?;
    let possible = before_resets(&mut zone, resets) && zone_ops::restrict(&mut zone, guard);
    possible.then(|| zone_ops::atoms_of_zone(&zone))
}

/// The parts of the invariant in which an input with these `enabled` conditions is ignored.
pub(crate) fn ignored_inputs(dim: usize, invariant: &[Atom], enabled: Vec<&[Atom]>) -> Vec<Vec<Atom>> {
    let mut missing = zone_ops::federation(dim, [invariant]);
    missing.subtract(&zone_ops::federation(dim, enabled));
    missing.zones().iter().map(zone_ops::atoms_of_zone).collect()
}

/// The atoms in a unit `scale` times smaller, with their clocks moved by `offset`.
///
/// # Panics
/// If a constant becomes too large: the scale is one that each mutant was scaled by before.
pub(crate) fn scaled_atoms(atoms: &[Atom], scale: i64, offset: usize) -> Vec<Atom> {
    let place = |clock: Clock| match clock {
        Clock::ZERO => clock,
        clock => Clock::from_index(clock.index() + offset),
    };
    let scaled = |bound: Bound| match (bound.is_infinite(), bound.is_strict()) {
        (true, _) => bound,
        (false, true) => Bound::lt(bound.constant() * scale),
        (false, false) => Bound::le(bound.constant() * scale),
    };
    let atom = |atom: &Atom| Atom {
        left: place(atom.left),
        right: place(atom.right),
        bound: scaled(atom.bound),
    };
    atoms.iter().map(atom).collect()
}

/// Adds the name of a clock, with marks if it is taken.
pub(crate) fn push_fresh(names: &mut Vec<String>, mut name: String) {
    while names.contains(&name) {
        name.push('_');
    }
    names.push(name);
}
