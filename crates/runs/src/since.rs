//! What an earlier run shows about the mutants of a changed model (`docs/notes/0020-since.md`): its counterexamples, each tried on
//! the mutant of the same id before anything else is asked.

use std::collections::BTreeMap;
use std::io::BufRead as _;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{FileAction, OfFile as _, OrMalformed as _, Result};
use super::log::RECORDS;
use super::witness::path_of;
use super::{Judgement, Manifest, Record};
use crate::open_lines;
use tamper_game::{How, Retrial, Specification};
use tamper_text::Budget;
use tamper_timed::model::Automaton;

/// The counterexamples of an earlier run.
#[derive(Debug)]
pub struct Since {
    /// By mutant, as its record shows it.
    shown: BTreeMap<String, String>,
    hash: String,
    n_tried: AtomicU64,
    n_held: AtomicU64,
}

impl Since {
    /// Those of the run in `folder`, which need not be finished.
    ///
    /// # Errors
    /// When there is no run on mutants of timed games, or its records cannot be read.
    pub fn read(folder: &FilePath) -> Result<Arc<Self>> {
        Manifest::read(folder)?;
        let path = folder.join(RECORDS);
        let mut lines = open_lines(&path).cannot(FileAction::Read, &path)?;
        let mut shown = Vec::new();
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = lines.read_until(b'\n', &mut line);
            // What an interrupted run wrote may end in the middle of a line.
            if read.cannot(FileAction::Read, &path)? == 0 || line.last() != Some(&b'\n') {
                break;
            }
            let record = serde_json::from_slice::<Record>(&line);
            let record = record.or_malformed(|| format!("line {number} of {} is no record", path.display()))?;
            shown.extend(record.witness.map(|witness| (record.id, witness)));
        }
        Ok(Self::of(shown))
    }

    /// These, by the id of their mutant.
    pub fn of(shown: impl IntoIterator<Item = (String, String)>) -> Arc<Self> {
        let shown: BTreeMap<String, String> = shown.into_iter().collect();
        let mut hasher = blake3::Hasher::new();
        for (id, witness) in &shown {
            hasher.update(format!("{id}\n{witness}\n").as_bytes());
        }
        Arc::new(Self {
            shown,
            hash: hasher.finalize().to_hex().to_string(),
            n_tried: AtomicU64::new(0),
            n_held: AtomicU64::new(0),
        })
    }

    /// BLAKE3 of the counterexamples, in hexadecimal.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// How many counterexamples it has.
    pub fn len(&self) -> usize {
        self.shown.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// How many were tried so far.
    pub fn n_tried(&self) -> u64 {
        self.n_tried.load(Ordering::Relaxed)
    }

    /// How many of these are counterexamples still.
    pub fn n_held(&self) -> u64 {
        self.n_held.load(Ordering::Relaxed)
    }
}

/// The counterexamples of an earlier run, and the specification that mutants are now held against.
#[derive(Debug)]
pub(super) struct Trials {
    since: Arc<Since>,
    retrial: Retrial,
}

impl Trials {
    pub fn new(since: Arc<Since>, specification: &Specification) -> Self {
        Self {
            retrial: Retrial::new(specification),
            since,
        }
    }

    /// The judgement on the mutant of that id if its counterexample still is one.
    pub fn judge(
        &self,
        id: &str,
        specification: &Specification,
        mutant: &Automaton,
        budget: &Budget,
    ) -> Option<Judgement> {
        let shown = self.since.shown.get(id)?;
        let path = path_of(shown)?;
        self.since.n_tried.fetch_add(1, Ordering::Relaxed);
        if !self.retrial.wins(specification, mutant, &path, budget) {
            return None;
        }
        self.since.n_held.fetch_add(1, Ordering::Relaxed);
        Some(Judgement::shown(shown.clone(), How::Replay))
    }
}
