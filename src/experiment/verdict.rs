//! Verdicts, and what gives them.

use serde::{Deserialize, Serialize};

use crate::game;

/// What is known about a mutant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It does not refine the specification: a test can kill it.
    NonSubsumed,
    /// It refines the specification.
    Subsumed,
    /// Its initial state is not consistent.
    Inconsistent,
    /// One of the two, by a guideline; which one was not asked (`--static-only`).
    SubsumedOrInconsistent,
    /// A stated limit was hit, or no game was played (`--static-only`).
    Unknown,
    /// It has no meaning: an integer leaves its range on some run, for example; the reason says where.
    #[serde(alias = "error")]
    Invalid,
}

impl Verdict {
    /// All verdicts, in the order in which they are listed.
    pub const ALL: [Self; 6] = [
        Self::NonSubsumed,
        Self::Subsumed,
        Self::Inconsistent,
        Self::SubsumedOrInconsistent,
        Self::Unknown,
        Self::Invalid,
    ];

    /// Its name in records and file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::NonSubsumed => "non-subsumed",
            Self::Subsumed => "subsumed",
            Self::Inconsistent => "inconsistent",
            Self::SubsumedOrInconsistent => "subsumed-or-inconsistent",
            Self::Unknown => "unknown",
            Self::Invalid => "invalid",
        }
    }
}

impl From<game::Verdict> for Verdict {
    fn from(verdict: game::Verdict) -> Self {
        match verdict {
            game::Verdict::NonSubsumed => Self::NonSubsumed,
            game::Verdict::Subsumed => Self::Subsumed,
            game::Verdict::Inconsistent => Self::Inconsistent,
            game::Verdict::Unknown(_) => Self::Unknown,
        }
    }
}

/// What gave the verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// The guidelines (with the consistency check where pruning is on).
    Rule,
    /// The extended guidelines: the identity check on the specification's zone graph.
    Identity,
    /// The refinement game.
    Game,
    /// It refines by itself, and its network keeps that.
    Congruence,
    /// It is the same automaton as an earlier mutant.
    Duplicate,
    /// Nothing (`--static-only`).
    Nothing,
}

impl DecidedBy {
    /// All of them, in order.
    pub const ALL: [Self; 6] = [
        Self::Rule,
        Self::Identity,
        Self::Game,
        Self::Congruence,
        Self::Duplicate,
        Self::Nothing,
    ];

    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Identity => "identity",
            Self::Game => "game",
            Self::Congruence => "congruence",
            Self::Duplicate => "duplicate",
            Self::Nothing => "nothing",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_written_by_their_names() {
        for verdict in Verdict::ALL {
            assert_eq!(serde_json::to_value(verdict).unwrap(), verdict.name());
        }
        for by in DecidedBy::ALL {
            assert_eq!(serde_json::to_value(by).unwrap(), by.name());
        }
    }
}
