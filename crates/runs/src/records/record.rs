//! One line of `mutants.jsonl`, and the data of it that are counted.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::error::{ExperimentError, OrMalformed as _, Result};
use crate::records::verdict::BY_THE_GAME;
use crate::{DecidedBy, Verdict};

/// One mutant and its verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Id of the mutant, made of its mutations; unique in a run.
    pub id: String,
    /// The number of its mutations.
    pub order: u8,
    /// Their operators, in order of application.
    pub operators: Vec<Cow<'static, str>>,
    /// The guidelines that name its mutations, if all of them are named; otherwise empty.
    pub violates: Vec<Cow<'static, str>>,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason why it is subsumed or inconsistent, if the extended guidelines are in use and no published one names
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Cow<'static, str>>,
    /// The method that gave the verdict.
    pub decided_by: DecidedBy,
    /// Id of the earlier mutant that is the same automaton.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_of: Option<String>,
    /// The limit that was hit, the error in the mutant, or the lemma that proves it non-subsumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A run that the specification cannot match, if counterexamples were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
    /// For a mutant of a network: the verdict on the changed process alone, if it has a meaning alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone: Option<Verdict>,
    /// The BLAKE3 hash of its certificate, if the run was certified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// For a mutant of an untimed system: the kills.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kill: Option<KillFacts>,
}

/// The kills of a mutant of an untimed system.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KillFacts {
    /// For a transition system or a machine, the strongest kill: `potential`, `definite` or `blind`; for an action
    /// system, the kinds of kills among `state`, `event` and `ioco`.
    pub by: Vec<Cow<'static, str>>,
    /// Kills that a limit leaves open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<Cow<'static, str>>,
    /// The inputs, or the trace, after which it is killed, if counterexamples were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub word: Option<Vec<String>>,
}

impl Record {
    /// Reads the record in line `number` of `mutants.jsonl`, which must be the record of the mutant `id`.
    ///
    /// # Errors
    /// If it is no record, or the record of another mutant.
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
    /// The data that lists and counts need.
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
    /// Whether a test of its process alone kills it, and no test of the network does.
    pub fn is_masked(&self) -> bool {
        self.alone == Some(Verdict::NonSubsumed) && matches!(self.verdict, Verdict::Subsumed | Verdict::Inconsistent)
    }
    /// Whether some guideline names it although it is non-subsumed.
    pub fn is_unsound(&self) -> bool {
        self.facts().is_unsound()
    }
    /// The lemma that proves it non-subsumed without a game, if there is one.
    pub fn lemma(&self) -> Option<&str> {
        self.reason.as_deref().filter(|_| self.decided_by == DecidedBy::Lemma)
    }
}

/// The data of a record that lists and counts need.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// Id of the mutant.
    pub id: &'a str,
    /// The verdict.
    pub verdict: Verdict,
    /// The method that gave the verdict.
    pub decided_by: DecidedBy,
    /// Whether guidelines name all its mutations.
    pub violates: bool,
    /// Whether only the extended guidelines name it.
    pub identified: bool,
}

impl Facts<'_> {
    /// Whether some guideline names it although it is non-subsumed.
    pub fn is_unsound(&self) -> bool {
        (self.violates || self.identified) && self.verdict == Verdict::NonSubsumed
    }
}
