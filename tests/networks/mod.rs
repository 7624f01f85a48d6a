//! Composition of networks against a naive one, and the language of networks against plain evaluation.

mod account;
mod algebra;
mod beside;
mod certificates;
mod clashes;
mod composition;
mod congruence;
mod constructs;
mod counts;
mod disguised;
mod examples;
mod hidden;
mod judges;
mod kills;
mod language;
mod mutants;
mod of_one;
mod projects;
mod public;
mod roles;
mod rules;
mod statistical;
mod stuck;
mod text_format;
mod vectors;
mod written;

use testing::networks::{executed, families, flat, nets, shown, verdicts, watched};
use testing::oracle::clocks;
