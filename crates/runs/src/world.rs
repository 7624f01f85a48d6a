//! Worlds: the interface between a run and the subject that it mutates.
//!
//! A [`World`] has numbered mutants and decides consecutive ones together, as a [`DecisionBatch`]. Everything else in a
//! run is the same for all worlds: the selection of mutants, the remains of an interrupted run, ordered records, lists,
//! counts, and the size of the next batch. Worlds whose mutants are many and cheap (timed games) fill their batches
//! directly; others implement [`Mutants`](super::Mutants), mutant by mutant.

use std::time::{Duration, Instant};

use super::error::{ExperimentError, Result};
use super::{Facts, Log, Record, Selection, Summary, VerificationSample};
use crate::records::log::PendingRecord;

/// The numbered mutants of a subject, with a way to decide them.
pub trait World {
    /// Counters updated while records are written.
    type Counts: Counting;

    /// Passes its batches to `driver`.
    ///
    /// # Errors
    /// As [`classify`](super::classify).
    fn drive(&self, driver: Driver<'_>) -> Result<Self::Counts>;
}

/// Counters of the mutants of a run.
pub trait Counting {
    /// Number of mutants counted.
    fn n_counted(&self) -> u64;
}

impl Counting for Summary {
    fn n_counted(&self) -> u64 {
        self.total().total
    }
}

impl Counting for Vec<Record> {
    fn n_counted(&self) -> u64 {
        self.len() as u64
    }
}

/// Consecutive mutants that are decided together.
pub(super) trait DecisionBatch {
    /// Counters updated while records are written.
    type Counts;

    /// The initial, the least and the greatest number of mutants in a batch.
    fn sizes(&self) -> BatchSizes;

    /// Replaces the content by the mutants with these numbers.
    ///
    /// # Errors
    /// If a number belongs to no mutant.
    fn fill(&mut self, numbers: &[u64]) -> Result<()>;

    /// The id of the mutant at this position.
    fn id(&self, at: usize) -> &str;

    /// Decides the mutants after `kept`, and writes and counts all. Returns how many records were written: fewer than
    /// the batch if the end of the run's time cut the rest short.
    ///
    /// # Errors
    /// If a mutant has no verdict for another reason, or a file cannot be written.
    fn decide(
        &mut self,
        kept: Vec<Record>,
        record_writer: &mut RecordWriter<'_>,
        counts: &mut Self::Counts,
    ) -> Result<usize>;
}

/// Numbers of mutants in a batch: enough to keep all threads busy, few enough to lose little if the run is interrupted.
/// They have no effect on the records.
#[derive(Clone, Copy, Debug)]
pub struct BatchSizes {
    /// Size of the first batch.
    pub first: u64,
    /// Least size, for batches that take long.
    pub least: u64,
    /// Greatest size, for batches that are done quickly.
    pub most: u64,
}

/// The writer of a batch's records.
pub(super) struct RecordWriter<'p> {
    log: &'p mut Log,
    /// Number of mutants of this batch whose lines an interrupted run wrote.
    n_in_file: usize,
    numbers: &'p [u64],
    draw: &'p mut VerificationSample,
    progress: &'p mut ProgressCallback<'p>,
    /// Number of mutants of the run that are written before this batch, and in this batch.
    n_before: u64,
    n_written: usize,
}

/// Callback with the number of mutants written.
pub(super) type ProgressCallback<'p> = dyn FnMut(u64) + Send + 'p;

