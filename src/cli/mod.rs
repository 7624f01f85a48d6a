//! From arguments to settings, one call, and an exit code.
//!
//! [`run`] is the whole command: it parses, resolves typed options into the settings of the rooms below, calls one of them, prints, and
//! returns the result as an [`ExitCode`]. Results go to standard output, everything else to standard error. Deliberately absent: any
//! decision about a game.

mod adaptive_args;
mod against;
mod args;
mod call;
mod cause;
mod check;
mod classify;
mod command;
mod compose;
mod config;
mod constants;
mod coverage;
mod coverage_args;
mod coverage_proof;
mod coverage_smallest;
mod coverage_timed;
mod covered;
mod diagnose;
mod dispatch;
mod door;
#[cfg(feature = "drawing")]
mod draw;
mod exit;
mod export;
mod expression;
mod families;
mod family_args;
mod features;
mod filter_help;
mod fmm;
mod game_args;
mod given;
mod harness;
mod headings;
mod interrupt;
mod load;
mod machines;
mod merge;
mod minimise;
mod mutated;
mod mutated_game;
mod mutated_network;
mod network_args;
mod next;
mod observations;
mod old_names;
mod oracle;
mod oracle_session;
mod packaging;
mod packaging_args;
mod parse;
mod places;
#[cfg(feature = "drawing")]
mod plays;
mod prepare;
mod products;
mod project;
mod prune;
mod queries;
mod read_mutated;
mod refine;
mod refusal;
#[cfg(feature = "drawing")]
mod report;
#[cfg(feature = "drawing")]
mod report_figures;
#[cfg(feature = "drawing")]
mod report_results;
#[cfg(feature = "reproduction")]
mod reproduce;
mod run;
mod run_adaptive;
mod run_args;
mod run_folder;
mod run_oracle;
mod run_plan;
mod run_program;
mod run_suite;
mod score;
mod scored_report;
mod settings;
mod shell;
mod short_help;
mod strategy;
mod suite_run_args;
mod suites;
mod systems;
mod table;
mod terminal;
mod testgen;
mod timed_world;
mod unspecified;
mod view;
#[cfg(feature = "workbench")]
mod workbench;
mod workflow;

pub use run::run;
