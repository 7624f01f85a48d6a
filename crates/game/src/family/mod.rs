//! All mutants of a game in one play.
//!
//! [`Families`] lowers a specification once; a [`Family`] is one game made from it by changes (none, one, …) together with
//! the facts about it, and decides its members, each made by one more [`Change`], from the parts that the change touches:
//! consistency downwards from the family's own (`delta_arena`), counterexamples of its game or of other mutants that still
//! work ([`Refutation`]), the diagonal of the product, which is the specification's zone graph, and only the remaining
//! members by the game (`member`). `docs/notes/0007-families.md` shows that each of these is exact.

mod delta_arena;
mod member;
mod refutation;

pub use delta_arena::Change;
pub use member::{Evidence, Families, Family, How, Simulation};
pub use refutation::Refutation;
