//! A plan, its mutants, and their records on disk.
//!
//! [`classify`] takes the mutants of a [`MutantSpace`](crate::mutation::MutantSpace) through the guidelines, the
//! duplicate check and the game, and streams one [`Record`] each into a [`Log`]; a [`Summary`] counts them. An
//! [`OutputDir`] is one locked folder of a run, opened by a [`Manifest`] that says exactly what was run, so that an
//! interrupted run can be continued. Records come in the order of the mutants' numbers whatever the number of
//! threads. What is deliberately absent: arguments, tables, terminals.

mod classify;
mod effective;
mod export;
mod extended;
mod judge;
mod log;
mod output;
mod plan;
mod record;
pub mod reproduction;
mod sample;
mod summary;
mod timer;
mod witness;

pub use classify::{Rules, Run, classify};
pub use effective::Effective;
pub use export::{Keep, export};
pub use extended::GuidelineSet;
pub use judge::{Judge, Judgement};
pub use log::Log;
pub use output::OutputDir;
pub use plan::{Limits, Manifest, ModelRef, Plan, StaticUse};
pub use record::{DecidedBy, Record, Verdict};
pub use sample::{Sample, SampleError, Selection};
pub use summary::{Summary, Tally};
pub use timer::Timer;

#[cfg(test)]
mod tests;
