//! The moves of a game in one discrete state, independent of the representation of the game.

use std::rc::Rc;

use crate::execution::subject::{enabled_before, ignored_inputs, is_output, scaled_atoms};
use tamper_game::GameError;
use tamper_game::symbolic::{Arena, Atom, Effect, Move, NodeId, atoms_of_guard};
use tamper_text::IndexVec;
use tamper_timed::model::{ActionId, Automaton, EdgeId, Guard, LocId, Role, Valuation};
use tamper_zones::{Clock, Variable};

/// A location and the values of the integers.
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
    /// The tester's acts, and silence, are handled in another view of the same members.
    pub only_outputs: bool,
    pub moves: Vec<ViewMove<P>>,
}

/// A move to the state `target`.
#[derive(Clone, Debug)]
pub(super) struct ViewMove<P> {
    pub label: String,
    pub is_output: bool,
    /// The conjunctions of which one must hold for the move to be enabled.
    pub enabled: Vec<Vec<Atom>>,
    pub resets: Vec<(Variable, i64)>,
    pub target: P,
}

impl<P> View<P> {
    /// Whether the invariant bounds some clock from above.
    pub fn bounds_time(&self) -> bool {
        let bounds = |atom: &Atom| atom.right == Clock::ZERO && !atom.bound.is_infinite();
        self.invariant.iter().any(bounds)
    }
    /// The conjunctions under which some output can be made.
    pub fn outputs(&self) -> impl Iterator<Item = &[Atom]> {
        let outputs = self.moves.iter().filter(|step| step.is_output);
        outputs.flat_map(|step| step.enabled.iter().map(Vec::as_slice))
    }
}

impl View<DiscreteState> {
    /// Moves the game's clocks behind the clocks of a test, and scales the game's constants to the test's unit.
    pub fn rebase(&mut self, scale: i64, n_test_clocks: usize) {
        let placed = |atoms: &[Atom]| scaled_atoms(atoms, scale, n_test_clocks);
        self.invariant = placed(&self.invariant);
        for step in &mut self.moves {
            for atoms in &mut step.enabled {
                *atoms = placed(atoms);
            }
            for (clock, value) in &mut step.resets {
                *clock = Variable::new(clock.index() - 1 + n_test_clocks);
                *value *= scale;
            }
        }
    }
    /// Adds the loop of an ignored input at the points of `place` where no move accepts it.
    pub fn ignore(&mut self, label: String, dim: usize, place: &DiscreteState) {
        let known = self.moves.iter().filter(|step| step.label == label);
        let enabled = known.flat_map(|step| step.enabled.iter().map(Vec::as_slice)).collect();
        let ignored = ignored_inputs(dim, &self.invariant, enabled);
        if !ignored.is_empty() {
            self.moves.push(ViewMove {
                label,
                is_output: false,
                enabled: ignored,
                resets: Vec::new(),
                target: place.clone(),
            });
        }
    }
}

impl ViewMove<DiscreteState> {
    /// The move of the edge with this effect under `guard`, into a location whose invariant is `target`; `None` if it can never be taken.
    pub fn of_edge(
        automaton: &Automaton,
        id: EdgeId,
        guard: &[Atom],
        effect: Effect,
        target: &Guard,
    ) -> Result<Option<Self>, GameError> {
        let after = Valuation {
            ints: &effect.ints,
            selects: &[],
        };
        let name = || tamper_timed::mutation::edge_name(automaton, id);
        let Some(invariant) = atoms_of_guard(target, after, &name)? else {
            return Ok(None);
        };
        let dim = automaton.clocks().len() + 1;
        let edge = &automaton.edges()[id];
        let action = &automaton.actions()[edge.action];
        let enabled = enabled_before(dim, &invariant, &effect.resets, guard);
        Ok(enabled.map(|enabled| Self {
            label: action.to_string(),
            is_output: action.role != Role::Input,
            enabled: vec![enabled],
            resets: effect.resets,
            target: DiscreteState {
                location: edge.target,
                ints: effect.ints.into(),
            },
        }))
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
