//! An exact decision procedure for small timed games, for tests only.
//!
//! It knows `tamper_timed::model` and nothing else of tamper: no zones, no code of the engine. Every question is answered
//! on an explicit finite graph, so it is slow and hard to get wrong.
//!
//! - [`clocks`]: two independent finite abstractions of clock valuations, with the argument why each is exact;
//! - [`play`]: which moves one game has in a state;
//! - [`consistency`]: the greatest set `cons`;
//! - [`refinement`]: the greatest refinement relation and the verdict about a mutant;
//! - [`operators`]: a second implementation of the six mutation operators;
//! - [`faults`]: whether a run is an error of the model;
//! - [`parts`], [`others`]: games in pieces, and the operators beyond the six on them;
//! - [`generate`], [`mutate`]: random games and pairs of games (proptest strategies, so failures shrink);
//! - [`apply`]: the mutant that a record of a mutation means, built part by part;
//! - [`families`]: random featured games over random feature models, and projection from its definition;
//! - [`show`]: games as text;
//! - [`run`]: seeded runs of a property.
#![allow(
    missing_docs,
    clippy::len_without_is_empty,
    reason = "read beside the tests that use it; nobody builds on it"
)]

pub mod apply;
pub mod clocks;
pub mod consistency;
pub mod families;
pub mod faults;
pub mod games;
pub mod generate;
pub mod mutate;
pub mod operators;
pub mod others;
pub mod parts;
pub mod play;
pub mod refinement;
pub mod run;
pub mod show;
