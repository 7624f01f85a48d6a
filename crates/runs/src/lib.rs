//! Runs over mutants: a plan, its mutants, and their records on disk.
//!
//! [`classify`] takes the mutants of a [`MutantSpace`](tamper_timed::mutation::MutantSpace) through the guidelines, the
//! duplicate check and the game, and streams one [`Record`] per mutant into a [`Log`]; a [`Summary`] counts them.
//! Records come in the order of the mutants' numbers, whatever the number of threads. An [`OutputDir`] is one locked
//! folder of a run, opened by a [`Manifest`] with all parameters of the run, so that an interrupted run can be
//! continued. [`walk`] exports the mutants that a [`Filter`] keeps. Failures are [`ExperimentError`]s. Deliberately
//! absent: arguments, tables, terminals.

mod accepted;
mod against;
mod certificate_queries;
mod certificates;
mod certified_folder;
mod classify;
mod constants;
mod decision;
mod diagnose;
mod duplicates;
pub mod error;
mod export;
mod fault_domain;
mod files;
mod filter;
mod joint_constants;
pub mod killing;
mod kind;
mod model_file;
mod mutant_set;
mod network_scope;
mod networks;
mod plans;
mod records;
mod run;
pub mod suite_json;
mod world;

pub use accepted::{
    AcceptedCondition, AcceptedFile, AcceptedFound, AcceptedMutant, Asked, Content, Description, LostReason, LostRow,
    Mutants, RowPosition, accepted_path, changed, day_since_1970, described, parse_day,
};
pub use against::{
    ForeignAction, Implementation, Manner, ModelOutcome, ModelRun, ModelRuns, Plays, check_alphabet, run_against,
};
pub use certificate_queries::{QueriesError, certificate_queries};
pub use certificates::{CertifiedRun, INDEX, MutantCertifier, certify_run};
pub use certified_folder::{CertifiedRecords, CheckedFile, CheckedMutant, index_against, records_against};
pub use classify::{classify, classify_drawing};
pub use constants::{ConstantInterval, ConstantSite, constant_intervals, largest_constant};
pub use decision::baseline::{BaselineError, Prepared};
pub use decision::effective::Effective;
pub use decision::extended::GuidelineSet;
pub use decision::families::{Engine, change};
pub use decision::judge::Judge;
pub use decision::one_by_one;
pub use decision::tallied::{Step, TABLE_BYTES, tally};
pub use decision::verify::{Decided, Difference, Plainly, RefusedCertificate, VerificationSample, Verified, verify};
pub use diagnose::{
    Alike, ConstantRange, Evidence, Explanation, Seen, Suspect, SuspectConstant, Suspects, constants, explanations,
    largest_reset, ranked,
};
pub use duplicates::{Classes, RunClasses, classes_of_run, duplicate_classes};
pub use error::{ExperimentError, FileAction, SharesError};
pub use export::{
    Counts, EcdarProject, ExportShares, Exported, FilesSink, FmmSink, Kept, MutantFiles, NormalForms, SHARED_FORMATS,
    Sink, Source, TableKind, TableSink, TcheckerFiles, UppaalFiles, Walk, walk,
};
pub use fault_domain::coverage::{CoveragePlan, CoverageProgress, CoverageRun, Steps, cover};
pub use fault_domain::coverage_lists::{CoverageListed, CoverageLists, Formula};
pub use fault_domain::journal::{Journal, JournalFile, JournalKey, JournalStep};
pub use fault_domain::products::{Means, ProductCounts, ProductPlan, ProductProgress, ProductRun};
pub use fault_domain::products_clauses::cover_products;
pub use fault_domain::products_journal::ProductSteps;
pub use files::{Draft, FolderLock, Output, OutputKind, abandon_drafts, refuse_clashes, write_file, write_parts};
pub use filter::{FIELDS, Field, FieldInfo, Filter, Kind, Knowledge, Needs, Places, Subject};
pub use joint_constants::{ConstantBox, JointConstants, joint_constants, n_joint_games};
pub use kind::{FileKind, RUN_RESULTS, SystemFormat, TimedFormat, is_run_results};
pub use model_file::{ModelFile, ReadNetwork, Warnings, read_model, read_model_only, read_network_file};
pub use mutant_set::{ComparedGame, MutantSet, Numbered, TestedGame};
pub use network_scope::NetworkScope;
pub use networks::{
    Component, ComponentError, FeaturedNetwork, NetworkFiles, NetworkJudge, NetworkMutant, NetworkMutants, NetworkRun,
    NetworkSettings, NetworkStep, Scope, components,
};
pub use plans::manifest::{ExportRef, RunManifest, RunPlan, RunWorld};
pub use plans::merge::{Merged, Shares};
pub use plans::output::OutputDir;
pub use plans::plan::{Limits, Manifest, ModelRef, Plan, StaticUse};
pub use plans::sample::{NoSuchSample, Sample, SampleError, Selection};
pub use plans::shard::{Shard, ShardError};
pub use plans::shares::ShareKind;
pub use plans::timer::Timer;
pub use records::csv_table::{CsvTable, csv_cell};
pub use records::line_file::{LineFile, count_lines, open_lines};
pub use records::log::{Log, MutantNote};
pub use records::percent::percent;
pub use records::record::{Facts, KillFacts, Record};
pub use records::summary::{ProcessCounts, Summary, Tally};
pub use records::verdict::{DecidedBy, Judgement, Verdict};
pub use run::{Progress, Rules, Run};
pub use world::{BatchSizes, Counting, Driver, World};

/// Name of the tool in manifests, by which its folders are recognised.
pub const TOOL: &str = "tamper";

#[cfg(test)]
mod tests;
