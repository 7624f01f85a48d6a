//! Reports on transition systems and their mutants.

mod actions;
mod classification;
mod facts;
mod suites;
mod tally;
mod verdicts;

pub use actions::{ActionFacts, action_facts_text, action_verdicts_json, action_verdicts_text};
pub use classification::UntimedTable;
pub use facts::{SystemFacts, facts_text};
pub use suites::{
    ScoredMutant, SystemRun, SystemScore, system_runs_json, system_runs_text, system_score_json, system_score_text,
};
pub use verdicts::{verdicts_json, verdicts_text};
