//! Worlds whose mutants are decided one at a time: networks, and systems without time.
//!
//! Equal mutants have the same digest: the first one is decided, the others inherit its verdict.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::error::{ExperimentError, Result};
use crate::records::log::PendingRecord;
use crate::world::{BatchSizes, DecisionBatch, Driver, RecordWriter};
use crate::{DecidedBy, Judgement, Record, Selection, Verdict};

/// Mutants that are decided one at a time.
pub trait Mutants: Sync {
    /// A named mutant.
    type Made: Send + Sync;
    /// Counters updated while records are written.
    type Counts: Send;

    /// Numbers of mutants that are named and held at a time.
    fn sizes(&self) -> BatchSizes;

    /// Makes the mutant with this number, if there is one.
    fn make(&self, number: u64) -> Option<Self::Made>;

    /// Id of the mutant: its changes and their places.
    fn id<'m>(&'m self, made: &'m Self::Made) -> &'m str;

    /// Digest that only equal mutants share; `None` if every mutant is to be decided.
    fn digest(&self, made: &Self::Made) -> Option<blake3::Hash>;

    /// Decides the mutants of `made` at the positions `open`, and calls `write` for each one as soon as it is decided,
    /// in any order. Mutants that the end of the run's time cuts short are not reported. `is_new` says whether no
    /// mutant before the one at a position has the given digest; only the verdicts of these mutants are needed.
    ///
    /// # Errors
    /// If a mutant cannot be decided for another reason, or not be written.
    fn decide(&self, made: &[Self::Made], open: &[usize], is_new: &IsNew<'_>, write: &Write<'_>) -> Result<()>;

    /// Counts one mutant.
    fn count(&self, counted: Counted<'_, Self::Made>, counts: &mut Self::Counts);
}

/// Whether no mutant before the one at this position has this digest.
pub type IsNew<'a> = dyn Fn(usize, Option<blake3::Hash>) -> bool + Sync + 'a;
/// Takes the findings about the mutant at this position.
pub type Write<'a> = dyn Fn(usize, MutantFindings) -> Result<()> + Sync + 'a;

/// The findings about one mutant.
pub struct MutantFindings {
    /// Record of the mutant; without a verdict if the mutant is not new.
    pub record: Record,
    /// The judgement, if it is reported.
    pub judgement: Option<Judgement>,
    /// The digest as of [`Mutants::digest`].
    pub digest: Option<blake3::Hash>,
}

/// A mutant whose record is written.
pub struct Counted<'m, M> {
    /// The mutant.
    pub made: &'m M,
    /// Its record.
    pub record: &'m Record,
    /// The judgement, if the mutant was decided by this run and equals no earlier one.
    pub judgement: Option<&'m Judgement>,
    /// Whether it was decided by an earlier run.
    pub is_kept: bool,
}

/// The verdict on the first of several equal mutants.
struct FirstVerdict {
    id: String,
    verdict: Verdict,
    reason: Option<String>,
    witness: Option<String>,
}

/// A batch of mutants, and the verdicts on all mutants before it.
struct EachBatch<'m, M: Mutants> {
    mutants: &'m M,
    made: Vec<M::Made>,
    /// Number of mutants before this batch.
    n_before: usize,
    settled: HashMap<blake3::Hash, FirstVerdict>,
    /// For each digest, the first mutant known to have it, by its position in the run.
    firsts: Mutex<HashMap<blake3::Hash, usize>>,
}

/// Decides the mutants that `selection` names.
///
/// # Errors
/// As [`classify`](crate::classify).
pub fn drive_each<M: Mutants>(
    mutants: &M,
    selection: &Selection,
    counts: M::Counts,
    driver: Driver<'_>,
) -> Result<M::Counts> {
    let mut batch = EachBatch {
        mutants,
        made: Vec::new(),
        n_before: 0,
        settled: HashMap::new(),
        firsts: Mutex::default(),
    };
    driver.go(selection, &mut batch, counts)
}

