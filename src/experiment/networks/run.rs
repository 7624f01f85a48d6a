//! All mutants of some components of a network, judged and recorded.

use rayon::prelude::*;

use super::NetworkJudge;
use super::judge::Made;
use super::mutants::NetworkMutants;
use crate::experiment::each::{Counted, Found, Mutants, Open, drive_each};
use crate::experiment::error::{ExperimentError, Result};
use crate::experiment::world::{BatchSizes, Driver, World};
use crate::experiment::{Decided, DecidedBy, Judgement, Plainly, ProcessCounts, Record, Selection, Summary, Verdict};
use crate::game::Scratch;
use crate::mutation::Operator;

/// What is to be judged.
#[derive(Clone, Copy, Debug)]
pub struct NetworkRun<'r> {
    /// Who judges.
    pub judge: &'r NetworkJudge<'r>,
    /// The mutants.
    pub mutants: &'r NetworkMutants<'r>,
    /// The operators.
    pub operators: &'r [Operator],
    /// Which of the mutants are looked at.
    pub selection: &'r Selection,
}

impl World for NetworkRun<'_> {
    type Counts = Summary;

    fn drive(&self, driver: Driver<'_>) -> Result<Summary> {
        let processes = self.mutants.components.iter().enumerate();
        let processes = processes.map(|(at, component)| ProcessCounts {
            name: component.name.clone(),
            why_not_alone: self.judge.why_not_alone(at).map(str::to_owned),
            ..ProcessCounts::default()
        });
        let summary = Summary::new(self.operators, self.mutants.order()).with_processes(processes.collect());
        drive_each(self, self.selection, summary, driver)
    }
}

impl Mutants for NetworkRun<'_> {
    type Made = Made;
    type Counts = Summary;

    /// A composition is large.
    fn sizes(&self) -> BatchSizes {
        BatchSizes {
            first: 16,
            least: 16,
            most: 16,
        }
    }

    fn make(&self, number: u64) -> Option<Made> {
        Some(self.judge.make(&self.mutants.get(number)?))
    }

    fn id<'m>(&'m self, made: &'m Made) -> &'m str {
        &made.id
    }

    fn digest(&self, made: &Made) -> Option<blake3::Hash> {
        made.digest
    }

    fn decide(&self, open: &[Open<'_, Made>]) -> Result<Vec<Option<Found>>> {
        let found = open.par_iter().map_init(Scratch::default, |scratch, open| {
            let judgement = open.is_new.then(|| self.judge.judge(open.made, scratch));
            let alone = self.judge.alone(open.made, scratch);
            (!self.judge.is_over()).then(|| Found {
                record: self.record(open.made, judgement.as_ref(), alone),
                judgement,
            })
        });
        Ok(found.collect())
    }

    fn count(&self, counted: Counted<'_, Made>, summary: &mut Summary) {
        summary.add_of_process(counted.made.component(), counted.record);
        if !counted.is_kept {
            summary.count_methods(&[counted.judgement.cloned()]);
        }
    }
}

/// The judge has to know of no origin and no guideline: [`Engine::Enumerate`](crate::experiment::Engine) and
/// [`StaticUse::Off`](crate::experiment::StaticUse).
impl Plainly for NetworkRun<'_> {
    fn decide_plainly(&self, number: u64) -> Result<Decided> {
        let made = self.make(number).ok_or_else(|| ExperimentError::no_mutant(number))?;
        let judgement = self.judge.judge(&made, &mut Scratch::default());
        Ok((made.id, judgement.verdict))
    }
}

impl NetworkRun<'_> {
    /// The record of a mutant; one that is the same as an earlier one has no judgement of its own.
    fn record(&self, made: &Made, own: Option<&Judgement>, alone: Option<Verdict>) -> Record {
        let operators = made.steps.iter().map(|step| step.mutation.operator().name().into());
        Record {
            id: made.id.clone(),
            order: self.mutants.order().number(),
            operators: operators.collect(),
            violates: made.rules.iter().flatten().map(|rule| rule.name().into()).collect(),
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
