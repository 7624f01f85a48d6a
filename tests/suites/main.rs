//! Tests for mutants, end to end: made, executed and scored.

mod adaptive;
mod adversary;
mod against;
mod blind;
mod chains;
mod commands;
mod coverage_command;
mod coverage_family;
mod criteria;
mod diagnosed;
mod duration;
mod ended;
mod extended;
mod fault_domain;
mod figures;
mod games;
mod harness;
#[cfg(unix)]
mod heard;
mod jitter;
mod judged;
mod killed_definitely;
mod lamp;
mod long_tests;
mod of_run;
#[path = "../oracle/mod.rs"]
mod oracle;
mod paths;
mod placed;
mod programs;
mod protocol_page;
mod pruned;
mod random_domains;
mod region_game;
mod runner;
mod simulator;
mod stryker;
mod studies;
mod together;
mod view;
mod weak;
mod word_search;
