//! Untimed systems: verdicts, propositions, files.

mod actions;
mod arrays;
mod btor2;
mod circuits;
mod determinised;
mod documents;
mod files;
mod loops;
mod modules;
mod pairs;
mod propositions;
mod system_tests;
mod traps;
mod words;
mod written;
