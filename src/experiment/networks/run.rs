//! All mutants of some components of a network, judged and recorded.

use rayon::prelude::*;

use super::judge::{HIDDEN, Made};
use super::mutants::NetworkMutants;
use super::{Component, NetworkJudge};
use crate::experiment::each::{Counted, Found, Mutants, Open, drive_each};
use crate::experiment::error::{ExperimentError, Result};
use crate::experiment::world::{BatchSizes, Counting, Driver, World};
use crate::experiment::{Decided, DecidedBy, Judgement, Plainly, Record, Selection, Summary, Verdict};
use crate::game::Scratch;
use crate::mutation::{MutationOptions, Order};

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

impl Counting for NetworkSummary {
    fn n_counted(&self) -> u64 {
        self.counts.n_counted()
    }
}

impl World for NetworkRun<'_> {
    type Counts = NetworkSummary;

    fn drive(&self, driver: Driver<'_>) -> Result<NetworkSummary> {
        let process = |component: &Component| ProcessCounts {
            name: component.name.clone(),
            ..ProcessCounts::default()
        };
        let summary = NetworkSummary {
            counts: Summary::new(&self.options.operators, Order::FIRST),
            processes: self.mutants.components.iter().map(process).collect(),
            hidden: 0,
        };
        drive_each(self, self.selection, summary, driver)
    }
}

impl Mutants for NetworkRun<'_> {
    type Made = Made;
    type Counts = NetworkSummary;

    /// A composition is large.
    fn sizes(&self) -> BatchSizes {
        BatchSizes {
            first: 16,
            least: 16,
            most: 16,
        }
    }

    fn make(&self, number: u64) -> Option<Made> {
        let mutant = self.mutants.get(number)?;
        Some(self.judge.make((mutant.at, mutant.component), mutant.mutation))
    }

    fn id<'m>(&'m self, made: &'m Made) -> &'m str {
        &made.id
    }

    fn digest(&self, made: &Made) -> Option<blake3::Hash> {
        made.digest
    }

    fn decide(&self, open: &[Open<'_, Made>]) -> Result<Vec<Option<Found>>> {
        let found = open.par_iter().map_init(Scratch::default, |scratch, open| {
            let component = &self.mutants.components[open.made.component];
            let judgement = open.is_new.then(|| self.judge.judge(component, open.made, scratch));
            let alone = self.judge.alone(open.made, scratch);
            (!self.judge.is_over()).then(|| Found {
                record: self.record(open.made, judgement.as_ref(), alone),
                judgement,
            })
        });
        Ok(found.collect())
    }

    fn count(&self, counted: Counted<'_, Made>, summary: &mut NetworkSummary) {
        let record = counted.record;
        summary.counts.add(record);
        summary.processes[counted.made.component].add(record);
        summary.hidden += u64::from(record.reason.as_deref() == Some(HIDDEN));
        if !counted.is_kept {
            summary.counts.count_methods(&[counted.judgement.cloned()]);
        }
    }
}

/// The judge has to know of no origin and no guideline: [`Engine::Enumerate`](crate::experiment::Engine) and
/// [`StaticUse::Off`](crate::experiment::StaticUse).
impl Plainly for NetworkRun<'_> {
    fn decide_plainly(&self, number: u64) -> Result<Decided> {
        let made = self.make(number).ok_or_else(|| ExperimentError::no_mutant(number))?;
        let component = &self.mutants.components[made.component];
        let judgement = self.judge.judge(component, &made, &mut Scratch::default());
        Ok((made.id, judgement.verdict))
    }
}

impl NetworkRun<'_> {
    /// The record of a mutant; one that is the same as an earlier one has no judgement of its own.
    fn record(&self, made: &Made, own: Option<&Judgement>, alone: Option<Verdict>) -> Record {
        let rule = self
            .judge
            .rule(&self.mutants.components[made.component], &made.mutation);
        Record {
            id: made.id.clone(),
            order: 1,
            operators: vec![made.mutation.operator().name().into()],
            violates: rule.iter().map(|rule| rule.name().into()).collect(),
            verdict: own.map_or(Verdict::Unknown, |own| own.verdict),
            why: own.and_then(|own| own.named).map(Into::into),
            decided_by: own.map_or(DecidedBy::Duplicate, |own| own.decided_by),
            duplicate_of: None,
            reason: own.and_then(|own| own.reason.clone()),
            witness: own.and_then(|own| own.witness.clone()),
            alone,
            kill: None,
        }
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
