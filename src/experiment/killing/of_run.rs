//! The mutants of a finished run that are worth a test: the non-subsumed ones, of mutants that refine each other one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use super::candidates::Candidate;
use crate::experiment::error::{ExperimentError, OrMalformed as _, Result};
use crate::experiment::{Filter, Kept, Selection, Shard, Sink, Source, Verdict, walk};
use crate::mutation::{MutantSpace, Mutation};
use crate::suite::Subject;
use crate::text::Budget;

/// What a run has for a tester.
#[derive(Debug)]
pub struct RunCandidates {
    /// The non-subsumed mutants, in the run's order; with classes the first of each.
    pub candidates: Vec<Candidate>,
    /// Non-subsumed mutants that are left out because one of these refines them and is refined by them.
    pub represented: u64,
    /// Mutants without a verdict.
    pub undecided: u64,
    /// How many mutants there are in all shares.
    pub total: u64,
    /// BLAKE3 of all their ids, in hexadecimal.
    pub hash: String,
}

/// The mutants of the run in `folder`, which looked at `selection` of `space`, or the share of them that `shard` has; each is
/// lowered within `budget`.
///
/// # Errors
/// When the run is not finished, or its records or classes are not those of these mutants.
pub fn candidates_of_run(
    space: &MutantSpace,
    selection: &Selection,
    folder: &Path,
    shard: Option<Shard>,
    budget: &impl Fn() -> Budget,
) -> Result<RunCandidates> {
    let mut worth = Worth {
        classes: classes(folder)?,
        budget,
        shard,
        candidates: Vec::new(),
        ids: BTreeSet::new(),
        hash: blake3::Hasher::new(),
        represented: Vec::new(),
    };
    let source = Source {
        space,
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
        represented: worth.represented.len() as u64,
        candidates: worth.candidates,
        undecided: counts.unknown,
        total: worth.ids.len() as u64,
        hash: worth.hash.finalize().to_hex().to_string(),
    })
}

/// The class of each mutant, when the run was asked for classes.
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

struct Worth<'a, B> {
    classes: Option<BTreeMap<String, String>>,
    budget: &'a B,
    shard: Option<Shard>,
    candidates: Vec<Candidate>,
    /// The ids of all mutants that are worth a test.
    ids: BTreeSet<String>,
    hash: blake3::Hasher,
    /// The classes of the mutants that are left out.
    represented: Vec<String>,
}

impl<B: Fn() -> Budget> Sink for Worth<'_, B> {
    fn take(&mut self, kept: Vec<Kept>) -> Result<()> {
        let worth = |kept: &Kept| kept.record.verdict == Verdict::NonSubsumed;
        for kept in kept.into_iter().filter(worth) {
            if let Some(classes) = &self.classes {
                let id = &kept.record.id;
                let class = classes.get(id);
                let lacks = || ExperimentError::other_run(format!("classes.csv is not of this run: it lacks {id}"));
                let class = class.ok_or_else(lacks)?;
                if class != id {
                    self.represented.push(class.clone());
                    continue;
                }
            }
            let position = self.ids.len() as u64;
            self.hash.update(kept.record.id.as_bytes()).update(b"\n");
            self.ids.insert(kept.record.id.clone());
            if self.shard.is_some_and(|shard| !shard.has(position)) {
                continue;
            }
            let automaton = kept.mutant();
            self.candidates.push(Candidate {
                id: kept.record.id,
                operators: kept.mutations.iter().map(Mutation::operator).collect(),
                mutations: kept.mutations,
                subject: Subject::new(&automaton, &(self.budget)()).map(Arc::new),
                automaton: Some(automaton),
            });
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
