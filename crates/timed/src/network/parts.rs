//! The parts of a network.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::expr::reach;
use super::{Cell, Clock, Condition, Expr, Function, Step};
use crate::model::{Role, Urgency};

/// Several processes over shared variables, clocks and channels.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// One per cell of the state.
    pub variables: Vec<Variable>,
    /// The cells behind the variables, which never change.
    pub constants: Vec<i32>,
    /// The names of the clocks.
    pub clocks: Vec<Arc<str>>,
    /// The positions of the clocks with properties that no game supports (their start, their rate). Nothing is compared
    /// with them.
    pub left_out: BTreeSet<usize>,
    /// The clocks that start at another value than 0, each with the variable that holds what the clock is ahead of one that
    /// starts at 0: the value at the start, and 0 once the clock is set.
    pub ahead: Vec<(u32, u32)>,
    /// The channels, arrays of them element by element.
    pub channels: Vec<Channel>,
    /// The functions, in the order of their declaration: each calls earlier ones only.
    pub functions: Vec<Function>,
    /// The processes, in the order of the system line.
    pub processes: Vec<Process>,
    /// The synchronisation vectors, which determine the steps on channels with `by_vectors`.
    pub vectors: Vec<Vector>,
}

/// A synchronisation vector (Arnold and Nivat; TChecker's `sync`): edges of several processes that are one step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vector {
    /// The action that shows the step; `None` if it is internal.
    pub seen: Option<Seen>,
    /// The participants, in the order in which their updates are done. A vector without participants is an action that
    /// never happens.
    pub parts: Vec<VectorPart>,
}

/// An action by its channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The position of the channel that has its name.
    pub channel: u32,
    /// Whether it is an input or an output.
    pub role: Role,
}

/// A process in a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VectorPart {
    /// The position of the process.
    pub process: usize,
    /// The channel of its edges that take part.
    pub channel: u32,
    /// Whether the step takes place without the process if none of these edges leaves its location, whatever guards say.
    pub is_weak: bool,
}

/// One cell of the state.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Its name, with the indices and fields that lead to it.
    pub name: Arc<str>,
    /// Its value at the start.
    pub initial: i32,
    /// Least value.
    pub low: i32,
    /// Greatest value.
    pub high: i32,
    /// Whether every number but 0 is stored as 1.
    pub boolean: bool,
    /// Whether it is not part of the state: it has a value only within the step that writes it.
    pub meta: bool,
}

/// A channel.
#[derive(Clone, PartialEq, Debug)]
pub struct Channel {
    /// Its name, with the indices that lead to it.
    pub name: Arc<str>,
    /// Whether every process that can receive takes part, and no receiver is needed.
    pub broadcast: bool,
    /// Whether a synchronisation that is enabled forbids delay.
    pub urgent: bool,
    /// Its priority; greater is higher, 0 the default.
    pub priority: i32,
    /// Whether only vectors determine the participants.
    pub by_vectors: bool,
}

/// Whether a process is under test or part of its environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Under test.
    System,
    /// Around the process under test.
    Environment,
}

/// An instance of a template.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: Arc<str>,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Its edges, in the order of the file.
    pub edges: Vec<Edge>,
    /// The position of the initial location.
    pub initial: usize,
    /// Its priority; greater is higher.
    pub priority: i32,
}

/// A location of a process.
#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    /// Its name.
    pub name: Arc<str>,
    /// Whether time may pass.
    pub urgency: Urgency,
    /// Its invariant.
    pub invariant: Condition,
    /// Cells of the frame that the invariant needs.
    pub frame: u32,
}

impl Location {
    /// Whether time may end in it, or does not pass.
    pub(super) fn may_stop_time(&self) -> bool {
        self.urgency != Urgency::Normal || self.invariant.has_upper_bound()
    }
}

/// An edge of a process.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// The position of its source location.
    pub source: usize,
    /// The position of its target location.
    pub target: usize,
    /// The edge stands for one edge per combination of their values, which are the first cells of its frame.
    pub selects: Vec<Select>,
    /// Its guard.
    pub guard: Condition,
    /// Its synchronisation.
    pub sync: Option<Sync>,
    /// Its updates, in order.
    pub updates: Vec<Expr>,
    /// Cells of the frame that its labels need.
    pub frame: u32,
    /// Its place, for messages: `line 12`.
    pub place: Arc<str>,
}

/// The values of a select variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Select {
    /// Least value.
    pub low: i32,
    /// Greatest value.
    pub high: i32,
}

/// One end of a channel.
#[derive(Clone, PartialEq, Debug)]
pub struct Sync {
    /// The channel.
    pub channel: ChannelPlace,
    /// `!`, else `?`.
    pub sends: bool,
}

