//! Untimed systems on the command line: suites, and runs on mutants.

mod commands;
mod runs;
