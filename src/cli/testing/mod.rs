//! The commands that make, judge and write tests.

pub mod account;
pub mod against;
pub mod coverage_timed;
pub mod covered;
pub mod diagnose;
pub mod harness;
pub mod minimise;
pub mod prune;
pub mod score;
pub mod scored_report;
pub mod suites;
pub mod testgen;
pub mod view;
