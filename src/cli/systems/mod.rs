//! The commands on transition systems: the same verbs as for timed games, chosen by the file's format.

mod actions;
mod bench;
mod check;
mod classify;
mod dispatch;
mod export;
mod load;
mod minimise;
mod refine;
mod suites;

pub use dispatch::dispatch;
