//! Options of tests that plan while they run.

use clap::{Args, ValueEnum};

use crate::cli::arguments::args::MutationArgs;
use crate::cli::arguments::network_args::MutateArgs;

/// How tests are made while they run.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum RunStrategy {
    /// Each test goes for one mutant of --model after the other, always the nearest one, and plans anew after whatever the program does
    Adaptive,
}

/// Options of tests that plan while they run.
#[derive(Args, Debug)]

pub struct AdaptiveArgs {
    /// How often a test goes for all mutants; after the first time it rests, and goes for each as if it had been right so far
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100), default_value_t = 2)]
    pub rounds: u32,
    #[command(flatten)]
    pub mutation: MutationArgs,
    #[command(flatten)]
    pub mutated: MutateArgs,
}
