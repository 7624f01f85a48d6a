//! Untimed systems: verdicts, propositions, files.

mod files;
mod oracle;
mod pairs;
mod propositions;
mod random;
