//! Parallel composition and conjunction of open games, as networks.
//!
//! Games that ignore inputs that no edge accepts are processes that broadcast: a game receives an output if it has it as an
//! input, and no game blocks it. A conjunction makes an output only if both games make it, which is a handshake. (David,
//! Larsen, Legay, Nyman, Wasowski: Timed I/O automata, HSCC 2010.)

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::ComposeError;
use super::{
    Cell, Channel, ChannelPlace, Condition, Edge, Expr, Labels, Location, Network, Process, RangedVariable, Select,
    Sync, Variable, View, compose,
};
use crate::model::{self, Automaton, BinaryOp, Role, Urgency};
use tamper_text::{Budget, Id};

/// The reason why games have no composition or conjunction.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AlgebraError {
    /// The game refuses inputs instead of ignoring them.
    #[error(
        "`{0}` refuses inputs that no edge accepts; composition is about games that ignore them: give it an IO \
        line, or use --input-enabling on"
    )]
    RefusesInputs(String),
    /// The game uses the channel in both directions.
    #[error("`{0}` has `{1}` as an input and as an output")]
    BothWays(String, String),
    /// Both games have the output.
    #[error("both sides of `||` have the output `{0}`: the outputs must be disjoint")]
    SharedOutput(String),
    /// The games of a conjunction do not have the same actions.
    #[error("the sides of `&&` must have the same actions, but only one has `{0}`: name it in an IO line")]
    Alphabets(String),
    /// A game of a conjunction has internal steps.
    #[error("`{0}` has internal steps, for which `&&` is not defined")]
    Internal(String),
    /// The channel is urgent.
    #[error("the channel `{0}` is urgent, which is not supported in expressions")]
    Urgent(String),
    /// An edge with that input changes variables on which the invariant of its target depends.
    #[error(
        "`{0}`: an edge with `{1}?` changes variables on which the invariant of its target depends, which is \
        not supported in expressions"
    )]
    Invariant(String, String),
    /// The processes have no composition.
    #[error("{0}")]
    Compose(ComposeError),
}

/// `left || right`: outputs are disjoint; an output of one game that the other has as an input is taken by both and stays
/// an output; the inputs of the composition are the inputs that neither game outputs.
///
/// # Errors
/// See [`AlgebraError`].
pub fn parallel(left: &Automaton, right: &Automaton, budget: &Budget) -> Result<Automaton, AlgebraError> {
    for action in outputs(left) {
        if outputs(right).any(|other| other.name == action.name) {
            return Err(AlgebraError::SharedOutput(action.name.to_string()));
        }
    }
    composed(left, right, false, budget)
}

/// `left && right`: both must allow an output, or the passing of time; the actions are the same.
///
/// # Errors
/// See [`AlgebraError`].
pub fn conjunction(left: &Automaton, right: &Automaton, budget: &Budget) -> Result<Automaton, AlgebraError> {
    same_actions(left, right)?;
    for game in [left, right] {
        if game
            .edges()
            .iter()
            .any(|edge| game.actions()[edge.action].role == Role::Internal)
        {
            return Err(AlgebraError::Internal(game.name().to_owned()));
        }
    }
    composed(left, right, true, budget)
}

/// Refuses games that do not have the same inputs and outputs.
///
/// # Errors
/// [`AlgebraError::Alphabets`].
pub fn same_actions(left: &Automaton, right: &Automaton) -> Result<(), AlgebraError> {
    for (game, other) in [(left, right), (right, left)] {
        for action in game.actions().iter().filter(|action| action.role != Role::Internal) {
            let is_same = |known: &&model::Action| known.name == action.name && known.role == action.role;
            if !other.actions().iter().any(|known| is_same(&known)) {
                return Err(AlgebraError::Alphabets(action.to_string()));
            }
        }
    }
    Ok(())
}

fn outputs(game: &Automaton) -> impl Iterator<Item = &model::Action> {
    game.actions().iter().filter(|action| action.role == Role::Output)
}

