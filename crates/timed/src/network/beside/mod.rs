//! The runs that a mutant of a network has in common with the original, without a composition of the mutant
//! (`docs/notes/0024-beside-the-original.md`).
//!
//! Every discrete state on these runs is one of the original, so its steps are known there, and those of the mutant are computed
//! only where it differs. Where the mutant can do something that the original cannot, the run *leaves* the original. That counts if
//! the mutant can go on from there for ever; what else is left of it is pruned.

mod answer;
mod bounds;
mod closed;
mod common;
mod deadlines;
mod future;
mod nodes;
mod reached;
mod run;
mod safe;
mod walk;

pub use answer::{Along, Asked};
pub use run::Departure;
