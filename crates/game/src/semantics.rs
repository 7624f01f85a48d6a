//! The readings of refinement: the treatment of unmatched actions, and whether both games are pruned first.

use serde::{Deserialize, Serialize};

/// The treatment of an output of the mutant that the specification's alphabet lacks, or of an input of the specification
/// that the mutant's alphabet lacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unmatched {
    /// It cannot be matched (\[003\] Definition 7 literally).
    Reject,
    /// The other side stays where it is, as the TIGA and Ecdar engines do.
    Ignore,
}

/// One reading of refinement: what unmatched actions mean and whether games are pruned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Semantics {
    /// The meaning of actions that only one game knows.
    pub unmatched: Unmatched,
    /// Whether both games are first restricted to their consistent states (David et al. 2010).
    pub prune: bool,
}

impl Semantics {
    /// Reject and prune: the default.
    pub const STRICT: Self = Self {
        unmatched: Unmatched::Reject,
        prune: true,
    };
    /// Reject without pruning: \[003\] Definition 7 to the letter.
    pub const DEFINITION: Self = Self {
        unmatched: Unmatched::Reject,
        prune: false,
    };
    /// Ignore and prune, as in the published experiments.
    pub const TIGA: Self = Self {
        unmatched: Unmatched::Ignore,
        prune: true,
    };
    /// All combinations of both choices, in order.
    pub const ALL: [Self; 4] = [
        Self::TIGA,
        Self::STRICT,
        Self::DEFINITION,
        Self {
            unmatched: Unmatched::Ignore,
            prune: false,
        },
    ];
}

impl Semantics {
    /// The name of the reading, as it is chosen.
    pub fn name(self) -> &'static str {
        match (self.unmatched, self.prune) {
            (Unmatched::Reject, true) => "strict",
            (Unmatched::Reject, false) => "definition",
            (Unmatched::Ignore, true) => "tiga",
            (Unmatched::Ignore, false) => "lenient",
        }
    }
}

impl Default for Semantics {
    fn default() -> Self {
        Self::STRICT
    }
}

/// The name of the reading.
impl std::fmt::Display for Semantics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
