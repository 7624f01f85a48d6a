//! All mutants of some components of a network, judged and recorded.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::judge::{HIDDEN, Made};
use super::mutants::{NetworkMutant, NetworkMutants};
use super::{Component, NetworkJudge};
use crate::experiment::error::{ExperimentError, Result};
use crate::experiment::{DecidedBy, Judgement, Log, Record, Selection, Summary, Verdict};
use crate::game::Scratch;
use crate::mutation::{MutationOptions, Order};

/// How many mutants are composed and held at a time.
const CHUNK: usize = 16;

/// What is to be judged.
#[derive(Clone, Copy, Debug)]
pub struct NetworkRun<'r> {
    /// Who judges.
    pub judge: &'r NetworkJudge<'r>,
    /// The mutants.
    pub mutants: &'r NetworkMutants<'r>,
    /// The operators.
    pub options: &'r MutationOptions,
    /// Which of the mutants are looked at.
    pub selection: &'r Selection,
}

/// What came out per component.
#[derive(Clone, Default, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ProcessCounts {
    /// The component.
    pub name: String,
    /// Its mutants.
    pub mutants: u64,
    /// Those that some test kills when the process is by itself.
    pub killable_alone: u64,
    /// Those of them that no test kills in the network.
    pub masked: u64,
    /// Those that some test kills in the network.
    pub killable: u64,
    /// Those about which the process by itself says nothing.
    pub not_alone: u64,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct NetworkSummary {
    /// Per operator and over all.
    pub counts: Summary,
    /// Per component.
    pub processes: Vec<ProcessCounts>,
    /// Mutants that are unknown because hidden steps leave open what is seen of them.
    pub hidden: u64,
}

/// Judges the mutants in order and records them in `log`, after the records that an interrupted run left there; `progress`
/// hears how many are done.
///
/// # Errors
/// When records cannot be read or written, or are those of another run.
pub fn classify_network(run: NetworkRun<'_>, log: &mut Log, progress: &mut dyn FnMut(u64)) -> Result<NetworkSummary> {
    let mut summary = NetworkSummary {
        counts: Summary::new(&run.options.operators, Order::FIRST),
        processes: run
            .mutants
            .components
            .iter()
            .map(|component| ProcessCounts {
                name: component.name.clone(),
                ..ProcessCounts::default()
            })
            .collect(),
        hidden: 0,
    };
    let numbers = run.selection.slice(0..run.selection.len());
    let mut settled: HashMap<blake3::Hash, Settled> = HashMap::new();
    let mut done = 0;
    for chunk in numbers.chunks(CHUNK) {
        let place = |number: &u64| run.mutants.get(*number).expect("a mutant of the list");
        let chunk: Vec<NetworkMutant<'_>> = chunk.iter().map(place).collect();
        let kept = kept(&chunk, log)?;
        let mutants = decide(run, &chunk, &kept);
        // What was cut short has no verdict, and is decided by the run that goes on from here.
        let whole: Vec<_> = mutants.into_iter().take_while(|(_, found)| found.is_whole).collect();
        let (n_whole, mut judgements) = (whole.len(), Vec::new());
        for (at, (made, found)) in whole.into_iter().enumerate() {
            let record = match kept.get(at) {
                Some(record) => record.clone(),
                None => {
                    let earlier = made.digest.and_then(|digest| settled.get(&digest));
                    let component = &run.mutants.components[made.component];
                    let record = record(run, component, &made, (earlier, &found));
                    judgements.push(earlier.is_none().then_some(found.judgement).flatten());
                    let line = serde_json::to_string(&record)? + "\n";
                    log.append(line.as_bytes())?;
                    record
                }
            };
            log.list(&record.facts())?;
            summary.counts.add(&record);
            summary.processes[made.component].add(&record);
            summary.hidden += u64::from(record.reason.as_deref() == Some(HIDDEN));
            if let Some(digest) = made.digest {
                settled.entry(digest).or_insert_with(|| Settled::of(&record));
            }
        }
        log.flush()?;
        summary.counts.count_methods(&judgements);
        done += n_whole as u64;
        progress(done);
        if n_whole < chunk.len() {
            break;
        }
    }
    Ok(summary)
}

