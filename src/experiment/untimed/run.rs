//! Runs on the mutants of an untimed system.

use super::decide::{Made, by_actions, each, of_machine, of_pair};
use super::mutants::{Subject, Untimed};
use crate::experiment::each::{Counted, Found, Mutants, Open, drive_each};
use crate::experiment::error::{ExperimentError, Result};
use crate::experiment::world::{BatchSizes, Driver, World};
use crate::experiment::{Record, Selection};

/// What is to be decided.
#[derive(Clone, Copy)]
pub struct UntimedRun<'r> {
    /// The mutants, and who decides them.
    pub untimed: &'r Untimed,
    /// Which of them are looked at.
    pub selection: &'r Selection,
}

impl World for UntimedRun<'_> {
    type Counts = Vec<Record>;

    fn drive(&self, driver: Driver<'_>) -> Result<Vec<Record>> {
        drive_each(self.untimed, self.selection, Vec::new(), driver)
    }
}

impl Mutants for Untimed {
    type Made = Made;
    type Counts = Vec<Record>;

    /// Action systems explore the original again for each batch.
    fn sizes(&self) -> BatchSizes {
        match self.subject {
            Subject::System { .. } => BatchSizes {
                first: 16,
                least: 4,
                most: 256,
            },
            Subject::Actions { .. } => BatchSizes {
                first: 256,
                least: 16,
                most: 256,
            },
            Subject::Machine(_) => BatchSizes {
                first: 256,
                least: 16,
                most: 1 << 14,
            },
        }
    }

    fn make(&self, number: u64) -> Option<Made> {
        let mutant = self.mutant(number)?;
        Some(Made { number, mutant })
    }

    fn id<'m>(&'m self, made: &'m Made) -> &'m str {
        &made.mutant.id
    }

    fn digest(&self, _: &Made) -> Option<blake3::Hash> {
        None
    }

    fn decide(&self, open: &[Open<'_, Made>]) -> Result<Vec<Option<Found>>> {
        let made: Vec<&Made> = open.iter().map(|open| open.made).collect();
        let records = match &self.subject {
            Subject::System { .. } => each(self, &made, |made, budget| of_pair(self, made, budget)),
            Subject::Machine(read) => each(self, &made, |made, budget| {
                of_machine(self, &read.machine, made, budget)
            }),
            Subject::Actions { read, mutants } => {
                by_actions(self, read, mutants, &made).map_err(ExperimentError::fault)?
            }
        };
        let found = |record: Option<Record>| {
            record.map(|record| Found {
                record,
                judgement: None,
            })
        };
        Ok(records.into_iter().map(found).collect())
    }

    fn count(&self, counted: Counted<'_, Made>, records: &mut Vec<Record>) {
        records.push(counted.record.clone());
    }
}
