//! Worlds whose mutants are decided each by itself: networks, and systems without time.
//!
//! Mutants that are the same have the same digest: the first one is decided, the others have its verdict.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::error::{ExperimentError, Result};
use super::world::{Batch, BatchSizes, Driver, Paper};
use super::{DecidedBy, Judgement, Record, Selection, Verdict};

/// Mutants that are decided each by itself.
pub(super) trait Mutants: Sync {
    /// A mutant, made.
    type Made: Send + Sync;
    /// What is counted while records are written.
    type Counts;

    /// How many mutants are made and held at a time.
    fn sizes(&self) -> BatchSizes;

    /// The mutant of that number.
    fn make(&self, number: u64) -> Option<Self::Made>;

    /// What it changes, and where.
    fn id<'m>(&'m self, made: &'m Self::Made) -> &'m str;

    /// What tells it from other mutants; none if each is decided.
    fn digest(&self, made: &Self::Made) -> Option<blake3::Hash>;

    /// What is found out about each of these; none where the time of the run was up before.
    ///
    /// # Errors
    /// When one cannot be decided for another reason.
    fn decide(&self, open: &[Open<'_, Self::Made>]) -> Result<Vec<Option<Found>>>;

    /// Counts a mutant.
    fn count(&self, counted: Counted<'_, Self::Made>, counts: &mut Self::Counts);
}

/// A mutant that has no record yet.
pub(super) struct Open<'m, M> {
    /// The mutant.
    pub made: &'m M,
    /// Whether no mutant before it is the same: then its verdict is asked for.
    pub is_new: bool,
}

/// What is found out about a mutant.
pub(super) struct Found {
    /// Its record; of a mutant that is not new, without a verdict.
    pub record: Record,
    /// What decided it, where that is told.
    pub judgement: Option<Judgement>,
}

/// A mutant that is written.
pub(super) struct Counted<'m, M> {
    /// The mutant.
    pub made: &'m M,
    /// Its record.
    pub record: &'m Record,
    /// What decided it, if it was decided now and no earlier one is the same.
    pub judgement: Option<&'m Judgement>,
    /// Whether it was decided by an earlier run.
    pub is_kept: bool,
}

/// What is known of the first mutant of several that are the same.
struct Settled {
    id: String,
    verdict: Verdict,
    reason: Option<String>,
    witness: Option<String>,
}

/// Some of the mutants, and what is known of all before them.
struct EachBatch<'m, M: Mutants> {
    mutants: &'m M,
    made: Vec<M::Made>,
    n_kept: usize,
    found: Vec<Found>,
    settled: HashMap<blake3::Hash, Settled>,
}

/// Decides those of `mutants` that `selection` names.
///
/// # Errors
/// As [`classify`](super::classify).
pub(super) fn drive_each<M: Mutants>(
    mutants: &M,
    selection: &Selection,
    counts: M::Counts,
    driver: Driver<'_>,
) -> Result<M::Counts> {
    let mut batch = EachBatch {
        mutants,
        made: Vec::new(),
        n_kept: 0,
        found: Vec::new(),
        settled: HashMap::new(),
    };
    driver.go(selection, &mut batch, counts)
}

impl<M: Mutants> EachBatch<'_, M> {
    /// Remembers what is known of a mutant for others that are the same.
    fn settle(&mut self, at: usize, record: &Record) {
        if let Some(digest) = self.mutants.digest(&self.made[at]) {
            self.settled.entry(digest).or_insert_with(|| Settled {
                id: record.id.clone(),
                verdict: record.verdict,
                reason: record.reason.clone(),
                witness: record.witness.clone(),
            });
        }
    }

    /// Gives a mutant the verdict of an earlier one that is the same.
    fn inherit(&self, at: usize, found: &mut Found) {
        let digest = self.mutants.digest(&self.made[at]);
        let Some(earlier) = digest.and_then(|digest| self.settled.get(&digest)) else {
            return;
        };
        found.judgement = None;
        let record = &mut found.record;
        record.verdict = earlier.verdict;
        record.why = None;
        record.decided_by = DecidedBy::Duplicate;
        record.duplicate_of = Some(earlier.id.clone());
        record.reason.clone_from(&earlier.reason);
        record.witness.clone_from(&earlier.witness);
    }
}

impl<M: Mutants> Batch for EachBatch<'_, M> {
    type Counts = M::Counts;

    fn sizes(&self) -> BatchSizes {
        self.mutants.sizes()
    }

    fn fill(&mut self, numbers: &[u64]) -> Result<()> {
        let made = numbers.par_iter().map(|number| self.mutants.make(*number));
        let made: Option<Vec<M::Made>> = made.collect();
        self.made = made.ok_or_else(ExperimentError::fewer_mutants)?;
        self.found.clear();
        Ok(())
    }

    fn id(&self, at: usize) -> &str {
        self.mutants.id(&self.made[at])
    }

    fn decide(&mut self, kept: Vec<Record>, _: &mut M::Counts) -> Result<usize> {
        self.n_kept = kept.len();
        for (at, record) in kept.into_iter().enumerate() {
            let mut found = Found {
                record,
                judgement: None,
            };
            // In another share no mutant before it was the same.
            self.inherit(at, &mut found);
            self.settle(at, &found.record);
            self.found.push(found);
        }
        let mut seen = HashSet::new();
        let open: Vec<Open<'_, M::Made>> = self.made[self.n_kept..]
            .iter()
            .map(|made| {
                let digest = self.mutants.digest(made);
                let is_new = |digest| !self.settled.contains_key(&digest) && seen.insert(digest);
                Open {
                    made,
                    is_new: digest.is_none_or(is_new),
                }
            })
            .collect();
        let found = self.mutants.decide(&open)?;
        for (found, at) in found.into_iter().zip(self.n_kept..) {
            let Some(mut found) = found else { break };
            self.inherit(at, &mut found);
            self.settle(at, &found.record);
            self.found.push(found);
        }
        Ok(self.found.len())
    }

    fn write(&mut self, n: usize, paper: &mut Paper<'_>, counts: &mut M::Counts) -> Result<()> {
        for (at, (made, found)) in self.made.iter().zip(&self.found).take(n).enumerate() {
            let line = serde_json::to_string(&found.record)? + "\n";
            paper.append(|n| if n > 0 { b"" } else { line.as_bytes() })?;
            paper.list(&found.record.facts())?;
            let counted = Counted {
                made,
                record: &found.record,
                judgement: found.judgement.as_ref(),
                is_kept: at < self.n_kept,
            };
            self.mutants.count(counted, counts);
        }
        Ok(())
    }
}