/// Calls `one` for each of the `n` positions on all threads; the calls begin in the order of the positions.
///
/// # Errors
/// The first error of `one`; no other call begins after it.
pub fn in_order<S: Default>(n: usize, one: impl Fn(usize, &mut S) -> Result<()> + Sync) -> Result<()> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Ok(()));
    let work = || {
        let mut scratch = S::default();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= n {
                return;
            }
            if let Err(error) = one(at, &mut scratch) {
                next.store(n, Ordering::Relaxed);
                *locked(&failed) = Err(error);
                return;
            }
        }
    };
    rayon::in_place_scope(|scope| {
        (1..rayon::current_num_threads()).for_each(|_| scope.spawn(|_| work()));
        work();
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the records of a batch in order.
struct Writer<'w, 'm, 'p, M: Mutants> {
    mutants: &'m M,
    made: &'w [M::Made],
    settled: &'w mut HashMap<blake3::Hash, FirstVerdict>,
    record_writer: &'w mut RecordWriter<'p>,
    counts: &'w mut M::Counts,
    n_kept: usize,
    n_written: usize,
    /// Findings about mutants behind one that is still open.
    ahead: BTreeMap<usize, MutantFindings>,
}

impl<M: Mutants> Writer<'_, '_, '_, M> {
    /// Takes the findings about the mutant at position `at`, and writes all records that have no open mutant before
    /// them.
    fn take(&mut self, at: usize, found: MutantFindings) -> Result<()> {
        self.ahead.insert(at, found);
        let before = self.n_written;
        while let Some(found) = self.ahead.remove(&self.n_written) {
            self.write(found)?;
        }
        if self.n_written > before.max(self.n_kept) {
            self.record_writer.show()?;
        }
        Ok(())
    }

    fn write(&mut self, mut found: MutantFindings) -> Result<()> {
        self.inherit(&mut found);
        self.settle(&found);
        let line = serde_json::to_string(&found.record)? + "\n";
        self.record_writer
            .append(|n| if n > 0 { b"" } else { line.as_bytes() })?;
        self.record_writer.list(&found.record.facts())?;
        self.count(self.n_written, &found);
        self.n_written += 1;
        Ok(())
    }

    fn count(&mut self, at: usize, found: &MutantFindings) {
        let counted = Counted {
            made: &self.made[at],
            record: &found.record,
            judgement: found.judgement.as_ref(),
            is_kept: at < self.n_kept,
        };
        self.mutants.count(counted, self.counts);
    }

    /// Remembers the verdict on a mutant for later equal ones.
    fn settle(&mut self, found: &MutantFindings) {
        if let Some(digest) = found.digest {
            let record = &found.record;
            self.settled.entry(digest).or_insert_with(|| FirstVerdict {
                id: record.id.clone(),
                verdict: record.verdict,
                reason: record.reason.clone(),
                witness: record.witness.clone(),
            });
        }
    }

    /// Gives a mutant the verdict of an earlier equal one.
    fn inherit(&self, found: &mut MutantFindings) {
        let Some(earlier) = found.digest.and_then(|digest| self.settled.get(&digest)) else {
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

    /// Counts and sets aside the mutants that were decided behind one that the end of the run's time cut short. Returns
    /// the number of records written.
    fn set_aside(mut self) -> Result<usize> {
        // A mutant that equals an open one has no verdict yet.
        let is_decided = |found: &MutantFindings| found.record.decided_by != DecidedBy::Duplicate;
        let ahead = std::mem::take(&mut self.ahead);
        let ahead: Vec<_> = ahead.into_iter().filter(|(_, found)| is_decided(found)).collect();
        ahead.iter().for_each(|(at, found)| self.count(*at, found));
        let ahead = ahead.into_iter().map(|(_, found)| PendingRecord {
            digest: found.digest.map(|digest| digest.to_hex().to_string()),
            record: found.record,
        });
        self.record_writer.set_aside(ahead.collect())?;
        Ok(self.n_written)
    }
}

impl<M: Mutants> DecisionBatch for EachBatch<'_, M> {
    type Counts = M::Counts;

    fn sizes(&self) -> BatchSizes {
        self.mutants.sizes()
    }

    fn fill(&mut self, numbers: &[u64]) -> Result<()> {
        let made = numbers.par_iter().map(|number| self.mutants.make(*number));
        let made: Option<Vec<M::Made>> = made.collect();
        self.made = made.ok_or_else(ExperimentError::fewer_mutants)?;
        Ok(())
    }

    fn id(&self, at: usize) -> &str {
        self.mutants.id(&self.made[at])
    }

    fn decide(
        &mut self,
        kept: Vec<Record>,
        record_writer: &mut RecordWriter<'_>,
        counts: &mut M::Counts,
    ) -> Result<usize> {
        let (mutants, made, n_before) = (self.mutants, &self.made[..], self.n_before);
        let firsts = &self.firsts;
        let is_new = |at: usize, digest: Option<blake3::Hash>| {
            let Some(digest) = digest else { return true };
            let at = n_before + at;
            let mut firsts = locked(firsts);
            let first = firsts.entry(digest).or_insert(at);
            *first = at.min(*first);
            *first == at
        };
        let writer = Mutex::new(Writer {
            mutants,
            made,
            settled: &mut self.settled,
            counts,
            n_kept: kept.len(),
            n_written: 0,
            ahead: BTreeMap::new(),
            record_writer,
        });
        let write = |at: usize, found: MutantFindings| locked(&writer).take(at, found);
        let digests: Vec<_> = made[..kept.len()].par_iter().map(|made| mutants.digest(made)).collect();
        let known = kept.into_iter().zip(digests);
        let mut known: Vec<_> = known.enumerate().collect();
        let mut open = Vec::new();
        for (at, made) in made.iter().enumerate().skip(known.len()) {
            match locked(&writer).record_writer.ahead(mutants.id(made)) {
                Some(PendingRecord { record, digest }) => {
                    let digest = digest.and_then(|digest| blake3::Hash::from_hex(digest).ok());
                    known.push((at, (record, digest)));
                }
                None => open.push(at),
            }
        }
        for (at, (record, digest)) in known {
            is_new(at, digest);
            let judgement = None;
            write(
                at,
                MutantFindings {
                    record,
                    judgement,
                    digest,
                },
            )?;
        }
        mutants.decide(made, &open, &is_new, &write)?;
        self.n_before += made.len();
        writer.into_inner().unwrap_or_else(PoisonError::into_inner).set_aside()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use proptest::prelude::*;

    use super::*;
    use crate::plans::plan::tests::plan;
    use crate::{Log, Manifest, OutputDir, World, classify};

    /// Mutants whose verdicts follow from their digests, decided by threads in any order; the mutants in `cut` run out
    /// of time.
    struct Pretended {
        digests: Vec<Option<u8>>,
        cut: BTreeSet<usize>,
        n_decided: AtomicUsize,
    }

    impl World for &Pretended {
        type Counts = Vec<Record>;

        fn drive(&self, driver: Driver<'_>) -> Result<Vec<Record>> {
            drive_each(*self, &Selection::All(self.digests.len() as u64), Vec::new(), driver)
        }
    }

    impl Mutants for Pretended {
        type Made = (usize, String);
        type Counts = Vec<Record>;

        fn sizes(&self) -> BatchSizes {
            let (first, least, most) = (4, 2, 8);
            BatchSizes { first, least, most }
        }

        fn make(&self, number: u64) -> Option<Self::Made> {
            Some((number as usize, format!("m{number}")))
        }

        fn id<'m>(&'m self, made: &'m Self::Made) -> &'m str {
            &made.1
        }

        fn digest(&self, made: &Self::Made) -> Option<blake3::Hash> {
            self.digests[made.0].map(|digest| blake3::hash(&[digest]))
        }

        fn decide(&self, made: &[Self::Made], open: &[usize], is_new: &IsNew<'_>, write: &Write<'_>) -> Result<()> {
            in_order(open.len(), |at, (): &mut ()| {
                let made = &made[open[at]];
                let digest = self.digest(made);
                let is_new = is_new(open[at], digest);
                if self.cut.contains(&made.0) {
                    return Ok(());
                }
                self.n_decided.fetch_add(usize::from(is_new), Ordering::Relaxed);
                let verdict = match self.digests[made.0] {
                    Some(digest) if digest % 2 == 0 => Verdict::Subsumed,
                    _ => Verdict::NonSubsumed,
                };
                let record = Record {
                    id: made.1.clone(),
                    order: 1,
                    operators: vec!["TMI".into()],
                    violates: Vec::new(),
                    verdict: if is_new { verdict } else { Verdict::Unknown },
                    why: None,
                    decided_by: if is_new { DecidedBy::Game } else { DecidedBy::Duplicate },
                    duplicate_of: None,
                    reason: None,
                    witness: None,
                    alone: None,
                    certificate: None,
                    kill: None,
                };
                let judgement = None;
                write(
                    open[at],
                    MutantFindings {
                        record,
                        judgement,
                        digest,
                    },
                )
            })
        }

        fn count(&self, counted: Counted<'_, Self::Made>, counts: &mut Vec<Record>) {
            counts.push(counted.record.clone());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn a_run_that_was_cut_short_anywhere_ends_with_the_records_of_one_that_was_not(
            digests in prop::collection::vec(prop::option::weighted(0.8, 0u8..5), 1..30),
            cuts in prop::collection::vec(prop::collection::btree_set(0usize..30, 0..4), 1..4),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let run = |name: &str, cut: &BTreeSet<usize>, is_first: bool| {
                let (path, manifest) = (folder.path().join(name), Manifest::new(&plan(), 1, 1));
                let output = match is_first {
                    true => OutputDir::create(&path, &manifest).unwrap(),
                    false => OutputDir::resume(&path, &manifest).unwrap(),
                };
                let n_decided = AtomicUsize::new(0);
                let mutants = Pretended { digests: digests.clone(), cut: cut.clone(), n_decided };
                let counts = classify(&mutants, &mut Log::resume(&output).unwrap(), &mut |_| {}).unwrap();
                let text = |file: &str| fs::read_to_string(path.join(file)).unwrap_or_default();
                (counts, text("mutants.jsonl"), text("ahead.jsonl"), mutants.n_decided.into_inner())
            };
            let (all, whole, nothing, _) = run("whole", &BTreeSet::new(), true);
            prop_assert_eq!((all.len(), nothing.as_str()), (digests.len(), ""));
            for (at, cut) in cuts.iter().enumerate() {
                let (counts, records, ahead, _) = run("cut", cut, at == 0);
                prop_assert!(whole.starts_with(&records));
                // Every counted mutant is in one of the two files, with the right verdict.
                prop_assert_eq!(counts.len(), records.lines().count() + ahead.lines().filter(|line| {
                    counts.iter().any(|record| line.contains(&format!("\"{}\"", record.id)))
                }).count());
                for record in counts.iter().filter(|record| record.duplicate_of.is_none()) {
                    prop_assert!(all.iter().any(|known| known.id == record.id && known.verdict == record.verdict));
                }
            }
            let (counts, records, ahead, _) = run("cut", &BTreeSet::new(), false);
            prop_assert_eq!((counts, records, ahead.as_str()), (all, whole, ""));
        }
    }

    #[test]
    fn what_was_decided_behind_an_open_mutant_is_not_decided_again() {
        let folder = tempfile::tempdir().unwrap();
        let (path, manifest) = (folder.path().join("run"), Manifest::new(&plan(), 1, 1));
        let pretended = |cut: &[usize]| Pretended {
            digests: vec![Some(1), Some(2), Some(3), Some(1)],
            cut: cut.iter().copied().collect(),
            n_decided: AtomicUsize::new(0),
        };
        let output = OutputDir::create(&path, &manifest).unwrap();
        let mutants = pretended(&[1]);
        // On several threads the last mutant may be decided as well, if its turn comes before the first one is known.
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let run = || classify(&mutants, &mut Log::resume(&output).unwrap(), &mut |_| {}).unwrap();
        let counts = one_thread.install(run);
        // The first and the third are counted; the last one equals the first, and inherits its verdict when its turn
        // comes.
        let ids: Vec<&str> = counts.iter().map(|record| &*record.id).collect();
        assert_eq!((ids, mutants.n_decided.into_inner()), (vec!["m0", "m2"], 2));
        let mutants = pretended(&[]);
        classify(&mutants, &mut Log::resume(&output).unwrap(), &mut |_| {}).unwrap();
        assert_eq!(mutants.n_decided.into_inner(), 1);
    }
}
