//! The commands on untimed systems: the same verbs as for timed games.

mod actions;
mod bench;
mod check;
mod classify;
mod export;
mod keep;
mod load;
mod merge;
mod minimise;
mod refine;
#[cfg(feature = "drawing")]
mod report;
mod suites;

pub use actions::{check as check_actions, refine as refine_actions};
pub use check::check;
pub use classify::{classify, mutants_of, with_mutants};
pub use export::export;
pub use load::MutatedFile;
pub use merge::merge;
pub use minimise::minimise;
pub use refine::refine;
#[cfg(feature = "drawing")]
pub use report::report;
pub use suites::{run, score, testgen};