fn composed(left: &Automaton, right: &Automaton, both: bool, budget: &Budget) -> Result<Automaton, AlgebraError> {
    let mut network = Network::default();
    let mut channels = BTreeMap::<Arc<str>, u32>::new();
    for (game, is_second) in [(left, false), (right, true)] {
        check(game)?;
        for action in game.actions().iter().filter(|action| action.role != Role::Internal) {
            channels.entry(Arc::clone(&action.name)).or_insert_with(|| {
                network.channels.push(Channel {
                    by_vectors: false,
                    name: Arc::clone(&action.name),
                    broadcast: !both || action.role == Role::Input,
                    urgent: false,
                    priority: 0,
                });
                u32::try_from(network.channels.len() - 1).expect("fewer than 2^32 channels")
            });
        }
        let builder = ProcessBuilder {
            game,
            channels: &channels,
            labels: labels(game, &network),
            answers: both && is_second,
        };
        let process = builder.process()?;
        // The clocks and variables of a composition already have qualified names.
        let named = |own: &Arc<str>| match game.name().contains(' ') {
            true => Arc::clone(own),
            false => format!("{}.{own}", game.name()).into(),
        };
        let left_out = game.clocks().iter().zip(network.clocks.len()..);
        let left_out = left_out.filter(|(clock, _)| clock.is_left_out);
        network.left_out.extend(left_out.map(|(_, at)| at));
        network
            .clocks
            .extend(game.clocks().iter().map(|clock| named(&clock.name)));
        network.variables.extend(game.ints().iter().map(|int| Variable {
            name: named(&int.name),
            initial: int.initial,
            low: int.low,
            high: int.high,
            boolean: false,
            meta: false,
        }));
        network.processes.push(process);
    }
    let sign = if both { "&&" } else { "||" };
    let name = format!("({} {sign} {})", left.name(), right.name());
    let composed = compose(&network, &View::closed(name, &network), budget).map_err(AlgebraError::Compose)?;
    Ok(composed.automaton.with_atomic_steps(false).with_input_enabling(true))
}

/// Whether the game can be an operand.
fn check(game: &Automaton) -> Result<(), AlgebraError> {
    let name = || game.name().to_owned();
    let mut inputs = game.actions().iter().filter(|action| action.role == Role::Input);
    if let Some(urgent) = game.actions().iter().find(|action| action.urgent) {
        return Err(AlgebraError::Urgent(urgent.name.to_string()));
    }
    if let Some(both) = outputs(game).find(|output| inputs.clone().any(|input| input.name == output.name)) {
        return Err(AlgebraError::BothWays(name(), both.name.to_string()));
    }
    match inputs.next() {
        Some(_) if !game.is_input_enabled() => Err(AlgebraError::RefusesInputs(name())),
        _ => Ok(()),
    }
}

/// The clocks and integers of `game` as labels of a network, numbered after the clocks and variables of `network`.
fn labels(game: &Automaton, network: &Network) -> Labels {
    let position = |behind: usize, at: usize| u32::try_from(behind + at).expect("fewer than 2^32 parts");
    let slot = |(at, int): (usize, &model::IntVar)| RangedVariable {
        at: position(network.variables.len(), at),
        cell: Arc::new(Cell {
            name: Arc::clone(&int.name),
            low: int.low,
            high: int.high,
            boolean: false,
        }),
    };
    Labels {
        clocks: (0..game.clocks().len())
            .map(|at| position(network.clocks.len(), at))
            .collect(),
        variables: game.ints().iter().enumerate().map(slot).collect(),
    }
}

/// Makes a process of a game.
struct ProcessBuilder<'a> {
    game: &'a Automaton,
    channels: &'a BTreeMap<Arc<str>, u32>,
    labels: Labels,
    /// Whether its outputs receive the same outputs of the other game instead of sending them (the second game of a
    /// conjunction).
    answers: bool,
}

