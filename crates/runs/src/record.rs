//! One line of `mutants.jsonl`, and what is counted of it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::error::{ExperimentError, OrMalformed as _, Result};
use super::verdict::BY_THE_GAME;
use super::{DecidedBy, Verdict};

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
    /// The limit that was hit, what is wrong with the mutant, or the lemma that proves it non-subsumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A run that the specification cannot match, when witnesses were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
    /// Of a mutant of a network: the verdict on the changed process by itself, where it has a meaning by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone: Option<Verdict>,
    /// Of a mutant of an untimed system: how it is killed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kill: Option<KillFacts>,
}

/// How a mutant of an untimed system is killed.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KillFacts {
    /// Of a transition system or a machine how surely at most: `potential`, `definite` or `blind`; of an action system by which of `state`, `event`
    /// and `ioco`.
    pub by: Vec<Cow<'static, str>>,
    /// Those of which a limit hides it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<Cow<'static, str>>,
    /// The inputs, or the trace, after which it is killed, when witnesses were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub word: Option<Vec<String>>,
}

impl Record {
    /// The record in line `number` of `mutants.jsonl`, which has to be that of the mutant `id`.
    ///
    /// # Errors
    /// When it is no record, or one of another mutant.
    pub fn of_mutant(line: &str, number: u64, id: &str) -> Result<Self> {
        let record: Self =
            serde_json::from_str(line).or_malformed(|| format!("line {number} of mutants.jsonl is no record"))?;
        if record.id != id {
            return Err(ExperimentError::other_run(format!(
                "mutants.jsonl has {} where the run has {id}: it is of another model",
                record.id
            )));
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
        self.why.as_deref().is_some_and(|why| why != BY_THE_GAME)
    }
    /// Whether some guideline names it and it is non-subsumed all the same.
    pub fn is_unsound(&self) -> bool {
        self.facts().is_unsound()
    }
    /// The lemma that proves it non-subsumed without a game, if one does.
    pub fn lemma(&self) -> Option<&str> {
        self.reason.as_deref().filter(|_| self.decided_by == DecidedBy::Lemma)
    }
}

/// What lists and counts need of a record.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// What the mutant is.
    pub id: &'a str,
    /// What is known about it.
    pub verdict: Verdict,
    /// What gave the verdict.
    pub decided_by: DecidedBy,
    /// Whether guidelines name all its mutations.
    pub violates: bool,
    /// Whether only the extended guidelines name it.
    pub identified: bool,
}

impl Facts<'_> {
    /// Whether some guideline names it and it is non-subsumed all the same.
    pub fn is_unsound(&self) -> bool {
        (self.violates || self.identified) && self.verdict == Verdict::NonSubsumed
    }
}
