//! The parts of a timed game.

use std::sync::Arc;

use super::{ActionId, ClockId, Cmp, Expr, IntId, LocId};

/// The player that decides about an action (\[003\] section 4.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Controllable: the environment offers it.
    Input,
    /// Uncontrollable: the system makes it.
    Output,
    /// Uncontrollable and unnamed: `tau`, in every alphabet, matched like an output.
    Internal,
}

/// An action. Two games' actions are the same when name and role agree; `Internal` actions have the name `tau`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Action {
    /// The channel's name, without `?` or `!`.
    pub name: Arc<str>,
    /// The player that decides when the action happens.
    pub role: Role,
    /// Whether an enabled edge with this action forbids delay (`urgent chan`).
    pub urgent: bool,
}

impl Action {
    /// Whether it is not an action of the model, but shows the propositions of a location ([`super::Automaton::shown`]).
    pub fn shows_propositions(&self) -> bool {
        self.name.starts_with('{')
    }
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mark = match self.role {
            Role::Input => "?",
            Role::Output => "!",
            Role::Internal => "",
        };
        write!(f, "{}{mark}", self.name)
    }
}

/// Most clocks of a game or a network: deciding it keeps a bound for each pair of clocks.
pub const MAX_CLOCKS: usize = 400;

/// A clock: a non-negative real that grows at rate 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Clock {
    /// Its name in the file.
    pub name: Arc<str>,
    /// Whether the file gives it a property that no game supports (another start than 0, another rate than 1), while no
    /// guard or invariant uses it: no operator may use it either.
    pub is_left_out: bool,
}

/// An integer variable with bounds that hold in every state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IntVar {
    /// Its name in the file.
    pub name: Arc<str>,
    /// The least value that it may have.
    pub low: i32,
    /// The greatest value that it may have.
    pub high: i32,
    /// The value in the initial state.
    pub initial: i32,
}

/// The atom `left - right ~ bound`, or `left ~ bound` without `right`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClockConstraint {
    /// The clock that is compared.
    pub left: ClockId,
    /// The clock that is subtracted, in a diagonal constraint.
    pub right: Option<ClockId>,
    /// The sign between clock and bound.
    pub cmp: Cmp,
    /// The bound, in time units; may depend on integers.
    pub bound: Expr,
}

/// A conjunction of clock atoms and integer conditions (which hold when they are not 0).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Guard {
    /// The comparisons of clocks, all of which must hold.
    pub clocks: Vec<ClockConstraint>,
    /// The conditions on integers, all of which must hold.
    pub data: Vec<Expr>,
}

/// A guard or invariant that is exactly one clock atom `clock ~ constant`: what CXL, CXS and CCN mutate
/// (\[003\] section 5.2: "only these constraints can be mutated").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SimpleConstraint {
    /// The clock that is compared.
    pub clock: ClockId,
    /// The sign between clock and constant.
    pub cmp: Cmp,
    /// The constant, in time units.
    pub constant: i64,
}

impl Guard {
    /// The guard that always holds.
    pub fn always() -> Self {
        Self::default()
    }
    /// Whether it has no condition at all.
    pub fn is_trivial(&self) -> bool {
        self.clocks.is_empty() && self.data.is_empty()
    }
    /// This guard as one clock atom with a constant bound, if it is exactly that.
    pub fn as_simple(&self) -> Option<SimpleConstraint> {
        match (self.clocks.as_slice(), self.data.as_slice()) {
            ([atom], []) if atom.right.is_none() => Some(SimpleConstraint {
                clock: atom.left,
                cmp: atom.cmp,
                constant: atom.bound.as_const()?,
            }),
            _ => None,
        }
    }
}

impl From<SimpleConstraint> for Guard {
    fn from(simple: SimpleConstraint) -> Self {
        Self {
            clocks: vec![ClockConstraint {
                left: simple.clock,
                right: None,
                cmp: simple.cmp,
                bound: Expr::Const(simple.constant),
            }],
            data: Vec::new(),
        }
    }
}

/// One assignment of an edge; the assignments of an edge happen in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Update {
    /// The clock takes the value of the expression (a natural number).
    Reset(ClockId, Expr),
    /// The integer takes the value of the expression.
    Assign(IntId, Expr),
}

/// Whether time may pass in a location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Urgency {
    /// Time may pass in the location.
    #[default]
    Normal,
    /// No time passes in the location.
    Urgent,
    /// No time passes in the location (in a single game committed means urgent).
    Committed,
}

/// A location with its invariant and urgency.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// Its name, unique in the automaton.
    pub name: Arc<str>,
    /// The condition that holds while a run stays.
    pub invariant: Guard,
    /// Whether time may pass in it.
    pub urgency: Urgency,
}

/// A variable that ranges over `low..=high`, chosen when the edge is taken.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Select {
    /// Its name in the file.
    pub name: Arc<str>,
    /// The least value that can be selected.
    pub low: i32,
    /// The greatest value that can be selected.
    pub high: i32,
}

/// An edge with its action, guard and updates.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edge {
    /// The location that the edge leaves.
    pub source: LocId,
    /// The location that the edge enters.
    pub target: LocId,
    /// The action that the edge performs.
    pub action: ActionId,
    /// The condition under which the edge can be taken.
    pub guard: Guard,
    /// The assignments, executed in this order.
    pub updates: Vec<Update>,
    /// Its select variables: the edge stands for one edge per combination of their values.
    pub selects: Vec<Select>,
}