/// What is known of the first mutant of several with the same composition.
struct Settled {
    id: String,
    verdict: Verdict,
    reason: Option<String>,
    witness: Option<String>,
}

impl Settled {
    fn of(record: &Record) -> Self {
        Self {
            id: record.id.clone(),
            verdict: record.verdict,
            reason: record.reason.clone(),
            witness: record.witness.clone(),
        }
    }
}

/// What is found out about a mutant.
struct Found {
    /// None where the same composition came earlier in the chunk.
    judgement: Option<Judgement>,
    alone: Option<Verdict>,
    /// Whether the time of the run was not up before all was found out.
    is_whole: bool,
}

/// The records that an interrupted run left for the first of these mutants.
fn kept(chunk: &[NetworkMutant<'_>], log: &mut Log) -> Result<Vec<Record>> {
    let mut kept = Vec::new();
    for mutant in chunk {
        let Some(record) = log.next_kept()? else { break };
        let id = mutant.id();
        if record.id != id {
            return Err(ExperimentError::other_record(&record.id, &id));
        }
        kept.push(record);
    }
    Ok(kept)
}

/// Composes the mutants and decides those that are not in `kept`, each composition once.
fn decide(run: NetworkRun<'_>, chunk: &[NetworkMutant<'_>], kept: &[Record]) -> Vec<(Made, Found)> {
    let made: Vec<Made> = chunk
        .par_iter()
        .map(|mutant| run.judge.make((mutant.at, mutant.component), mutant.mutation))
        .collect();
    let mut seen = HashSet::new();
    let is_new: Vec<bool> = made
        .iter()
        .map(|made| made.digest.is_none_or(|digest| seen.insert(digest)))
        .collect();
    let pairs = made.into_par_iter().zip(is_new).enumerate();
    let found = pairs.map_init(Scratch::default, |scratch, (at, (made, is_new))| {
        if at < kept.len() {
            let nothing = Found {
                judgement: None,
                alone: None,
                is_whole: true,
            };
            return (made, nothing);
        }
        let component = &run.mutants.components[made.component];
        let mut found = Found {
            judgement: is_new.then(|| run.judge.judge(component, &made, scratch)),
            alone: run.judge.alone(&made, scratch),
            is_whole: false,
        };
        found.is_whole = !run.judge.is_over();
        (made, found)
    });
    found.collect()
}

fn record(
    run: NetworkRun<'_>,
    component: &Component,
    made: &Made,
    (earlier, found): (Option<&Settled>, &Found),
) -> Record {
    let rule = run.judge.rule(component, &made.mutation);
    let own = found.judgement.as_ref().filter(|_| earlier.is_none());
    let judgement = own.map(|own| (own.verdict, own.decided_by, own.reason.clone(), own.witness.clone()));
    let shared = earlier.map(|earlier| {
        let Settled {
            verdict,
            reason,
            witness,
            ..
        } = earlier;
        (*verdict, DecidedBy::Duplicate, reason.clone(), witness.clone())
    });
    let (verdict, decided_by, reason, witness) = judgement
        .or(shared)
        .expect("each composition is decided or was decided earlier");
    Record {
        id: made.id.clone(),
        order: 1,
        operators: vec![made.mutation.operator().name().into()],
        violates: rule.iter().map(|rule| rule.name().into()).collect(),
        verdict,
        why: own.and_then(|own| own.named).map(Into::into),
        decided_by,
        duplicate_of: earlier.map(|earlier| earlier.id.clone()),
        reason,
        witness,
        alone: found.alone,
    }
}

impl ProcessCounts {
    fn add(&mut self, record: &Record) {
        let killable = record.verdict == Verdict::NonSubsumed;
        let is_harmless = matches!(record.verdict, Verdict::Subsumed | Verdict::Inconsistent);
        let alone = record.alone == Some(Verdict::NonSubsumed);
        self.mutants += 1;
        self.killable_alone += u64::from(alone);
        self.masked += u64::from(alone && is_harmless);
        self.killable += u64::from(killable);
        self.not_alone += u64::from(record.alone.is_none());
    }
}
