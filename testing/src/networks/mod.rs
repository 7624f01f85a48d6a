//! Random networks, and what they do by UPPAAL's rules, judged on regions: consistency, refinement, what is seen, the ends of a test.
//!
//! - [`nets`], [`draw`]: networks as plain data and as UPPAAL files, drawn at random; [`families`]: templates with parameters;
//! - [`flat`], [`priorities`], [`shown`]: the steps of a network in one state, every combination of edges in turn;
//! - [`verdicts`]: consistency and refinement from their definitions; [`watched`]: sets of regions that look alike;
//! - [`executed`]: a test against a network.
#![allow(
    missing_docs,
    clippy::should_implement_trait,
    reason = "read beside the tests that use it; nobody builds on it"
)]

pub mod draw;
pub mod executed;
pub mod families;
pub mod flat;
pub mod nets;
pub mod priorities;
pub mod shown;
pub mod verdicts;
pub mod watched;
