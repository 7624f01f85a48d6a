//! The six operators of \[003\] section 3.3.

use super::{Alterations, Definition};

pub const TMI: Definition = Definition {
    name: "TMI",
    summary: "remove an edge",
    meaning: "each edge is removed",
    alterations: Alterations::Paper,
};
pub const TAD: Definition = Definition {
    name: "TAD",
    summary: "add an edge with a fresh action",
    meaning: "each pair of locations gets an edge with a new input, or a new output, and the guard and updates of the first edge",
    alterations: Alterations::Paper,
};
pub const SMI: Definition = Definition {
    name: "SMI",
    summary: "remove a location and its edges",
    meaning: "each location but the initial one is removed with the edges that enter or leave it",
    alterations: Alterations::Paper,
};
pub const CXL: Definition = Definition {
    name: "CXL",
    summary: "increase the constant of a guard or invariant",
    meaning: "the constant of each guard or invariant that is one clock constraint grows by the step",
    alterations: Alterations::Paper,
};
pub const CXS: Definition = Definition {
    name: "CXS",
    summary: "decrease the constant of a guard or invariant",
    meaning: "the constant of each guard or invariant that is one clock constraint shrinks by the step, if it stays above 0",
    alterations: Alterations::Paper,
};
pub const CCN: Definition = Definition {
    name: "CCN",
    summary: "negate a guard",
    meaning: "each guard that is one clock constraint, no equality, is negated",
    alterations: Alterations::Paper,
};
