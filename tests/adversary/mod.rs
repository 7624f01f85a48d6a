//! An adversary for every layer of `classify`: random games whose mutants are made by plain code and judged by region
//! graphs, against what the whole pipeline writes (guidelines, identity check, families, duplicates, steps); and the
//! wrong verdicts that were found, with what is right about them.
//!
//! `TAMPER_SEED` and `TAMPER_CASES` (games) make other and longer runs; with `TAMPER_COUNTS`, a file, the counts are
//! written there as a page.

mod classified;
mod constants;
mod files;
mod games;
mod operators;
mod plain;
mod random;
mod regressions;
mod rewriting;
mod twins;
