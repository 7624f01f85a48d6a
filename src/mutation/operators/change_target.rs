//! Change target.

use super::{Alterations, Definition};
use crate::mutation::Alteration;

pub const CTG: Definition = Definition {
    name: "CTG",
    summary: "lead an edge elsewhere",
    meaning: "each edge leads to each location other than its target",
    alterations: Alterations::Elsewhere {
        end: |edge| edge.target,
        moved: |edge, target| Alteration::Target { edge, target },
    },
};
