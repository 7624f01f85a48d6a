//! What is typed: the options of each command, and what they say in the words of the packages below.

pub mod adaptive_args;
pub mod args;
pub mod coverage_args;
pub mod expression;
pub mod family_args;
pub mod filter_help;
pub mod game_args;
pub mod network_args;
pub mod packaging_args;
pub mod parse;
pub mod run_args;
pub mod settings;
pub mod strategy;
pub mod suite_args;
pub mod suite_run_args;
pub mod unspecified;
