//! Symbolic semantics of timed games: consistency and refinement, exactly.
//!
//! [`Specification::decide`] gives the verdict on a mutant (\[003\] Definition 7 as an alternating timed simulation).
//! `lower` turns automata into arenas of nodes, moves and matrix bounds; `cons` prunes them to their consistent
//! states; `forward` decides refinement by reachability while the responder never has a choice, `fixpoint` decides
//! it always and yields counterexamples (`witness`), which [`replay`] re-executes on the automata themselves.
//! [`decide_products`] does the same for all products of a featured game at once (`lifted`).
//! What is deliberately absent: files, text of models, mutation.

mod analysis;
mod arena;
mod baseline;
mod bounds;
mod concrete;
mod cons;
mod error;
mod explore;
mod family;
mod fixpoint;
mod forward;
mod lifted;
mod lower;
mod pairs;
mod product;
mod replay;
mod semantics;
mod specification;
pub(crate) mod timing;
mod witness;
pub(crate) mod zone_ops;

pub(crate) use arena::{Arena, Atom, INITIAL, Move};
pub(crate) use cons::before_resets;
pub(crate) use error::Halt;
pub(crate) use lower::{atoms_of_guard, lower, run_updates, select_values};
pub(crate) use pairs::{Agenda, Known, Pair, Pairs, Together};

pub use analysis::{Analysis, Overlap, analyse, takes_any};
pub use baseline::{Baseline, Containment};
pub use concrete::{ConcreteGame, ConcreteMove, ConcreteState};
pub use error::GameError;
pub use family::{Change, Evidence, Families, Family, How, Refutation, Simulation};
pub use forward::Scratch;
pub use lifted::{
    Effort, ProductVerdicts, SharedWitness, SharedWitnesses, ShownProducts, Undecided, decide_products, relocated,
    shared_witnesses, shown_products,
};
pub use replay::{ReplayError, replay};
pub use semantics::{Semantics, Unmatched};
pub use specification::{Consistency, Decision, Method, Specification, Verdict, check_consistency};
pub use witness::{Counterexample, Demand, Doing, End, GamePoint, PairPoint, Play, Side, Step};
