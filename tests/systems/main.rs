//! Untimed systems: verdicts, propositions, files.

mod actions;
mod commands;
mod documents;
mod files;
mod oracle;
mod pairs;
mod propositions;
mod random;
mod testing;
