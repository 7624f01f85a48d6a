//! Hierarchical machines from SCXML (W3C, State Chart XML), flattened on reading.
//!
//! `chart` has the elements of a file, with what mutants may have instead from attributes and elements of a namespace of
//! tamper's; `check` looks at what names states; `flatten` makes of every configuration (simple states that are active together, and
//! what histories remember) and event the rules of an extended machine, by the standard's algorithm, of which `moves` is one step.
//! What has no counterpart is refused by name.

mod chart;
mod check;
mod content;
mod faults;
mod flatten;
mod moves;
mod names;
mod node;
mod read;

pub(super) use read::read_chart;
