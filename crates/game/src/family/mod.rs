//! All mutants of a game in one play.
//!
//! [`Families`] lowers a specification once; a [`Family`] is one game made from it by changes (none, one, …) together
//! with what is known about it, and decides its members, each made by one more [`Change`], by what the change touches:
//! consistency downwards from the family's own (`delta_arena`), counterexamples of its game or of other mutants that
//! still work ([`Refutation`]), the diagonal of the product, which is the specification's zone graph, and only
//! what is left by the game (`member`). Why each is exact: `docs/notes/0007-families.md`.

mod delta_arena;
mod member;
mod refutation;

pub use delta_arena::Change;
pub use member::{Evidence, Families, Family, How, Simulation};
pub use refutation::Refutation;
