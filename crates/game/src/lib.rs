//! Symbolic semantics of timed games: consistency and refinement, exactly.
//!
//! [`Specification::decide`] gives the verdict on a mutant (\[003\] Definition 7 as an alternating timed simulation).
//! Both games are lowered and pruned to their consistent states ([`crate::symbolic`]); `forward` decides refinement by
//! reachability while the responder never has a choice, `fixpoint` decides it always and yields counterexamples
//! (`witness`), which [`replay`] re-executes on the automata themselves.
//! [`decide_products`] does the same for all products of a featured game at once (`lifted`).
//! What is deliberately absent: files, text of models, mutation.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod analysis;
mod answer_heuristic;
mod baseline;
mod certificate;
mod composed;
mod concrete;
mod constructed;
mod family;
mod fixpoint;
mod forward;
mod hidden;
mod lifted;
mod product;
mod replay;
mod responder;
mod semantics;
mod specification;
pub mod symbolic;
#[cfg(test)]
mod tests;
mod unanswered;
mod why;
mod witness;

pub use crate::symbolic::GameError;
pub use analysis::{Analysis, Consistency, Overlap, analyse, input_overlaps, takes_any};
pub use baseline::Baseline;
pub use baseline::containment::Containment;
pub use certificate::{Certification, Certifier, Uncertified, normal_form};
pub use composed::Origin;
pub use concrete::{ConcreteGame, ConcreteMove, ConcreteState};
pub use constructed::{ConstructionError, ignoring, pruned, quotient};
pub use family::{Change, Evidence, Families, Family, How, Refutation, Simulation};
pub use forward::Scratch;
pub use hidden::{Difference, Effort as HiddenEffort, Observation, Seen, SeenStep};
pub use lifted::{
    Effort, FeaturedRunGraph, Goal, ProductVerdicts, SharedWitness, SharedWitnesses, ShownProducts, Undecided, Way,
    decide_products, shared_witnesses, shown_products, ways,
};
pub use product::StateId;
pub use replay::{ReplayError, replay};
pub use semantics::{Semantics, Unmatched};
pub use specification::{Decision, Disproof, Method, Specification, Verdict, check_consistency};
pub use why::{WhyDead, why_dead};
pub use witness::{Counterexample, Demand, Doing, End, GamePoint, PairPoint, Play, Side, Step};
