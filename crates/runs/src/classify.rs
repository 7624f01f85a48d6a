//! Decides the mutants of any world and records the verdicts.

use super::error::Result;
use super::{Driver, Log, Run, Summary, VerificationSample, World};
use crate::decision::families::FamilyEngine;
use crate::decision::timed_batch::TimedBatch;
use tamper_game::Families;

/// Decides the mutants of `world` and appends a record of each to `log`, after the records that an interrupted run left
/// there. `progress` is told the number of mutants done. If the time of the run is up, the counts cover the mutants
/// decided until then.
///
/// # Errors
/// If a file cannot be written, or the existing records are not of this run.
pub fn classify<W: World>(world: W, log: &mut Log, progress: &mut (dyn FnMut(u64) + Send)) -> Result<W::Counts> {
    classify_drawing(world, log, progress, &mut VerificationSample::new(0, 0))
}

/// Like [`classify`], and also draws mutants to be decided a second time.
///
/// # Errors
/// As [`classify`].
pub fn classify_drawing<W: World>(
    world: W,
    log: &mut Log,
    progress: &mut (dyn FnMut(u64) + Send),
    draw: &mut VerificationSample,
) -> Result<W::Counts> {
    world.drive(Driver { log, progress, draw })
}

impl World for Run<'_> {
    type Counts = Summary;

    fn drive(&self, driver: Driver<'_>) -> Result<Summary> {
        let mut summary = Summary::new(self.space.options(), self.space.order());
        let families = self.judge.families();
        let engine = families
            .as_ref()
            .map(|families| FamilyEngine::new(self.space, families));
        summary.count_states(families.as_ref().map_or(0, Families::n_states));
        driver.go(self.selection, &mut TimedBatch::new(*self, engine.as_ref()), summary)
    }
}
