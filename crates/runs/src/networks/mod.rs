//! Mutants of networks: a change of one process, judged on the compositions.
//!
//! A [`Component`] is a set of processes that change together: a template with all its instances, or one instance. The
//! operators see it as an automaton. Their changes are transferred to the network, which is composed again, as far as
//! the change concerns it, and judged from facts about the original (`docs/notes/0017-mutants-of-networks.md`). A
//! mutant is also judged alone, as an open game, so that a run can report what the rest of the network masks.

mod candidates;
mod component;
mod digest;
mod export;
mod hypotheses;
mod judge;
mod mutants;
mod process_view;
mod remaining_parts;
mod run;
mod single_process;
mod stage;
mod unseen;

pub use component::{Component, ComponentError, Scope, components};
pub use export::{FeaturedNetwork, NetworkFiles};
pub(super) use judge::HIDDEN;
pub use judge::{NetworkJudge, NetworkSettings};
pub use mutants::{NetworkMutant, NetworkMutants};
pub use run::NetworkRun;
pub use stage::NetworkStep;
