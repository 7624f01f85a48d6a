//! What tests of a timed game find, decided without zones and without code of the suite's engine.
//!
//! - [`region_game`]: which mutants some test kills, on regions; [`word_search`]: by all words of a few inputs;
//! - [`account`]: why tests kill other mutants than are non-subsumed;
//! - [`simulator`]: the ends that a test can come to on a game;
//! - [`paths`]: whether a game explains a log.
#![allow(missing_docs, reason = "read beside the tests that use it; nobody builds on it")]

pub mod account;
pub mod paths;
pub mod region_game;
pub mod simulator;
pub mod word_search;
