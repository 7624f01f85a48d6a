//! Tests for mutants, end to end: made, executed and scored.

mod accepted;
pub mod account;
mod adversary;
mod against;
mod blind;
mod chains;
mod commands;
mod coverage_command;
mod coverage_family;
mod criteria;
mod duration;
mod extended;
mod fault_domain;
mod figures;
mod games;
mod killed_definitely;
mod long_tests;
mod of_run;
mod programs_under_test;
mod pruned;
mod random_domains;
mod scripts;
mod stryker;
mod studies;
mod together;
mod view;
mod weak;

use testing::suites::{paths, region_game, simulator, word_search};
