//! Networks of automata over shared variables, clocks and channels, and their composition into one game.
//!
//! A [`Network`] is resolved: types are gone, arrays and structures are cells of one memory, names are positions. One
//! evaluator ([`Machine`]) computes its expressions and runs its functions. [`compose`] explores the reachable discrete
//! states (a vector of locations and the values of all variables) by UPPAAL's rules, with zones to leave out unreachable
//! states, and returns one ordinary [`Automaton`](crate::model::Automaton): a location per discrete state. What is
//! deliberately absent: text, files, verdicts.

mod algebra;
mod atoms;
mod beside;
mod cases;
mod classes;
mod clock_bounds;
mod compose;
mod composed;
mod condition;
mod emit;
mod entered;
mod error;
mod explore;
mod expr;
mod interned;
mod machine;
mod moves;
mod original;
mod parts;
mod priorities;
mod priority;
mod races;
mod single;
mod urgent;
mod uses;
mod view;

pub use algebra::{AlgebraError, conjunction, parallel, same_actions};
pub use beside::{Along, Asked, Departure};
pub use classes::roles_of_edge;
pub use compose::{compose, compose_mutant, compose_without_faults};
pub use composed::{Composed, CompositionWords, EdgeParts, place_in_words, with_seen_steps};
pub use condition::Condition;
pub use error::{ComposeError, Fault, FaultStep, headline};
pub use expr::{Argument, Cell, Clock, Expr, Function, Place, Quantifier, Root, Statement, Step};
pub use machine::Machine;
pub use moves::State;
pub use original::Original;
pub use parts::{
    Channel, ChannelPlace, Edge, Location, Network, Process, Seen, Select, Side, Sync, Variable, Vector, VectorPart,
    odd_rate,
};
pub use races::{Mending, mending};
pub use single::labels::{Labels, RangedVariable};
pub use single::not_plain::NotSingleAutomaton;
pub use single::plain::{Own, SingleAutomaton, Stored};
pub use uses::Uses;
pub use view::{Observed, View};
