//! The symbolic semantics of one timed game: discrete states as nodes, edges as moves, constraints as matrix bounds.
//!
//! [`lower`] turns an automaton into an [`Arena`]; [`consistency`] prunes it to the states from which time never runs
//! out; [`explore`] and [`Pairs::explore`] collect the zones that runs of one game, or of two side by side, reach.
//! [`zone_ops`] puts zones and conjunctions together, [`timing`] gives exact delays of concrete points.
//! What is deliberately absent: refinement, tests, mutation, files.

mod arena;
pub mod bounds;
pub mod consistency;
mod error;
mod exploration;
mod lowering;
mod pairs;
pub mod timing;
pub mod zone_ops;

pub use arena::{Arena, Atom, Cases, Conjunction, INITIAL, Move, Node, index};
pub use error::{GameError, Halt};
pub use exploration::{Reach, explore};
pub use lowering::{Lowering, atoms_of_guard, checked, edge_name, lower, push_atoms, run_updates, select_values};
pub use pairs::{Agenda, Known, Pair, Pairs, Together};
