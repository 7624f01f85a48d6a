//! The mutants of a run as files, with an index.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};

use anyhow::{Context as _, Result, bail};
use rayon::prelude::*;
use serde::Serialize;

use super::{OutputDir, Record, Run, Verdict};
use crate::mutation::Mutation;

/// Which mutants are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Every one.
    All,
    /// Those that no guideline condemns.
    NotViolating,
    /// Those that the guidelines condemn.
    Violating,
    /// Those of this verdict.
    Only(Verdict),
}

impl Keep {
    /// Whether a mutant with this record is written.
    pub fn keeps(self, record: &Record) -> bool {
        match self {
            Self::All => true,
            Self::NotViolating => record.violates.is_empty(),
            Self::Violating => !record.violates.is_empty(),
            Self::Only(verdict) => record.verdict == verdict,
        }
    }
    /// Whether games must be played to know.
    pub fn needs_verdicts(self) -> bool {
        matches!(self, Self::Only(_))
    }
}

/// One line of `index.jsonl`.
#[derive(Serialize)]
struct Entry<'a> {
    file: &'a str,
    #[serde(flatten)]
    record: &'a Record,
}

/// How many mutants are written in one go.
const CHUNK: u64 = 256;

/// Writes each mutant of a finished run that `keep` keeps into `output`: `<number>-<operators>.xml`, its text made
/// by `write` from its mutations, and a line of `index.jsonl`. Returns how many.
///
/// # Errors
/// When a file cannot be read or written, or `write` fails.
pub fn export(
    run: Run<'_>,
    output: &OutputDir,
    keep: Keep,
    write: &(dyn Fn(&[Mutation]) -> Result<String> + Sync),
) -> Result<u64> {
    let path = output.path().join("mutants.jsonl");
    let records = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut records = BufReader::new(records).lines();
    let path = output.path().join("index.jsonl");
    let cannot = || format!("cannot write {}", path.display());
    let mut index = BufWriter::new(File::create(&path).with_context(cannot)?);
    let mut n_written = 0;
    let mut done = 0;
    while done < run.selection.len() {
        let numbers = run.selection.slice(done..done + CHUNK);
        done += numbers.len() as u64;
        let mut kept = Vec::new();
        for number in numbers {
            let Some(line) = records.next() else {
                bail!("mutants.jsonl ends before mutant {number}")
            };
            let record: Record = serde_json::from_str(&line?)?;
            if keep.keeps(&record) {
                kept.push((number, file_name(number, &record), record));
            }
        }
        kept.par_iter().try_for_each(|(number, name, _)| -> Result<()> {
            let text = write(&mutations(run, *number)?)?;
            let path = output.path().join(name);
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        })?;
        for (_, file, record) in &kept {
            serde_json::to_writer(&mut index, &Entry { file, record })?;
            writeln!(index).with_context(cannot)?;
        }
        n_written += kept.len() as u64;
    }
    index.flush().with_context(cannot)?;
    Ok(n_written)
}

fn file_name(number: u64, record: &Record) -> String {
    format!("{number:06}-{}.xml", record.operators.join("-"))
}

/// The mutations of the mutant of that number, in order.
fn mutations(run: Run<'_>, number: u64) -> Result<Vec<Mutation>> {
    let found = || {
        let (family, position) = run.space.locate(number)?;
        let siblings = run.space.siblings(family)?;
        let last = siblings.last().get(position)?;
        Some(siblings.prefix().into_iter().chain([last]).collect())
    };
    found().with_context(|| format!("there is no mutant {number}"))
}
