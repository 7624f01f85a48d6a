//! The mutants of a finished run that are worth a test: the non-subsumed ones, one per class of mutual refinement.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::candidate::Candidate;
use super::candidates::made;
use crate::error::{ExperimentError, OrMalformed as _, Result};
use crate::{Filter, Kept, MutantSet, Numbered, Record, Selection, Shard, Sink, Source, Timer, Verdict, walk};
use tamper_suite::Tester;

/// The mutants of a run for which tests are generated.
#[derive(Debug)]
pub struct RunCandidates {
    /// The non-subsumed mutants, in the run's order; if the run has classes, the first of each.
    pub candidates: Vec<Candidate>,
    /// Number of non-subsumed mutants left out because they and a candidate refine each other.
    pub represented: u64,
    /// Number of mutants without a verdict.
    pub undecided: u64,
    /// Number of candidates in all shares.
    pub total: u64,
    /// BLAKE3 hash of the ids of all candidates, in hexadecimal.
    pub hash: String,
}

/// The candidates of the run in `folder`, which decided `selection` of `set`, or the share `shard` of them, to be tested by `tester`.
///
/// # Errors
/// If the run is not finished, or its records or classes belong to other mutants.
pub fn candidates_of_run(
    set: &dyn MutantSet,
    selection: &Selection,
    folder: &Path,
    shard: Option<Shard>,
    tester: &Tester,
    timer: &Timer,
) -> Result<RunCandidates> {
    let mut worth = Worth {
        set,
        classes: classes(folder)?,
        shard,
        mutants: Vec::new(),
        ids: BTreeSet::new(),
        hash: blake3::Hasher::new(),
        n_represented: 0,
        represented: Vec::new(),
    };
    let source = Source {
        set,
        selection,
        folder,
        filter: &Filter::all(),
        shard: None,
    };
    let counts = walk(source, &mut worth, &mut |_| ())?;
    if let Some(class) = worth.represented.iter().find(|class| !worth.ids.contains(*class)) {
        return Err(ExperimentError::other_run(format!(
            "classes.csv is not of this run: the class {class} of a non-subsumed mutant is no non-subsumed mutant"
        )));
    }
    Ok(RunCandidates {
        candidates: made(set, &worth.mutants, tester, timer),
        represented: worth.n_represented + worth.represented.len() as u64,
        undecided: counts.unknown,
        total: worth.ids.len() as u64,
        hash: worth.hash.finalize().to_hex().to_string(),
    })
}

/// The class of each mutant, if the run computed classes.
fn classes(folder: &Path) -> Result<Option<BTreeMap<String, String>>> {
    let path = folder.join("classes.csv");
    if !path.exists() {
        return Ok(None);
    }
    let name = path.display();
    let cannot = || format!("{name}: cannot be read");
    let mut reader = csv::Reader::from_path(&path).or_malformed(cannot)?;
    if reader.headers().or_malformed(cannot)? != ["id", "verdict", "class"].as_slice() {
        let what = format!("{name}: its columns are not id, verdict and class");
        return Err(ExperimentError::malformed(what));
    }
    let row = |row: csv::Result<csv::StringRecord>| {
        let row = row.or_malformed(cannot)?;
        Ok((row[0].to_owned(), row[2].to_owned()))
    };
    reader.records().map(row).collect::<Result<_>>().map(Some)
}

struct Worth<'a> {
    set: &'a dyn MutantSet,
    classes: Option<BTreeMap<String, String>>,
    shard: Option<Shard>,
    mutants: Vec<Numbered>,
    /// The ids of all mutants that are worth a test.
    ids: BTreeSet<String>,
    hash: blake3::Hasher,
    /// Number of mutants left out because they equal an earlier one.
    n_represented: u64,
    /// The classes of the other mutants left out.
    represented: Vec<String>,
}

impl Worth<'_> {
    /// Whether a non-subsumed mutant is left out because another one represents it.
    fn is_represented(&mut self, record: &Record) -> Result<bool> {
        if self.set.tests_first_only() && record.duplicate_of.is_some() {
            self.n_represented += 1;
            return Ok(true);
        }
        let (id, Some(classes)) = (&record.id, &self.classes) else {
            return Ok(false);
        };
        let lacks = || ExperimentError::other_run(format!("classes.csv is not of this run: it lacks {id}"));
        let class = classes.get(id).ok_or_else(lacks)?;
        if class != id {
            self.represented.push(class.clone());
        }
        Ok(class != id)
    }
}

impl Sink for Worth<'_> {
    fn take(&mut self, kept: Vec<Kept>) -> Result<()> {
        for kept in kept {
            if kept.record.verdict != Verdict::NonSubsumed || self.is_represented(&kept.record)? {
                continue;
            }
            let position = self.ids.len() as u64;
            self.hash.update(kept.record.id.as_bytes()).update(b"\n");
            self.ids.insert(kept.record.id);
            if self.shard.is_none_or(|shard| shard.has(position)) {
                self.mutants.push(kept.mutant);
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
