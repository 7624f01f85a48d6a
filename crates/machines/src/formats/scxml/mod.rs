//! Hierarchical machines from SCXML (W3C, State Chart XML), flattened on reading.
//!
//! `chart` reads the elements of a file, with the alternatives for mutants from attributes and elements of a namespace
//! of tamper's; `check` checks the targets; `flatten` turns every configuration (simple states that are active
//! together, and the memory of histories) and event into rules of an extended machine, by the standard's algorithm, of
//! which `moves` is one step. Constructs without a counterpart are refused by name.

mod chart;
mod check;
mod content;
mod faults;
mod flatten;
mod moves;
mod names;
mod read;

pub(super) use read::read_chart;
