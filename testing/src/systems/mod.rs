//! Random systems without time, and their verdicts from the definitions.
#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::should_implement_trait,
    clippy::len_without_is_empty,
    reason = "read beside the tests that use it; nobody builds on it"
)]

pub mod actions;
pub mod oracle;
pub mod random;
