//! All suites of the package `tamper`, one program. What each holds, and which judge it asks: `tests/README.md`.

mod adversary;
mod claims;
mod cli;
mod compose;
mod deep;
mod documents;
mod examples;
mod export;
mod families;
mod family;
mod feature_formats;
mod featured_counts;
mod featured_files;
mod featured_mutants;
mod guidelines;
mod known_answers;
mod limits;
mod machines;
mod malformed;
mod networks;
mod reading;
mod regressions;
mod roundtrip;
mod safety;
mod show;
#[path = "../examples/small_games/mod.rs"]
mod small_games;
mod studies;
mod suites;
mod systems;
mod worlds;
