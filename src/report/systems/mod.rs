//! What is shown of transition systems and their mutants.

mod classification;
mod explain;
mod facts;
mod verdicts;

pub use classification::{Judged, Outcome, classification_json, classification_text};
pub use explain::explain;
pub use facts::{SystemFacts, facts_text};
pub use verdicts::{verdicts_json, verdicts_text};
