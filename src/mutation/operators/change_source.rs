//! Change source.

use super::{Alterations, Definition};
use crate::mutation::Alteration;

pub const CSR: Definition = Definition {
    name: "CSR",
    summary: "start an edge elsewhere",
    meaning: "each edge starts at each location other than its source",
    alterations: Alterations::Elsewhere {
        end: |edge| edge.source,
        moved: |edge, source| Alteration::Source { edge, source },
    },
};
