//! Hierarchical machines from SCXML (W3C, State Chart XML), flattened on reading.
//!
//! `chart` has the elements of a file, with what mutants may have instead from attributes and elements of a namespace of
//! tamper's; `flatten` makes of every simple state and event the rules of an extended machine, by the standard's algorithm: the innermost state's
//! transitions first, in document order; what is left, from the inside out; the transition; what is entered, from the outside in.
//! Simple states keep their path as their name. What has no counterpart is refused by name.

mod chart;
mod content;
mod faults;
mod flatten;
mod names;
mod node;
mod read;

pub(super) use read::read_chart;
