//! The pipeline: chunks of mutants through guidelines, duplicate check and game, records out in order.
//!
//! In each chunk the mutants are made and fingerprinted in parallel, duplicates are found one after the other (so the
//! first of equals is always the one with the lowest number), the distinct ones are decided in parallel, and the
//! records are written in order. What is kept beyond a chunk is one table entry per distinct mutant.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::extended::{Shared, Steps};
use super::judge::NAMED_EARLIER;
use super::{DecidedBy, Judge, Judgement, Log, Record, Selection, Summary, Verdict};
use crate::game::Scratch;
use crate::guidelines::Rule;
use crate::model::Automaton;
use crate::mutation::{Fingerprint, Fingerprinter, MutantSpace, Mutation, Siblings};

/// Names a mutation of a game if the mutant cannot be killed, like [`guidelines::violated`](crate::guidelines::violated).
pub type Rules<'a> = &'a (dyn Fn(&Automaton, &Mutation) -> Option<Rule> + Sync);

/// What a run works on.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The mutants.
    pub space: &'a MutantSpace,
    /// Those of them that the run looks at.
    pub selection: &'a Selection,
    /// Who decides them.
    pub judge: &'a Judge,
    /// The guidelines; at order k each mutation is held against the mutant it is applied to.
    pub rules: Rules<'a>,
}

/// Decides the mutants of `run` and appends a record of each to `log`, after those that an interrupted run left
/// there. `progress` is told how many are done.
///
/// # Errors
/// When a file cannot be written, or the records that are there are not those of this run.
pub fn classify(run: Run<'_>, log: &mut Log, progress: &mut dyn FnMut(u64)) -> Result<Summary> {
    let mut summary = Summary::new(&run.space.options().operators, run.space.order());
    let mut seen = Seen::default();
    let fingerprinter = Fingerprinter::new(run.space.base());
    let mut size = ChunkSize::default();
    let mut done = 0;
    while done < run.selection.len() {
        let started = Instant::now();
        let numbers = run.selection.slice(done..done + size.0);
        let chunk = Chunk::make(run, &fingerprinter, &numbers);
        let kept = chunk.kept(log)?;
        let sources: Vec<_> = chunk.mutants.iter().map(|candidate| seen.source(candidate)).collect();
        let judgements = chunk.decide(run, &sources, &kept);
        seen.settle(&chunk, &judgements);
        let records = chunk.records(run, &seen, judgements)?;
        for (at, (record, line)) in records.iter().enumerate() {
            match at < kept.len() {
                true => log.relist(record)?,
                false => log.append(record, line)?,
            }
            summary.add(record);
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
        Self(64)
    }
}

impl ChunkSize {
    fn adapt(&mut self, took: Duration) {
        if took < Duration::from_millis(100) {
            self.0 = (self.0 * 2).min(4096);
        } else if took > Duration::from_secs(1) {
            self.0 = (self.0 / 2).max(16);
        }
    }
}

/// A family of siblings and the rule that names its shared mutation.
struct Family {
    siblings: Siblings,
    rule: Option<Rule>,
    /// For the extended guidelines, at order 2.
    shared: Option<Shared>,
}

/// A mutant on its way.
struct Candidate {
    number: u64,
    /// The position of its family in the chunk.
    family: usize,
    last: Mutation,
    /// The rules that name its mutations, if all are named.
    violates: Vec<Rule>,
    /// Whether its last mutation is named.
    last_is_named: bool,
    /// The automaton and its fingerprint, when games are played.
    made: Option<(Automaton, Fingerprint)>,
}

/// Where a candidate's verdict comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// Its own game or rule.
    Own,
    /// An earlier mutant, which is the same automaton.
    Earlier,
}

struct Chunk {
    families: Vec<Family>,
    mutants: Vec<Candidate>,
}

impl Chunk {
    fn make(run: Run<'_>, fingerprinter: &Fingerprinter, numbers: &[u64]) -> Self {
        let places: Vec<_> = numbers.iter().filter_map(|number| run.space.locate(*number)).collect();
        let mut used: Vec<u64> = places.iter().map(|(family, _)| *family).collect();
        used.dedup();
        let families: Vec<Family> = used
            .par_iter()
            .filter_map(|family| {
                let siblings = run.space.siblings(*family)?;
                let rule = siblings
                    .prefix()
                    .and_then(|first| (run.rules)(run.space.base(), &first));
                let shared = siblings.prefix().and_then(|_| run.judge.shared(siblings.parent()));
                Some(Family { siblings, rule, shared })
            })
            .collect();
        let candidate = |(number, (family, position)): (&u64, &(u64, u64))| {
            let at = used.binary_search(family).ok()?;
            let family = families.get(at)?;
            let last = family.siblings.last().get(*position)?;
            let made = run.judge.plays_games().then(|| {
                let mutant = family.siblings.mutant(last);
                let fingerprint = fingerprinter.fingerprint(&mutant);
                (mutant, fingerprint)
            });
            let last_rule = (run.rules)(family.siblings.parent(), &last);
            Some(Candidate {
                number: *number,
                family: at,
                last,
                violates: violations(family, last_rule),
                last_is_named: last_rule.is_some(),
                made,
            })
        };
        let mutants = numbers
            .par_iter()
            .zip(&places)
            .with_min_len(8)
            .filter_map(candidate)
            .collect();
        Self { families, mutants }
    }

