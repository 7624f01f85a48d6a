//! Tests for mutants, end to end: made, executed and scored.

mod against;
mod commands;
mod coverage_command;
mod coverage_family;
mod duration;
mod fault_domain;
mod games;
mod killed_definitely;
mod lamp;
mod of_run;
#[path = "../oracle/mod.rs"]
mod oracle;
mod random_domains;
mod region_game;
mod stryker;
mod studies;
mod view;
