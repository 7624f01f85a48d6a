//! Tests for mutants, end to end: made, executed and scored.

mod commands;
mod fault_domain;
mod games;
mod killed_definitely;
mod lamp;
#[path = "../oracle/mod.rs"]
mod oracle;
mod region_game;
mod studies;