/// A channel, or an element of an array of channels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelPlace {
    /// The position of the (first) channel.
    pub base: u32,
    /// The indices.
    pub steps: Vec<Step>,
}

/// The positions that `clock` may have, if its rate is not constantly 1.
pub fn odd_rate(clock: &Clock, rate: &Expr) -> std::ops::Range<usize> {
    match rate.as_const() {
        Some(1) => 0..0,
        _ => clock.range(),
    }
}

impl Variable {
    /// The range of its values.
    pub fn cell(&self) -> Cell {
        Cell {
            name: Arc::clone(&self.name),
            low: self.low,
            high: self.high,
            boolean: self.boolean,
        }
    }
}

impl Network {
    /// Whether some channel or process has priority over others.
    pub fn has_priorities(&self) -> bool {
        let first = self.processes.first().map(|process| process.priority);
        self.channels.iter().any(|channel| channel.priority != 0)
            || self.processes.iter().any(|process| Some(process.priority) != first)
    }

    /// The variable that holds what the clock is ahead of one that starts at 0, if it may be ahead.
    pub(super) fn ahead(&self, clock: usize) -> Option<u32> {
        let mut ahead = self.ahead.iter();
        ahead
            .find(|(known, _)| *known as usize == clock)
            .map(|(_, variable)| *variable)
    }

    /// Whether the condition holds for the same clock values in all states: no variable and no clock that may be ahead is in it.
    pub(super) fn is_constant(&self, condition: &Condition) -> bool {
        let mut may_be_ahead = false;
        condition.atoms(&mut |left, right, _| {
            let mut clocks = left.range().chain(right.into_iter().flat_map(Clock::range));
            may_be_ahead |= !self.ahead.is_empty() && clocks.any(|clock| self.ahead(clock).is_some());
        });
        !may_be_ahead && condition.is_constant()
    }

    /// Whether the variable is one of the file: the others only tell what a clock is ahead.
    pub(super) fn is_declared(&self, variable: usize) -> bool {
        self.ahead.iter().all(|(_, ahead)| *ahead as usize != variable)
    }

    /// Removes the rates of clocks that nothing is compared with from the invariants: no run can tell. Returns their
    /// number.
    pub fn drop_rates_without_effect(&mut self) -> usize {
        let mut compared = vec![false; self.clocks.len()];
        self.conditions(&mut |condition| {
            condition.atoms(&mut |left, right, _| {
                for clock in [Some(left), right].into_iter().flatten() {
                    compared[clock.range()].fill(true);
                }
            });
        });
        let keep = |clock: &Clock| compared[clock.range()].contains(&true);
        let (mut n_dropped, left_out) = (0, &mut self.left_out);
        let locations = self.processes.iter_mut().flat_map(|process| &mut process.locations);
        locations.for_each(|location| {
            location.invariant.drop_rates(&keep, &mut |clock, rate| {
                n_dropped += 1;
                left_out.extend(odd_rate(clock, rate));
            });
        });
        n_dropped
    }

    /// The vectors in which the edge takes part, and its part in each.
    pub fn vectors_of(&self, process: usize, edge: usize) -> impl Iterator<Item = (&Vector, VectorPart)> {
        let channel = self.processes[process].edges[edge].sync.as_ref();
        let channel = channel.map(|sync| sync.channel.base);
        self.vectors.iter().flat_map(move |vector| {
            let is_meant = move |part: &&VectorPart| part.process == process && Some(part.channel) == channel;
            vector.parts.iter().filter(is_meant).map(move |part| (vector, *part))
        })
    }

    /// Calls `visit` with every guard and invariant.
    pub(super) fn conditions(&self, visit: &mut impl FnMut(&Condition)) {
        for process in &self.processes {
            process.locations.iter().for_each(|location| visit(&location.invariant));
            process.edges.iter().for_each(|edge| visit(&edge.guard));
        }
    }

    /// The edge as messages name it.
    pub(super) fn edge_name(&self, process: usize, edge: usize) -> String {
        self.edge_of(&self.processes[process].name, process, edge)
    }

    /// The edge in messages, as one of `owner`.
    pub(super) fn edge_of(&self, owner: &str, process: usize, edge: usize) -> String {
        let process = &self.processes[process];
        let edge = &process.edges[edge];
        let [source, target] = [edge.source, edge.target].map(|at| &process.locations[at].name);
        format!("{owner}: {source} -> {target} ({})", edge.place)
    }
}

impl ChannelPlace {
    /// The positions that it may have.
    pub fn range(&self) -> std::ops::Range<usize> {
        reach(self.base, &self.steps)
    }
}
