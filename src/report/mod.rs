//! Records to tables and sentences, pure: text, CSV and JSON.
//!
//! Every function here is a function of its arguments; the JSON forms keep the order of their fields. What is
//! deliberately absent: files, terminals, progress.

mod classification;
mod counterexample;
mod facts;
pub mod reproduction;

pub use classification::{classification_csv, classification_json, classification_text};
pub use counterexample::{counterexample_json, counterexample_text};
pub use facts::{Facts, facts_text};

#[cfg(test)]
mod tests;
