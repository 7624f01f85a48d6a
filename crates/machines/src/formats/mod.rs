//! Mutation machines and their test suites as text.
//!
//! A machine is a list of transitions, one per line: `STATE INPUT / OUTPUT -> STATE`, with `mutated` before faults;
//! `initial STATE` gives the initial state (by default the first line's state); `#` starts a comment. Names are any
//! words. KISS2 is read too, with faults after a line `.mutated`, and graphs for Graphviz with labels `INPUT/OUTPUT`;
//! machines with variables, and hierarchical ones, are described in `docs/book/src/machines.md`. A suite is a list of
//! tests, one per line: inputs with the expected answers (`input/answer`, `input/"two words"`), or the names of the inputs
//! alone, with or without spaces if every name is one character.

mod certificate;
mod distinguishing;
mod dot;
mod dot_syntax;
mod draft;
mod extended;
mod file;
mod formula;
mod kiss;
mod options;
mod scxml;
mod suite;
mod text;

pub use certificate::{read_certificate, write_certificate};
pub use distinguishing::{write_distinguishing, write_distinguishing_of};
pub use dot::write_dot;
pub use draft::{TransitionSpans, Unspecified};
pub use file::read_machine;
pub use formula::{FormulaFormat, write_formula};
pub use options::{MachineFormat, MachineOptions, ReadMachine};
pub use suite::{ExpectedAnswer, MachineSuite, read_answered_suite, read_suite, write_suite};
pub use text::write_machine;

#[cfg(test)]
mod tests;
