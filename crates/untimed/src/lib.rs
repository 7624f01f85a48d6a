//! Runs over mutants of systems without time: transition systems, action systems and state machines.
//!
//! They form one [`World`](tamper_runs::World): an [`Untimed`] names its mutants and decides them one by one (or, for action
//! systems without limits on single decisions, several in one exploration). A run is planned by an [`UntimedPlan`].

mod decide;
mod explain;
mod mutants;
mod plan;
mod records;
mod run;

pub use explain::explain;
pub use mutants::{Untimed, UntimedMutant, UntimedMutants, UntimedSettings, pair};
pub use plan::{SystemRef, UntimedManifest, UntimedPlan, UntimedWorld};
pub use records::{UntimedRecords, keep_untimed};
pub use run::UntimedRun;
