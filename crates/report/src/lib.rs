//! Reports, from records to tables and sentences: text, CSV and JSON.
//!
//! Every function here depends on its arguments alone; the JSON forms keep the order of their fields. Deliberately absent: files,
//! terminals, progress.

mod answered;
mod answers;
mod classification;
mod constants;
mod counterexample;
mod coverage;
mod diagnosis;
mod difference;
#[cfg(feature = "drawing")]
mod drawing;
mod exchange;
mod facts;
mod families;
mod fault_domain;
#[cfg(feature = "drawing")]
mod figures;
mod masking;
mod model_runs;
#[cfg(feature = "drawing")]
mod page;
mod products;
mod run_plan;
mod score;
mod smallest;
pub mod systems;
mod table;
mod test_runs;
mod why;

pub use answered::{AnsweredStep, machine_json, machine_text, steps_text, word_json, word_text};
pub use classification::{
    AcceptedVerdict, accepted_text, classification_csv, classification_json, classification_text,
};
pub use constants::{constants_text, joint_constants_text};
pub use counterexample::{counterexample_json, counterexample_text};
pub use coverage::{coverage_json, coverage_text, percent};
pub use diagnosis::{Diagnosis, diagnosis_json, diagnosis_text};
pub use difference::{Compared, MachineFamily, machines_json, machines_text};
#[cfg(feature = "drawing")]
pub use drawing::{
    BACK, BarChart, FORWARD, Group, HORIZONTAL, Mark, SOLID, Scene, Series, bars_svg, scenes_dot, scenes_svg, tree_dot,
    tree_svg,
};
pub use exchange::annotations::{write_annotations, write_failures};
pub use exchange::code_quality::write_code_quality;
pub use exchange::junit::{JunitProgram, junit_of_models, junit_of_program};
pub use exchange::junit_xml::{JunitCase, JunitResult, JunitSuite, write_junit};
pub use exchange::sarif::write_sarif;
pub use exchange::scored_report::{MutantStatus, ScoredMutant, ScoredReport};
pub use exchange::stryker::write_stryker;
pub use facts::{Facts, facts_text};
pub use families::{
    FamilyFacts, FileFacts, ModelFacts, MutantModelFacts, WhyFacts, family_text, model_text, mutant_model_text,
    product_names, why_text,
};
pub use fault_domain::{DomainReport, ProductNames, domain_json, domain_text};
#[cfg(feature = "drawing")]
pub use figures::{Figures, NotThere, Shown};
pub use model_runs::{ModelCounts, model_runs_json, model_runs_text};
#[cfg(feature = "drawing")]
pub use page::{LivePage, PageFacts, PlayedGames, ResultsPage, RunPage, SuitePage};
pub use products::ProductsReport;
pub use run_plan::RunPlan;
pub use score::{account_json, score_json, score_text};
pub use smallest::{smallest_json, smallest_text};
pub use table::{Cell, Head, Table};
pub use test_runs::{RunCounts, log_line, test_runs_json, test_runs_text};

#[cfg(test)]
mod tests;
