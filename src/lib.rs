//! tamper: a workbench for mutation testing of real-time systems modelled as timed games.

pub mod base;
pub mod cli;
pub mod experiment;
pub mod featured;
pub mod features;
pub mod formats;
pub mod game;
pub mod guidelines;
pub mod machines;
pub mod model;
pub mod mutation;
pub mod report;
pub mod suite;
mod symbolic;
pub mod systems;

pub use ::zones;
