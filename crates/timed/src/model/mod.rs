//! Timed games (\[003\] Definition 2 with UPPAAL's bounded integers): resolved, well-formed, immutable.
//!
//! An [`Automaton`] is one timed game with its own clocks, integers and alphabet. It is built once, by
//! [`AutomatonBuilder`], which checks every reference; the `with_*`/`without_*` methods give changed copies
//! that share all unchanged parts. What is deliberately absent: text, spans of files, zones.

mod automaton;
mod builder;
mod cmp;
mod error;
mod expr;
mod hierarchy;
mod ids;
mod parts;
mod variants;

pub use automaton::{Automaton, Propositions, names_again};
pub use builder::AutomatonBuilder;
pub use cmp::Cmp;
pub use error::{EvalError, ModelError};
pub use expr::{BinaryOp, Expr, UnaryOp, Valuation};
pub use hierarchy::{BoxKind, Hierarchy, NestedArrow, NestedBox};
pub use ids::{ActionId, ClockId, EdgeId, IntId, LocId};
pub use parts::{
    Action, Clock, ClockConstraint, Edge, Guard, IntVar, Location, MAX_CLOCKS, Role, Select, SimpleConstraint, Update,
    Urgency,
};
pub use variants::{Variant, Variants};
