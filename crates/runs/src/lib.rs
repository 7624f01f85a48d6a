//! Runs over mutants: a plan, its mutants, and their records on disk.
//!
//! [`classify`] takes the mutants of a [`MutantSpace`](tamper_timed::mutation::MutantSpace) through the guidelines, the
//! duplicate check and the game, and streams one [`Record`] per mutant into a [`Log`]; a [`Summary`] counts them.
//! Records come in the order of the mutants' numbers, whatever the number of threads. An [`OutputDir`] is one locked
//! folder of a run, opened by a [`Manifest`] with all parameters of the run, so that an interrupted run can be
//! continued. [`walk`] exports the mutants that a [`Filter`] keeps. Failures are [`ExperimentError`]s. Deliberately
//! absent: arguments, tables, terminals.

mod against;
mod baseline;
mod chunk;
mod classify;
mod constants;
mod coverage;
mod coverage_lists;
mod csv_table;
mod diagnose;
mod duplicates;
mod each;
mod effective;
pub mod error;
mod export;
mod extended;
mod families;
mod files;
mod filter;
mod joint_constants;
mod journal;
mod judge;
pub mod killing;
mod kind;
mod line_file;
mod lines;
mod log;
mod manifest;
mod merge;
mod model_file;
mod mutant_set;
mod network_scope;
mod networks;
mod output;
mod part;
mod percent;
mod plan;
mod products;
mod products_clauses;
mod products_journal;
mod record;
mod run;
mod sample;
mod seen;
mod shard;
mod shares;
pub mod suite_json;
mod summary;
mod tallied;
mod timed_batch;
mod timer;
mod untimed;
mod verdict;
mod verdict_table;
mod verify;
mod witness;
mod world;

pub use against::{
    ForeignAction, Implementation, Manner, ModelOutcome, ModelRun, ModelRuns, Plays, check_alphabet, run_against,
};
pub use baseline::{BaselineError, Prepared};
pub use classify::{classify, classify_drawing};
pub use constants::{ConstantInterval, ConstantSite, constant_intervals, largest_constant};
pub use coverage::{CoveragePlan, CoverageProgress, CoverageRun, Steps, cover};
pub use coverage_lists::{CoverageListed, CoverageLists, Formula};
pub use csv_table::{CsvTable, csv_cell};
pub use diagnose::{
    Alike, ConstantRange, Evidence, Seen, Suspect, SuspectConstant, Suspects, constants, largest_reset, ranked,
    suspects,
};
pub use duplicates::{Classes, RunClasses, classes_of_run, duplicate_classes};
pub use effective::Effective;
pub use error::{ExperimentError, FileAction, SharesError};
pub use export::{
    Counts, EcdarProject, ExportShares, Exported, FilesSink, FmmSink, Kept, MutantFiles, SHARED_FORMATS, Sink, Source,
    TableKind, TableSink, TcheckerFiles, UppaalFiles, walk,
};
pub use extended::GuidelineSet;
pub use families::{Engine, change};
pub use files::{Draft, FolderLock, Output, OutputKind, abandon_drafts, refuse_clashes, write_file};
pub use filter::{FIELDS, Field, FieldInfo, Filter, Kind, Knowledge, Needs, Places, Subject};
pub use joint_constants::{ConstantBox, JointConstants, joint_constants, n_joint_games};
pub use journal::{Journal, JournalFile, JournalKey, JournalStep};
pub use judge::Judge;
pub use kind::{FileKind, RUN_RESULTS, SystemFormat, TimedFormat, is_run_results};
pub use line_file::{LineFile, count_lines, open_lines};
pub use log::{Log, MutantNote};
pub use manifest::{RunManifest, RunWorld, read_manifest};
pub use merge::{Merged, Shares};
pub use model_file::{ModelFile, ReadNetwork, Warnings, read_model, read_model_only, read_network_file};
pub use mutant_set::{MutantSet, Numbered};
pub use network_scope::NetworkScope;
pub use networks::{
    Component, ComponentError, FeaturedNetwork, NetworkFiles, NetworkJudge, NetworkMutant, NetworkMutants, NetworkRun,
    NetworkSettings, NetworkStep, Scope, components,
};
pub use output::OutputDir;
pub use percent::percent;
pub use plan::{ExportRef, Limits, Manifest, ModelRef, Plan, StaticUse};
pub use products::{Means, ProductCounts, ProductPlan, ProductProgress, ProductRun};
pub use products_clauses::cover_products;
pub use products_journal::ProductSteps;
pub use record::{Facts, KillFacts, Record};
pub use run::{Progress, Rules, Run};
pub use sample::{NoSuchSample, Sample, SampleError, Selection};
pub use shard::{Shard, ShardError};
pub use shares::ShareKind;
pub use summary::{ProcessCounts, Summary, Tally};
pub use tallied::{Step, TABLE_BYTES, tally};
pub use timer::Timer;
pub use untimed::{
    SystemRef, Untimed, UntimedManifest, UntimedMutant, UntimedPlan, UntimedRecords, UntimedRun, UntimedSettings,
    UntimedWorld, explain, keep_untimed, pair,
};
pub use verdict::{DecidedBy, Judgement, Verdict};
pub use verify::{Decided, Difference, Plainly, VerificationSample, Verified, verify};
pub use world::{Counting, Driver, World};

/// Name of the tool in manifests, by which its folders are recognised.
const TOOL: &str = "tamper";

#[cfg(test)]
mod tests;