impl ProcessBuilder<'_> {
    fn process(&self) -> Result<Process, AlgebraError> {
        let game = self.game;
        let locations = game.locations().iter().map(|location| Location {
            name: Arc::clone(&location.name),
            // In a single game committed means urgent.
            urgency: match location.urgency {
                Urgency::Committed => Urgency::Urgent,
                other => other,
            },
            invariant: Condition::And(self.labels.conjuncts(&location.invariant).collect()),
            frame: 0,
        });
        let edges: Result<Vec<Edge>, AlgebraError> = game.edges().iter().map(|edge| self.edge(edge)).collect();
        let mut edges = edges?;
        // Actions without an edge belong to the alphabet, too.
        for (id, action) in game.actions().iter_enumerated() {
            if action.role != Role::Internal && game.edges().iter().all(|edge| edge.action != id) {
                edges.push(Edge {
                    source: game.initial().index(),
                    target: game.initial().index(),
                    selects: Vec::new(),
                    guard: Condition::Data(Expr::Const(0)),
                    sync: self.sync(action),
                    updates: Vec::new(),
                    frame: 0,
                    place: "alphabet".into(),
                });
            }
        }
        Ok(Process {
            name: game.name().into(),
            locations: locations.collect(),
            edges,
            initial: game.initial().index(),
            priority: 0,
        })
    }

    fn edge(&self, edge: &model::Edge) -> Result<Edge, AlgebraError> {
        let action = &self.game.actions()[edge.action];
        let mut guard = vec![Condition::And(self.labels.conjuncts(&edge.guard).collect())];
        if action.role == Role::Input {
            guard.push(self.entered(edge)?);
        }
        Ok(Edge {
            source: edge.source.index(),
            target: edge.target.index(),
            selects: edge
                .selects
                .iter()
                .map(|select| Select {
                    low: select.low,
                    high: select.high,
                })
                .collect(),
            guard: Condition::And(guard),
            sync: self.sync(action),
            updates: edge.updates.iter().map(|update| self.labels.update(update)).collect(),
            frame: u32::try_from(edge.selects.len()).expect("few select variables"),
            place: action.to_string().into(),
        })
    }

    fn sync(&self, action: &model::Action) -> Option<Sync> {
        let base = *self
            .channels
            .get(&action.name)
            .filter(|_| action.role != Role::Internal)?;
        Some(Sync {
            channel: ChannelPlace {
                base,
                steps: Vec::new(),
            },
            sends: action.role == Role::Output && !self.answers,
        })
    }

    /// The condition under which the atom holds after its clocks are set to the given values (`None`: not set).
    fn before(&self, atom: &model::ClockConstraint, [left, right]: [Option<&model::Expr>; 2]) -> Condition {
        let labels = &self.labels;
        let bound = labels.expr(&atom.bound);
        let calculated = |op, left, right| Expr::Binary(op, Box::new(left), Box::new(right));
        match (left, atom.right, right) {
            (None, _, None) => labels.atom(atom),
            (None, _, Some(value)) => labels.atom_of(
                atom.left,
                atom.cmp,
                calculated(BinaryOp::Add, bound, labels.expr(value)),
            ),
            (Some(value), None, _) => Condition::Data(calculated(atom.cmp.into(), labels.expr(value), bound)),
            (Some(value), Some(right), None) => {
                let most = calculated(BinaryOp::Sub, labels.expr(value), bound);
                labels.atom_of(right, atom.cmp.mirrored(), most)
            }
            (Some(value), Some(_), Some(other)) => {
                let difference = calculated(BinaryOp::Sub, labels.expr(value), labels.expr(other));
                Condition::Data(calculated(atom.cmp.into(), difference, bound))
            }
        }
    }

    /// The condition under which the target's invariant holds after the edge; if it does not, the input is ignored.
    fn entered(&self, edge: &model::Edge) -> Result<Condition, AlgebraError> {
        let invariant = &self.game.locations()[edge.target].invariant;
        let assigns = edge
            .updates
            .iter()
            .any(|update| matches!(update, model::Update::Assign(..)));
        let value = |clock| {
            edge.updates.iter().rev().find_map(|update| match update {
                model::Update::Reset(set, value) if *set == clock => Some(value),
                _ => None,
            })
        };
        let mut parts: Vec<Condition> = invariant
            .data
            .iter()
            .map(|data| Condition::Data(self.labels.expr(data)))
            .collect();
        let mut is_plain = !assigns || invariant.data.is_empty();
        for atom in &invariant.clocks {
            let set = [Some(atom.left), atom.right].map(|clock| clock.and_then(value));
            let is_known = |value: Option<&model::Expr>| value.is_none_or(|value| value.as_const().is_some());
            is_plain &= !assigns || (atom.bound.as_const().is_some() && set.into_iter().all(is_known));
            parts.push(self.before(atom, set));
        }
        match is_plain {
            true => Ok(Condition::And(parts)),
            false => Err(AlgebraError::Invariant(
                self.game.name().to_owned(),
                self.game.actions()[edge.action].name.to_string(),
            )),
        }
    }
}
