//! A run over all mutants of some components of a network.

use super::NetworkJudge;
use super::judge::{Attempt, Made};
use super::mutants::{NetworkMutant, NetworkMutants};
use crate::decision::one_by_one::{Counted, IsNew, MutantFindings, Mutants, Write, drive_each};
use crate::error::{ExperimentError, Result};
use crate::plans::turns::each_in_turn;
use crate::world::{BatchSizes, Driver, World};
use crate::{Decided, DecidedBy, Judgement, Plainly, ProcessCounts, Record, Selection, Summary, Timer, Verdict};
use tamper_game::Scratch;
use tamper_timed::mutation::MutationOptions;

/// A run over mutants of a network.
#[derive(Clone, Copy, Debug)]
pub struct NetworkRun<'r> {
    /// The judge of the mutants.
    pub judge: &'r NetworkJudge<'r>,
    /// The mutants.
    pub mutants: &'r NetworkMutants<'r>,
    /// What the operators may do.
    pub options: &'r MutationOptions,
    /// The mutants to decide.
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
        let summary = Summary::new(self.options, self.mutants.order()).with_processes(processes.collect());
        drive_each(self, self.selection, summary, driver)
    }
}

/// A mutant with its id; it is composed when it is decided.
pub struct IdentifiedMutant {
    id: String,
    mutant: NetworkMutant,
}

impl Mutants for NetworkRun<'_> {
    type Made = IdentifiedMutant;
    type Counts = Summary;

    fn sizes(&self) -> BatchSizes {
        BatchSizes {
            first: 256,
            least: 256,
            most: 256,
        }
    }

    fn make(&self, number: u64) -> Option<IdentifiedMutant> {
        let mutant = self.mutants.get(number)?;
        let id = mutant.id();
        Some(IdentifiedMutant { id, mutant })
    }

    fn id<'m>(&'m self, named: &'m IdentifiedMutant) -> &'m str {
        &named.id
    }

    fn digest(&self, named: &IdentifiedMutant) -> Option<blake3::Hash> {
        let scratch = &mut Scratch::default();
        self.judge.make(&named.mutant, &mut self.judge.attempt(scratch)).digest
    }

    /// Compositions are large, so each thread holds only one. Mutants that take long wait until the others are decided.
    fn decide(&self, named: &[IdentifiedMutant], open: &[usize], is_new: &IsNew<'_>, write: &Write<'_>) -> Result<()> {
        let whole = self.judge.timer();
        let decided = |at: usize, timer: &Timer, scratch: &mut Scratch| {
            if whole.is_over() {
                return None;
            }
            let attempt = &mut Attempt {
                budget: timer.budget(),
                scratch,
            };
            let made = self.judge.make(&named[at].mutant, attempt);
            let judgement = is_new(at, made.digest).then(|| self.judge.judge(&made, attempt));
            let alone = self.judge.alone(&made, attempt);
            (!whole.is_over()).then(|| MutantFindings {
                record: self.record(&made, judgement.as_ref(), alone),
                judgement,
                digest: made.digest,
            })
        };
        let write = |at, found: Option<MutantFindings>| found.map_or(Ok(()), |found| write(at, found));
        each_in_turn(open.to_vec(), whole, decided, write)
    }

    fn count(&self, counted: Counted<'_, IdentifiedMutant>, summary: &mut Summary) {
        summary.add_of_process(counted.made.mutant.last.component, counted.record);
        if !counted.is_kept {
            summary.count_methods(&[counted.judgement.cloned()]);
        }
    }
}

/// The judge must use no known facts and no guidelines: [`Engine::Enumerate`](crate::Engine) and
/// [`StaticUse::Off`](crate::StaticUse).
impl Plainly for NetworkRun<'_> {
    fn decide_plainly(&self, number: u64) -> Result<Decided> {
        let mutant = self.mutants.get(number);
        let mutant = mutant.ok_or_else(|| ExperimentError::no_mutant(number))?;
        let scratch = &mut Scratch::default();
        let attempt = &mut self.judge.attempt(scratch);
        let made = self.judge.make(&mutant, attempt);
        let judgement = self.judge.judge(&made, attempt);
        Ok((made.id, judgement.verdict))
    }
}

impl NetworkRun<'_> {
    /// The record of a mutant; `own` is `None` for a mutant that equals an earlier one.
    fn record(&self, made: &Made, own: Option<&Judgement>, alone: Option<Verdict>) -> Record {
        let operators = made.steps.iter().map(|step| step.mutation.applied().name().into());
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
            certificate: None,
            kill: None,
        }
    }
}
