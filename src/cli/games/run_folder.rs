//! A run in a folder, in any world: begun or continued, decided, and ended early or whole.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use crate::cli::arguments::game_args::RunFolderArgs;
use crate::cli::exit::{LimitHit, Stopped};
use crate::cli::interrupt;
use crate::cli::terminal::Terminal;
use tamper::experiment::{
    Counting as _, Difference, Log, OutputDir, RefusedCertificate, RunManifest, RunPlan, Tally, VerificationSample,
    Verified, World, classify, classify_drawing,
};

/// A run that is to be written.
pub struct FolderRun<'a, P> {
    /// The folder, and whether a run there is continued or replaced.
    pub folder: &'a RunFolderArgs,
    /// The manifest of the run.
    pub manifest: &'a RunManifest<P>,
    /// The number of mutants that the run selects.
    pub n_selected: u64,
    /// The terminal that shows progress.
    pub terminal: &'a Terminal,
}

impl<P: RunPlan> FolderRun<'_, P> {
    /// Opens the folder, and locks it.
    pub fn open(&self) -> Result<OutputDir> {
        let opened = match self.folder.resume {
            true => OutputDir::resume(&self.folder.out, self.manifest)?,
            false => OutputDir::create(&self.folder.out, self.manifest)?,
        };
        interrupt::recorded();
        Ok(opened)
    }

    /// Decides all mutants after the records in `output`, and draws a sample of them for verification. If the run ends early, `show` is
    /// called with the counts of the decided mutants and the number of undecided ones.
    ///
    /// # Errors
    /// If the run's time is up before all mutants are decided; the records are kept.
    pub fn decide<W: World>(
        &self,
        world: W,
        output: &OutputDir,
        draw: &mut VerificationSample,
        show: &dyn Fn(&W::Counts, u64) -> Result<()>,
    ) -> Result<W::Counts> {
        let bar = self.terminal.progress(self.n_selected);
        let mut log = Log::resume(output)?;
        let counts = classify_drawing(world, &mut log, &mut |done| bar.set_position(done), draw)?;
        bar.finish_and_clear();
        let (n_done, folder) = (counts.n_counted(), output.path().display());
        if n_done < self.n_selected {
            show(&counts, self.n_selected - n_done)?;
            // If the time was up while earlier records were read, all of them are kept.
            let at_least = if log.is_read() { "" } else { "at least " };
            let done = format!("{at_least}{n_done} of {} mutants are in {folder}", self.n_selected);
            return Err(stopped(&done, &interrupt::watch()));
        }
        Ok(counts)
    }
}

/// Decides the mutants of `world` after the records in `log`, and shows progress out of `n_selected`.
pub fn decide<W: World>(world: W, log: &mut Log, n_selected: u64, terminal: &Terminal) -> Result<W::Counts> {
    let bar = terminal.progress(n_selected);
    let counts = classify(world, log, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    Ok(counts)
}

/// The error that a run ended early, with the part of it that is kept.
pub fn stopped(done: &str, interrupt: &AtomicBool) -> anyhow::Error {
    match interrupt.load(Ordering::Relaxed) {
        true => Stopped(format!(
            "interrupted: {done}; the same command with --resume goes on from there"
        ))
        .into(),
        false => LimitHit(format!(
            "the time is up (--total-timeout): {done}; --resume goes on from there"
        ))
        .into(),
    }
}

/// Prints a note on the file that names the mutants without a meaning.
pub fn note_invalid(total: &Tally, output: &OutputDir, terminal: &Terminal) {
    if total.invalid > 0 {
        let list = output.path().join("invalid.txt");
        terminal.note(&format!(
            "{} mutants are invalid: see {}",
            total.invalid,
            list.display()
        ));
    }
}

/// Prints what was verified, and an error per mutant on which the plain game disagrees. Returns whether it disagrees on none.
pub fn said_verified(verified: Option<&Verified>, terminal: &Terminal) -> bool {
    let Some(verified) = verified else { return true };
    for Difference { id, by, found, game } in &verified.differences {
        let (found, game) = (found.name(), game.name());
        terminal.message(&format!(
            "error: {id}: {found}, decided by {by}, but {game} by the plain game; this is an error of tamper: please report it"
        ));
    }
    for RefusedCertificate { id, because } in &verified.refused {
        terminal.message(&format!(
            "error: {id}: its certificate {because}; this is an error of tamper: please report it"
        ));
    }
    let ways = verified.ways.iter().map(|(way, n)| format!("{n} by {way}"));
    let ways: Vec<_> = ways.collect();
    let (total, certified) = (verified.total(), verified.certified);
    let (plain, unknown) = (total - certified, verified.unknown);
    let others = [
        (plain, "decided again by the plain game"),
        (unknown, "not decided within the limits"),
    ];
    let others = others.iter().filter(|(n, _)| *n > 0);
    let others: String = others.map(|(n, what)| format!(", {n} {what}")).collect();
    terminal.note(&format!(
        "verified: {total} mutants ({}), {certified} by certificates that were checked{others}: {} differences",
        ways.join(", "),
        verified.differences.len() + verified.refused.len()
    ));
    verified.is_clean()
}
