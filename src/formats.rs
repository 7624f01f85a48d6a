//! Text to games, machines and back: a single access to the packages of readers and writers.
//!
//! A reader answers exactly or refuses by name: nothing in a file is skipped silently. Every finding is a
//! [`Diagnostic`](crate::text::Diagnostic) with a span into the decoded text; [`render`] draws it.

pub use tamper_features::formats as feature_model;
pub use tamper_interchange::{
    EcdarComponent, EcdarQuery, read_ecdar, read_ecdar_only, read_ecdar_queries, read_scxml, read_tchecker,
    read_tchecker_network, read_xstate, write_component, write_global_declarations, write_tchecker,
};
pub use tamper_machines::formats as machines;
pub use tamper_programs::{Runner, write_c, write_javascript, write_pytest, write_tokio};
pub use tamper_report::{
    JunitCase, JunitResult, JunitSuite, MutantStatus, ScoredMutant, ScoredReport, write_annotations,
    write_code_quality, write_failures, write_junit, write_sarif, write_stryker,
};
pub use tamper_runs::{
    CsvTable, FileKind, LineFile, ModelFile, NetworkScope, RUN_RESULTS, ReadNetwork, SystemFormat, TimedFormat,
    Warnings, count_lines, csv_cell, is_run_results, open_lines, read_model, read_model_only, read_network_file,
    suite_json,
};
pub use tamper_systems::formats::{actions, btor2, hyper, smv, suite as system_suite};
pub use tamper_text::{ReadError, render};
pub use tamper_uppaal as uppaal;
pub use tamper_uppaal::input::{STDIN, read_input, read_own, read_own_text, read_text, refuse_pipe};
pub use tamper_uppaal::{
    Changed, Document, Drawing, EdgeAt, Edit, Inexpressible, InputEnabling, IoConvention, Layout, LocationAt,
    NetworkFile, Part, Placement, Point, ReadOptions, Replacement, Spelling, TemplateMutants, TesterFiles, WriteError,
    check_composable, choose_mutant, guard_text, read_bytes, read_file, read_network, read_only, read_xta,
    read_xta_network, replacements, selects_text, template_placement, updates_text, write_automaton, write_drawn,
    write_featured, write_featured_network, write_mutant, write_mutations, write_network_mutant, write_remarked,
    write_tester,
};
