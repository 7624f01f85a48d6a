//! Timed games of other tools: Ecdar's projects and queries, TChecker's systems, machine configurations of XState, and SCXML
//! with delays.
//!
//! Each reader makes the raw file that UPPAAL's XML is read into (`tamper_uppaal`), so that one elaborator gives all of
//! them their meaning. The choice of a format by a file's name is deliberately absent.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod charts;
mod dialect;
mod ecdar;
mod tchecker;

pub use charts::{read_scxml, read_xstate};
pub use ecdar::{
    Component as EcdarComponent, EcdarQuery, read_ecdar, read_ecdar_only, read_ecdar_queries, write_component,
    write_global_declarations,
};
pub use tchecker::{read_tchecker, read_tchecker_network, write_tchecker};
