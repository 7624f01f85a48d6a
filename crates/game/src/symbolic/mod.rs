//! The symbolic semantics of timed games: discrete states as nodes, edges as moves, constraints as matrix bounds.
//!
//! [`lower`] turns an automaton into an [`Arena`]; [`consistency`] prunes it to the states from which time never runs out;
//! [`explore`] and [`Pairs::explore`] collect the zones that runs of one game, or of two side by side, reach. [`zone_ops`]
//! combines zones and conjunctions, [`timing`] gives exact delays of concrete points.
//!
//! Lowering, exploration and consistency are written once, for [`ProductSetAlgebra`] of games that share an automaton: one game
//! ([`SingleGame`], whose groups take no memory), or sets of the products of a family, in a [`SharedArena`].
//! What is deliberately absent: refinement, tests, mutation, files.

mod arena;
mod atoms;
pub mod bounds;
pub mod consistency;
mod error;
mod exploration;
mod groups;
mod ids;
mod lowering;
mod pairs;
mod reachability;
mod shared;
pub mod timing;
mod within;
pub mod zone_ops;

pub use arena::{Arena, Atom, Conjunction, ConjunctionRange, Move, Node, index};
pub use atoms::{Effect, atoms_of_guard, checked, push_atoms, run_updates, select_values};
pub use error::{GameError, Halt};
pub use exploration::{ReachedZones, expand_reached, explore, lower, lower_with};
pub use groups::{ProductSetAlgebra, SingleGame};
pub use ids::{INITIAL, INITIAL_PAIR, MoveId, NO_MOVES, NodeId, PairId};
pub use lowering::{FamilyMembers, FaultyEdge, Lowering, Variant, Variants};
pub use pairs::{Agenda, Known, Pair, PairProduct, Pairs};
pub use reachability::{NodeBounds, Walk, is_calm};
pub use shared::SharedArena;
pub use within::{Within, prune_within};

#[cfg(test)]
mod tests;
