//! Text to games, machines and back: the only parsers and printers of the crate.
//!
//! A reader answers exactly or refuses by name: nothing in a file is skipped silently. Every finding is a
//! [`Diagnostic`](crate::text::Diagnostic) with a span into the decoded text; [`render`] draws it.
//! What is deliberately absent: any meaning beyond what the file says (no exploration, no verdicts).

mod annotations;
mod csv_table;
mod harness;
mod junit;
mod kind;
mod lines;
mod model_file;
mod network_scope;
mod sarif;
mod scored_report;
mod stryker;
pub mod suite_json;

pub use annotations::{write_annotations, write_failures};
pub use csv_table::{CsvTable, csv_cell};
pub use harness::{Runner, write_c, write_javascript, write_pytest, write_tokio};
pub use junit::{JunitCase, JunitResult, JunitSuite, write_junit};
pub use kind::{Kind, RUN_RESULTS, SystemFormat, TimedFormat, is_run_results};
pub use lines::{LineFile, count_lines, open_lines};
pub use model_file::{ModelFile, ReadNetwork, Warnings, read_model, read_model_only, read_network_file};
pub use network_scope::NetworkScope;
pub use sarif::write_sarif;
pub use scored_report::{MutantStatus, ScoredMutant, ScoredReport};
pub use stryker::write_stryker;
pub use tamper_uppaal::{
    Changed, Document, Drawing, EdgeAt, Edit, InputEnabling, IoConvention, Layout, LocationAt, NetworkFile, Placement,
    Point, ReadOptions, Replacement, Spelling, TemplateMutants, TesterFiles, WriteError, check_composable,
    choose_mutant, guard_text, read_bytes, read_file, read_network, read_only, replacements, selects_text,
    template_placement, updates_text, write_automaton, write_drawn, write_featured, write_featured_network,
    write_mutant, write_mutations, write_network_mutant, write_remarked, write_tester,
};

pub use crate::features::formats as feature_model;
pub use crate::machines::formats as machines;
pub use crate::systems::formats::{actions, btor2, hyper, smv, suite as system_suite};
pub use crate::text::{ReadError, render};
pub use tamper_interchange::{
    EcdarComponent, EcdarQuery, read_ecdar, read_ecdar_only, read_ecdar_queries, read_tchecker, read_tchecker_network,
    write_component, write_global_declarations, write_tchecker,
};
pub use tamper_uppaal as uppaal;
pub use tamper_uppaal::input::{STDIN, read_input, read_own, read_own_text, read_text, refuse_pipe};
pub use tamper_uppaal::{Inexpressible, Part, read_xta, read_xta_network};
