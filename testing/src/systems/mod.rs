//! Random systems without time, and their verdicts from the definitions.
#![allow(missing_docs, reason = "read beside the tests that use it; nobody builds on it")]

pub mod actions;
pub mod oracle;
pub mod random;
