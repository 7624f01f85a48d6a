//! What a run must know of what it is about.
//!
//! A [`World`] has numbered mutants and decides some consecutive ones at a time, as a [`Batch`]. Everything else of a run is the
//! same for all worlds: which mutants are looked at, what an interrupted run left, records in order, lists, counts, the next
//! chunk's size. Worlds whose mutants are many and cheap (timed games) fill their batches by themselves; for others
//! [`Mutants`](super::Mutants) says it mutant by mutant.

use std::time::{Duration, Instant};

use super::error::{ExperimentError, Result};
use super::log::PendingRecord;
use super::{Facts, Log, Record, Selection, Summary, VerificationSample};

/// The mutants of a subject, numbered, and who decides them.
pub trait World {
    /// What is counted while records are written.
    type Counts: Counting;

    /// Hands its batches to `driver`.
    ///
    /// # Errors
    /// As [`classify`](super::classify).
    fn drive(&self, driver: Driver<'_>) -> Result<Self::Counts>;
}

/// What is counted of the mutants of a run.
pub trait Counting {
    /// How many were counted.
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

/// Some consecutive mutants on their way.
pub(super) trait Batch {
    /// What is counted while records are written.
    type Counts;

    /// How many mutants a batch has at first, at least and at most.
    fn sizes(&self) -> BatchSizes;

    /// Takes the mutants of those numbers in place of those that were there.
    ///
    /// # Errors
    /// Numbers that no mutant has.
    fn fill(&mut self, numbers: &[u64]) -> Result<()>;

    /// The id of the mutant at that position.
    fn id(&self, at: usize) -> &str;

    /// Decides the mutants behind those that are in `kept`, and writes and counts all. Gives how many, from the first one on, are
    /// written: what the end of the run's time cut short is not.
    ///
    /// # Errors
    /// When one has no verdict for another reason, or a file cannot be written.
    fn decide(&mut self, kept: Vec<Record>, paper: &mut RecordWriter<'_>, counts: &mut Self::Counts) -> Result<usize>;
}

/// How many mutants a batch has: enough to keep all threads busy, few enough to lose little when the run is interrupted. It
/// changes nothing in the records.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchSizes {
    /// Of the first batch.
    pub first: u64,
    /// Of batches that take long.
    pub least: u64,
    /// Of batches that are done soon.
    pub most: u64,
}

/// Where records are written.
pub(super) struct RecordWriter<'p> {
    log: &'p mut Log,
    /// The mutants of this batch whose lines an interrupted run wrote.
    n_in_file: usize,
    numbers: &'p [u64],
    draw: &'p mut VerificationSample,
    progress: &'p mut Progress<'p>,
    /// How many of the run are written before this batch, and of this batch.
    n_before: u64,
    n_written: usize,
}

/// Is told how many mutants are written.
pub(super) type Progress<'p> = dyn FnMut(u64) + Send + 'p;

impl RecordWriter<'_> {
    /// Appends lines; `text_after(n)` is the text without the first `n` of them.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(super) fn append<'t>(&mut self, text_after: impl Fn(usize) -> &'t [u8]) -> Result<()> {
        // Those that an interrupted run wrote are in the file already.
        self.log
            .append(text_after(self.n_in_file.saturating_sub(self.n_written)))
    }

    /// Lists the mutant of the next line.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(super) fn list(&mut self, facts: &Facts<'_>) -> Result<()> {
        self.log.list(facts)?;
        self.draw
            .offer(self.numbers[self.n_written], facts.decided_by, facts.verdict);
        self.n_written += 1;
        Ok(())
    }

    /// Shows how many mutants are written, and hands their lists to the operating system.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(super) fn show(&mut self) -> Result<()> {
        (self.progress)(self.n_before + self.n_written as u64);
        self.log.flush()
    }

    /// What an interrupted run found out about this mutant without writing its line.
    pub(super) fn ahead(&mut self, id: &str) -> Option<PendingRecord> {
        self.log.take_ahead(id)
    }

    /// Keeps what was decided behind a mutant without a verdict for the run that goes on from here.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(super) fn set_aside(&mut self, ahead: Vec<PendingRecord>) -> Result<()> {
        self.log.set_aside(ahead)
    }
}

/// What goes through all mutants of a run.
pub struct Driver<'d> {
    pub(super) log: &'d mut Log,
    pub(super) progress: &'d mut Progress<'d>,
    pub(super) draw: &'d mut VerificationSample,
}

impl Driver<'_> {
    /// Decides and writes the mutants of `selection`, after those that an interrupted run left in the log. When the time of the
    /// run is up, only the mutants before that are counted.
    ///
    /// # Errors
    /// When a file cannot be written, or the records that are there are not those of this run.
    pub(super) fn go<B: Batch>(self, selection: &Selection, batch: &mut B, mut counts: B::Counts) -> Result<B::Counts> {
        let Self { log, progress, draw } = self;
        let sizes = batch.sizes();
        let (mut size, mut done) = (sizes.first, 0);
        while done < selection.len() {
            let started = Instant::now();
            let mut numbers = selection.slice(done..done + size);
            batch.fill(&numbers)?;
            let kept = kept(batch, numbers.len(), log)?;
            if !kept.is_empty() && kept.len() < numbers.len() {
                // What is read takes no time, so the size says nothing about what is decided: that begins anew.
                numbers.truncate(kept.len());
                batch.fill(&numbers)?;
                size = sizes.first;
            }
            let n_in_file = if log.has_kept() { kept.len() } else { 0 };
            // What was cut short has no verdict, and is decided by the run that goes on from here.
            let mut paper = RecordWriter {
                log: &mut *log,
                n_in_file,
                numbers: &numbers,
                draw: &mut *draw,
                progress: &mut *progress,
                n_before: done,
                n_written: 0,
            };
            let n_written = batch.decide(kept, &mut paper, &mut counts)?;
            paper.show()?;
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
    /// The size of the next batch, after one of `size` that took that long.
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
fn kept<B: Batch>(batch: &B, len: usize, log: &mut Log) -> Result<Vec<Record>> {
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
