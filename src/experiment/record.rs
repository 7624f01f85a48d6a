//! One line of `mutants.jsonl`.

use std::borrow::Cow;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};

use super::Facts;
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
    /// It has no meaning, for example because an integer leaves its range; the reason says where.
    Error,
}

impl Verdict {
    /// All verdicts, in the order in which they are listed.
    pub const ALL: [Self; 6] = [
        Self::NonSubsumed,
        Self::Subsumed,
        Self::Inconsistent,
        Self::SubsumedOrInconsistent,
        Self::Unknown,
        Self::Error,
    ];

    /// Its name in records and file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::NonSubsumed => "non-subsumed",
            Self::Subsumed => "subsumed",
            Self::Inconsistent => "inconsistent",
            Self::SubsumedOrInconsistent => "subsumed-or-inconsistent",
            Self::Unknown => "unknown",
            Self::Error => "error",
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

/// One mutant and its verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// What the mutant is; unique in a run.
    pub id: String,
    /// The number of its mutations.
    pub order: u8,
    /// Their operators, in order of application.
    pub operators: Vec<Cow<'static, str>>,
    /// The guidelines that name its mutations, when all of them are named; else empty.
    pub violates: Vec<Cow<'static, str>>,
    /// What is known about it.
    pub verdict: Verdict,
    /// Why it is subsumed or inconsistent, when the extended guidelines are in use and no published one names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Cow<'static, str>>,
    /// What gave the verdict.
    pub decided_by: DecidedBy,
    /// The id of the earlier mutant that is the same automaton.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_of: Option<String>,
    /// The limit that was hit, or what is wrong with the mutant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A run that the specification cannot match, when witnesses were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
    /// Of a mutant of a network: the verdict on the changed process by itself, where it has a meaning by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone: Option<Verdict>,
}

impl Record {
    /// The record in line `number` of `mutants.jsonl`, which has to be that of the mutant `id`.
    ///
    /// # Errors
    /// When it is no record, or one of another mutant.
    pub fn of_mutant(line: &str, number: u64, id: &str) -> Result<Self> {
        let record: Self =
            serde_json::from_str(line).with_context(|| format!("line {number} of mutants.jsonl is no record"))?;
        if record.id != id {
            bail!(
                "mutants.jsonl has {} where the run has {id}: it is of another model",
                record.id
            );
        }
        Ok(record)
    }
    /// What lists and counts need of it.
    pub fn facts(&self) -> Facts<'_> {
        Facts {
            id: &self.id,
            verdict: self.verdict,
            decided_by: self.decided_by,
            violates: !self.violates.is_empty(),
            identified: self.is_identified(),
        }
    }
    /// Whether the extended guidelines name it and no published one does.
    pub fn is_identified(&self) -> bool {
        self.why.as_deref().is_some_and(|why| why != super::judge::BY_THE_GAME)
    }
    /// Whether some guideline names it and it is non-subsumed all the same.
    pub fn is_unsound(&self) -> bool {
        self.facts().is_unsound()
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
