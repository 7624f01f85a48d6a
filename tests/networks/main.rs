//! Composition of networks against a naive one, and the language of networks against plain evaluation.

mod algebra;
mod clashes;
#[allow(dead_code, reason = "only regions are used here")]
#[path = "../oracle/clocks.rs"]
mod clocks;
mod composition;
mod congruence;
mod constructs;
mod disguised;
mod draw;
mod examples;
mod executed;
mod flat;
#[allow(dead_code, reason = "one game is written by hand here")]
#[path = "../oracle/games.rs"]
mod games;
mod hidden;
mod kills;
mod language;
mod mutants;
mod nets;
mod of_one;
mod priorities;
mod projects;
mod rules;
mod shown;
mod since;
mod statistical;
mod text_format;
mod vectors;
mod verdicts;
mod watched;
mod written;