    /// The records that an interrupted run left for the first mutants of the chunk.
    fn kept(&self, log: &mut Log) -> Result<Vec<Record>> {
        let mut kept = Vec::new();
        for candidate in &self.mutants {
            let Some(record) = log.next_kept()? else { break };
            let id = self.families[candidate.family].siblings.id(candidate.last);
            if record.id != id {
                bail!(
                    "the records hold {} where this run has {id}: start anew without --resume",
                    record.id
                );
            }
            kept.push(record);
        }
        Ok(kept)
    }

    /// The verdict of each mutant that is not a duplicate.
    fn decide(&self, run: Run<'_>, sources: &[Source], kept: &[Record]) -> Vec<Option<Judgement>> {
        let judgement = |scratch: &mut Scratch, (at, candidate): (usize, &Candidate)| {
            if sources[at] == Source::Earlier {
                return None;
            }
            if let Some(record) = kept.get(at) {
                return Some(Judgement {
                    verdict: record.verdict,
                    decided_by: record.decided_by,
                    reason: record.reason.clone(),
                    witness: record.witness.clone(),
                    named: record.why.as_deref().and_then(Judge::reason_of),
                });
            }
            let family = &self.families[candidate.family];
            let steps = Steps {
                first: family.siblings.prefix().is_none() || family.rule.is_some(),
                last: candidate.last_is_named,
            };
            Some(match &candidate.made {
                Some((mutant, _)) => run.judge.decide(mutant, steps, family.shared.as_ref(), scratch),
                None => run.judge.by_rule_only(!candidate.violates.is_empty()),
            })
        };
        let mutants = self.mutants.par_iter().enumerate();
        mutants.map_init(Scratch::default, judgement).collect()
    }

    fn records(&self, run: Run<'_>, seen: &Seen, judgements: Vec<Option<Judgement>>) -> Result<Vec<(Record, Vec<u8>)>> {
        let record = |(candidate, judgement): (&Candidate, Option<Judgement>)| {
            let record = self.record(run, seen, candidate, judgement);
            let mut line = serde_json::to_vec(&record)?;
            line.push(b'\n');
            Ok((record, line))
        };
        let pairs = self.mutants.par_iter().zip(judgements);
        pairs.with_min_len(16).map(record).collect()
    }

    fn record(&self, run: Run<'_>, seen: &Seen, candidate: &Candidate, judgement: Option<Judgement>) -> Record {
        let siblings = &self.families[candidate.family].siblings;
        let names = |rule: &Rule| Cow::Borrowed(rule.name());
        let (judgement, duplicate_of) = match judgement {
            Some(judgement) => (judgement, None),
            None => seen.inherited(run.space, candidate),
        };
        Record {
            id: siblings.id(candidate.last),
            order: run.space.order().number(),
            operators: siblings
                .operators(candidate.last)
                .iter()
                .map(|op| Cow::Borrowed(op.name()))
                .collect(),
            violates: candidate.violates.iter().map(names).collect(),
            verdict: judgement.verdict,
            why: run
                .judge
                .why(&judgement, !candidate.violates.is_empty())
                .map(Cow::Borrowed),
            decided_by: judgement.decided_by,
            duplicate_of,
            reason: judgement.reason,
            witness: judgement.witness,
        }
    }
}

/// The rules that name the shared mutation and the last one, if each is named.
fn violations(family: &Family, last: Option<Rule>) -> Vec<Rule> {
    if family.siblings.prefix().is_some() && family.rule.is_none() {
        return Vec::new();
    }
    match last {
        Some(rule) => family.rule.into_iter().chain([rule]).collect(),
        None => Vec::new(),
    }
}

/// The distinct mutants so far: of the first of each the number, the verdict and what names it.
#[derive(Default)]
struct Seen(FxHashMap<Fingerprint, (u64, Verdict, Option<&'static str>)>);

impl Seen {
    fn source(&mut self, candidate: &Candidate) -> Source {
        let Some((_, fingerprint)) = &candidate.made else {
            return Source::Own;
        };
        match self.0.entry(*fingerprint) {
            Entry::Occupied(_) => Source::Earlier,
            Entry::Vacant(entry) => {
                // The verdict is settled before anyone reads it.
                entry.insert((candidate.number, Verdict::Unknown, None));
                Source::Own
            }
        }
    }

    fn settle(&mut self, chunk: &Chunk, judgements: &[Option<Judgement>]) {
        for (candidate, judgement) in chunk.mutants.iter().zip(judgements) {
            if let (Some((_, fingerprint)), Some(judgement)) = (&candidate.made, judgement) {
                let by_rule = (!candidate.violates.is_empty()).then_some(NAMED_EARLIER);
                let known = (candidate.number, judgement.verdict, judgement.named.or(by_rule));
                self.0.insert(*fingerprint, known);
            }
        }
    }

    /// The verdict that a duplicate shares, and whose duplicate it is.
    fn inherited(&self, space: &MutantSpace, candidate: &Candidate) -> (Judgement, Option<String>) {
        let first = candidate
            .made
            .as_ref()
            .and_then(|(_, fingerprint)| self.0.get(fingerprint));
        let (number, verdict, named) = first.copied().unwrap_or((candidate.number, Verdict::Unknown, None));
        let judgement = Judgement {
            verdict,
            decided_by: DecidedBy::Duplicate,
            reason: None,
            witness: None,
            named,
        };
        (judgement, id_of(space, number))
    }
}

fn id_of(space: &MutantSpace, number: u64) -> Option<String> {
    let (family, position) = space.locate(number)?;
    let siblings = space.siblings(family)?;
    let last = siblings.last().get(position)?;
    Some(siblings.id(last))
}
