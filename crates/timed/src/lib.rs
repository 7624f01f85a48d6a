//! Timed games, networks of them, and what mutation makes of them, before anything is explored.
//!
//! [`model`] is one timed game; [`network`] is processes over shared data, clocks and channels, and their composition into one
//! game. [`mutation`] numbers the mutants of any order, [`featured`] is one game that stands for a family, and [`guidelines`]
//! name the mutants that need no exploration. What is deliberately absent: files, verdicts, tests.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

pub mod featured;
pub mod guidelines;
pub mod model;
pub mod mutation;
pub mod network;

// The tests of this package build games with the same file that `testing` gives to all other packages, since `testing`
// depends on this package.
#[cfg(test)]
#[path = "../../../testing/src/sketch.rs"]
mod sketch;
#[cfg(test)]
#[path = "../../../testing/src/studies.rs"]
mod studies;