impl RecordWriter<'_> {
    /// Appends lines; `text_after(n)` is the text without the first `n` of them.
    ///
    /// # Errors
    /// If the file system refuses.
    pub(super) fn append<'t>(&mut self, text_after: impl Fn(usize) -> &'t [u8]) -> Result<()> {
        // Lines that an interrupted run wrote are already in the file.
        self.log
            .append(text_after(self.n_in_file.saturating_sub(self.n_written)))
    }

    /// Lists the mutant of the next line.
    ///
    /// # Errors
    /// If the file system refuses.
    pub(super) fn list(&mut self, facts: &Facts<'_>) -> Result<()> {
        self.log.list(facts)?;
        self.draw
            .offer(self.numbers[self.n_written], facts.decided_by, facts.verdict);
        self.n_written += 1;
        Ok(())
    }

    /// Reports the number of mutants written, and flushes their lists to the operating system.
    ///
    /// # Errors
    /// If the file system refuses.
    pub(super) fn show(&mut self) -> Result<()> {
        (self.progress)(self.n_before + self.n_written as u64);
        self.log.flush()
    }

    /// Takes the findings that an interrupted run set aside about this mutant.
    pub(super) fn ahead(&mut self, id: &str) -> Option<PendingRecord> {
        self.log.take_ahead(id)
    }

    /// Keeps findings about mutants behind an undecided one, for the run that continues from here.
    ///
    /// # Errors
    /// If the file system refuses.
    pub(super) fn set_aside(&mut self, ahead: Vec<PendingRecord>) -> Result<()> {
        self.log.set_aside(ahead)
    }
}

/// Takes all mutants of a run, batch by batch, through decision and recording.
pub struct Driver<'d> {
    pub(super) log: &'d mut Log,
    pub(super) progress: &'d mut ProgressCallback<'d>,
    pub(super) draw: &'d mut VerificationSample,
}

impl Driver<'_> {
    /// Decides and writes the mutants of `selection`, after the records that an interrupted run left in the log. If the
    /// time of the run is up, only the mutants decided until then are counted.
    ///
    /// # Errors
    /// If a file cannot be written, or the existing records are not of this run.
    pub(super) fn go<B: DecisionBatch>(
        self,
        selection: &Selection,
        batch: &mut B,
        mut counts: B::Counts,
    ) -> Result<B::Counts> {
        let Self { log, progress, draw } = self;
        let sizes = batch.sizes();
        let (mut size, mut done) = (sizes.first, 0);
        while done < selection.len() {
            let started = Instant::now();
            let mut numbers = selection.slice(done..done + size);
            batch.fill(&numbers)?;
            let kept = kept(batch, numbers.len(), log)?;
            if !kept.is_empty() && kept.len() < numbers.len() {
                // Reading records takes no time, so the present size says nothing about deciding mutants: start again
                // with the first size.
                numbers.truncate(kept.len());
                batch.fill(&numbers)?;
                size = sizes.first;
            }
            let n_in_file = if log.has_kept() { kept.len() } else { 0 };
            // Mutants that were cut short have no verdict, and are decided by the run that continues from here.
            let mut record_writer = RecordWriter {
                log: &mut *log,
                n_in_file,
                numbers: &numbers,
                draw: &mut *draw,
                progress: &mut *progress,
                n_before: done,
                n_written: 0,
            };
            let n_written = batch.decide(kept, &mut record_writer, &mut counts)?;
            record_writer.show()?;
            done += n_written as u64;
            if n_written < numbers.len() {
                return Ok(counts);
            }
            size = sizes.after(size, started.elapsed());
        }
        log.nothing_ahead()?;
        Ok(counts)
    }
}

impl BatchSizes {
    /// The size of the next batch, after a batch of `size` mutants that took the time `took`.
    fn after(self, size: u64, took: Duration) -> u64 {
        if took < Duration::from_millis(100) {
            (size * 2).min(self.most)
        } else if took > Duration::from_secs(1) {
            (size / 2).max(self.least)
        } else {
            size
        }
    }
}

/// The records that an interrupted run left for the first mutants of a batch.
fn kept<B: DecisionBatch>(batch: &B, len: usize, log: &mut Log) -> Result<Vec<Record>> {
    let mut kept = Vec::new();
    while kept.len() < len {
        let Some(record) = log.next_kept()? else { break };
        let id = batch.id(kept.len());
        if record.id != id {
            return Err(ExperimentError::other_record(&record.id, id));
        }
        kept.push(record);
    }
    Ok(kept)
}
