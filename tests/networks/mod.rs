//! Composition of networks against a naive one, and the language of networks against plain evaluation.

mod algebra;
mod clashes;
mod composition;
mod congruence;
mod constructs;
mod counts;
mod disguised;
mod draw;
mod examples;
mod executed;
mod families;
mod flat;
mod hidden;
mod judges;
mod kills;
mod language;
mod mutants;
mod nets;
mod of_one;
mod priorities;
mod projects;
mod roles;
mod rules;
mod shown;
mod statistical;
mod text_format;
mod vectors;
mod verdicts;
mod watched;
mod written;

use testing::oracle::{clocks, games};
