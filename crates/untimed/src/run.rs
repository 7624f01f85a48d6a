//! Runs on the mutants of an untimed system.

use super::decide::{NumberedMutant, by_actions, of_machine, of_pair};
use super::mutants::{OriginalSystem, Untimed};
use tamper_runs::error::{ExperimentError, Result};
use tamper_runs::one_by_one::{Counted, IsNew, MutantFindings, Mutants, Write, drive_each, in_order};
use tamper_runs::{BatchSizes, Driver, World};
use tamper_runs::{Record, Selection};
use tamper_text::Budget;

/// A run on mutants of an untimed system.
#[derive(Clone, Copy)]
pub struct UntimedRun<'r> {
    /// The mutants.
    pub untimed: &'r Untimed,
    /// The mutants to decide.
    pub selection: &'r Selection,
}

impl World for UntimedRun<'_> {
    type Counts = Vec<Record>;

    fn drive(&self, driver: Driver<'_>) -> Result<Vec<Record>> {
        drive_each(self.untimed, self.selection, Vec::new(), driver)
    }
}

impl Mutants for Untimed {
    type Made = NumberedMutant;
    type Counts = Vec<Record>;

    /// Action systems explore the original again for each batch.
    fn sizes(&self) -> BatchSizes {
        match self.mutants.subject {
            OriginalSystem::System { .. } => BatchSizes {
                first: 16,
                least: 4,
                most: 256,
            },
            OriginalSystem::Actions { .. } => BatchSizes {
                first: 256,
                least: 16,
                most: 256,
            },
            OriginalSystem::Machine(_) => BatchSizes {
                first: 256,
                least: 16,
                most: 1 << 14,
            },
        }
    }

    fn make(&self, number: u64) -> Option<NumberedMutant> {
        let mutant = self.mutants.mutant(number)?;
        Some(NumberedMutant { number, mutant })
    }

    fn id<'m>(&'m self, made: &'m NumberedMutant) -> &'m str {
        &made.mutant.id
    }

    fn digest(&self, _: &NumberedMutant) -> Option<blake3::Hash> {
        None
    }

    fn decide(&self, made: &[NumberedMutant], open: &[usize], _: &IsNew<'_>, write: &Write<'_>) -> Result<()> {
        let tell = |at: usize, record: Record| {
            let (judgement, digest) = (None, None);
            write(
                at,
                MutantFindings {
                    record,
                    judgement,
                    digest,
                },
            )
        };
        let each = |one: &(dyn Fn(&NumberedMutant, &Budget) -> Record + Sync)| {
            in_order(open.len(), |at, (): &mut ()| {
                let at = open[at];
                let record = one(&made[at], &self.timer.budget());
                if self.timer.is_over() { Ok(()) } else { tell(at, record) }
            })
        };
        match &self.mutants.subject {
            OriginalSystem::System { .. } => each(&|made, budget| of_pair(self, made, budget)),
            OriginalSystem::Machine(read) => each(&|made, budget| of_machine(self, &read.machine, made, budget)),
            OriginalSystem::Actions { read, mutants } => {
                let asked: Vec<&NumberedMutant> = open.iter().map(|at| &made[*at]).collect();
                let records = by_actions(self, read, mutants, &asked).map_err(ExperimentError::fault)?;
                open.iter().zip(records).try_for_each(|(at, record)| tell(*at, record))
            }
        }
    }

    fn count(&self, counted: Counted<'_, NumberedMutant>, records: &mut Vec<Record>) {
        records.push(counted.record.clone());
    }
}
