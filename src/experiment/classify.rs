//! The pipeline: chunks of mutants through guidelines, duplicate check and game, records out in order.
//!
//! In each chunk the mutants are named and fingerprinted in parallel, duplicates are found one after the other (so the
//! first of equals is always the one with the lowest number), the distinct ones are decided in parallel, and the
//! records are written in order. What is kept beyond a chunk is one table entry per distinct mutant.

use std::time::{Duration, Instant};

use super::chunk::Chunk;
use super::error::Result;
use super::families::FamilyEngine;
use super::seen::Seen;
use super::{Draw, Log, Run, Summary};
use crate::game::Families;
use crate::mutation::Fingerprinter;

/// Decides the mutants of `run` and appends a record of each to `log`, after those that an interrupted run left
/// there. `progress` is told how many are done. When the time of the run is up, the summary is of the mutants before it.
///
/// # Errors
/// When a file cannot be written, or the records that are there are not those of this run.
pub fn classify(run: Run<'_>, log: &mut Log, progress: &mut dyn FnMut(u64)) -> Result<Summary> {
    classify_drawing(run, log, progress, &mut Draw::new(0, 0))
}

/// The same, and draws mutants to be decided again.
///
/// # Errors
/// As [`classify`].
pub fn classify_drawing(
    run: Run<'_>,
    log: &mut Log,
    progress: &mut dyn FnMut(u64),
    draw: &mut Draw,
) -> Result<Summary> {
    let mut summary = Summary::new(&run.space.options().operators, run.space.order());
    let mut seen = Seen::expecting(run.selection.len());
    let fingerprinter = Fingerprinter::new(run.space.base());
    let families = run.judge.families();
    let engine = families.as_ref().map(|families| FamilyEngine::new(run.space, families));
    summary.count_states(families.as_ref().map_or(0, Families::n_states));
    let mut size = ChunkSize::default();
    let mut chunk = Chunk::default();
    let mut done = 0;
    while done < run.selection.len() {
        let started = Instant::now();
        let numbers = run.selection.slice(done..done + size.0);
        chunk.fill((run, &fingerprinter, engine.is_some()), &numbers)?;
        let kept = chunk.kept(log)?;
        let n_in_file = if log.has_kept() { kept.len() } else { 0 };
        chunk.find_sources(&mut seen);
        let n_states = chunk.decide(run, engine.as_ref(), &kept);
        // What was cut short has no verdict, and is decided by the run that goes on from here.
        if run.judge.is_over() {
            break;
        }
        summary.count_states(n_states);
        chunk.settle(&mut seen);
        summary.count_methods(chunk.judgements());
        chunk.write(run, &seen)?;
        let mut n_written = 0;
        for part in chunk.parts() {
            // Those that an interrupted run wrote are in the file already.
            log.append(part.text_after(n_in_file.saturating_sub(n_written)))?;
            for (facts, operators) in part.records() {
                log.list(&facts)?;
                draw.offer(numbers[n_written], facts.decided_by, facts.verdict);
                summary.count(operators, &facts);
                n_written += 1;
            }
        }
        log.flush()?;
        done += numbers.len() as u64;
        progress(done);
        size.adapt(started.elapsed());
    }
    Ok(summary)
}

/// How many mutants the next chunk has: enough to keep all threads busy, few enough to lose little when the run is
/// interrupted. It changes nothing in the records.
struct ChunkSize(u64);

impl Default for ChunkSize {
    fn default() -> Self {
        Self(256)
    }
}

impl ChunkSize {
    /// What is known of so many mutants until they are written fits into a cache.
    const MOST: u64 = 4096;

    fn adapt(&mut self, took: Duration) {
        if took < Duration::from_millis(100) {
            self.0 = (self.0 * 2).min(Self::MOST);
        } else if took > Duration::from_secs(1) {
            self.0 = (self.0 / 2).max(16);
        }
    }
}
