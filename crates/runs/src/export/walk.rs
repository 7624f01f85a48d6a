//! Reads the records of a run together with its mutants.

use std::io::{BufRead as _, Lines};
use std::path::Path;

use rayon::prelude::*;

use super::super::mutant_set::CHUNK;
use super::super::{Filter, MutantSet, Numbered, Record, Selection, Shard, Subject, Verdict};
use super::{Kept, Sink};
use crate::error::{ExperimentError, FileAction, OfFile as _, Result};
use crate::plans::shard::Deal;
use crate::records::log::RECORDS;
use crate::{LineFile, count_lines, open_lines};
use tamper_timed::mutation::Mutation;

/// A finished run, and the choice of its mutants to export.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The mutants.
    pub set: &'a dyn MutantSet,
    /// The mutants that the run decided.
    pub selection: &'a Selection,
    /// The folder of the run.
    pub folder: &'a Path,
    /// The filter that chooses the mutants to keep.
    pub filter: &'a Filter,
    /// The share to export; `None` for all.
    pub shard: Option<Shard>,
}

/// The numbers of mutants in an export.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Mutants whose records were read.
    pub looked_at: u64,
    /// Mutants kept.
    pub kept: u64,
    /// Mutants without a verdict.
    pub unknown: u64,
}

/// Passes the kept mutants to `sink`, in order. `progress` is told the number of records done.
///
/// # Errors
/// If the run is not finished, its records belong to other mutants, or `sink` fails.
pub fn walk(source: Source<'_>, sink: &mut dyn Sink, progress: &mut dyn FnMut(u64)) -> Result<Counts> {
    let path = source.folder.join(RECORDS);
    let lines = open_lines(&path).cannot(FileAction::Read, &path)?;
    let (n_lines, _) = count_lines(lines).cannot(FileAction::Read, &path)?;
    if n_lines != source.selection.len() {
        return Err(ExperimentError::Unfinished(format!(
            "the run in {} is not finished: it has {n_lines} of {} mutants; finish it with `tamper classify --resume`",
            source.folder.display(),
            source.selection.len()
        )));
    }
    let mut walk = Walk::begin(source)?;
    walk.go_on(source.selection.len(), sink, progress)?;
    Ok(walk.counts)
}

/// A walk along the records of a run, which may still be written behind it.
pub struct Walk<'a> {
    source: Source<'a>,
    lines: Lines<LineFile>,
    /// The number of records that were read.
    position: u64,
    counts: Counts,
}

impl<'a> Walk<'a> {
    /// Stands before the first record of a run.
    ///
    /// # Errors
    /// If the run has no records, not even an empty list.
    pub fn begin(source: Source<'a>) -> Result<Self> {
        let path = source.folder.join(RECORDS);
        Ok(Self {
            source,
            lines: open_lines(&path).cannot(FileAction::Read, &path)?.lines(),
            position: 0,
            counts: Counts::default(),
        })
    }

    /// Passes the kept mutants among the first `until` ones that it has not passed yet to `sink`, in order. `progress` is told the number
    /// of records done.
    ///
    /// # Errors
    /// If there are fewer records, they belong to other mutants, or `sink` fails.
    pub fn go_on(&mut self, until: u64, sink: &mut dyn Sink, progress: &mut dyn FnMut(u64)) -> Result<()> {
        let source = self.source;
        let share = source
            .shard
            .map(|shard| (Deal::new(source.selection.len(), shard), u64::from(shard.index() - 1)));
        while self.position < until {
            let mut chunk = Vec::new();
            let end = until.min(self.position + CHUNK);
            for number in source.selection.slice(self.position..end) {
                let shorter = || ExperimentError::malformed("mutants.jsonl got shorter while it was read".to_owned());
                let text = self.lines.next().ok_or_else(shorter)??;
                let position = self.position;
                if share.as_ref().is_none_or(|(deal, own)| deal.share_of(position) == *own) {
                    chunk.push(RecordLine { position, number, text });
                }
                self.position += 1;
            }
            self.pass(&chunk, sink)?;
            progress(self.position);
        }
        Ok(())
    }

    /// Passes the kept mutants of a chunk to `sink`, and counts all of it.
    fn pass(&mut self, chunk: &[RecordLine], sink: &mut dyn Sink) -> Result<()> {
        let seen = keep(self.source, chunk)?;
        self.counts.looked_at += seen.len() as u64;
        self.counts.unknown += seen.iter().filter(|(_, unknown)| *unknown).count() as u64;
        let (mut kept, mut dropped) = (Vec::new(), Vec::new());
        for (mutant, _) in seen {
            match mutant {
                Ok(mutant) => kept.push(*mutant),
                Err(mutations) => dropped.push(mutations),
            }
        }
        self.counts.kept += kept.len() as u64;
        sink.take(kept)?;
        if sink.asks_for_dropped() {
            sink.dropped(dropped)?;
        }
        Ok(())
    }
}

/// A kept mutant, or the mutations of a dropped one; and whether its verdict is unknown.
type WalkedMutant = (Result<Box<Kept>, Vec<Mutation>>, bool);

/// A line of the records.
struct RecordLine {
    /// Position in the run.
    position: u64,
    /// Number of the mutant.
    number: u64,
    text: String,
}

/// Reads the mutants of a chunk and filters them.
fn keep(source: Source<'_>, chunk: &[RecordLine]) -> Result<Vec<WalkedMutant>> {
    let numbers: Vec<u64> = chunk.iter().map(|line| line.number).collect();
    let mutants = source.set.mutants(&numbers)?;
    let one = |(line, mutant): (&RecordLine, Numbered)| -> Result<WalkedMutant> {
        let record = Record::of_mutant(&line.text, line.position + 1, &mutant.id)?;
        let is_unknown = record.verdict == Verdict::Unknown;
        let subject = Subject {
            number: line.number,
            record: &record,
            places: &mutant.places,
        };
        let kept = match source.filter.keeps(subject) {
            true => Ok(Box::new(Kept { record, mutant })),
            false => Err(mutant.mutations),
        };
        Ok((kept, is_unknown))
    };
    chunk.par_iter().zip(mutants).map(one).collect()
}
