//! A run in a folder, whatever world it is of: begun or gone on with, decided, ended early or whole.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use super::exit::{LimitHit, Stopped};
use super::game_args::RunFolderArgs;
use super::interrupt;
use super::terminal::Terminal;
use tamper::experiment::{
    Counting as _, Difference, Draw, Log, OutputDir, RunManifest, Tally, Verified, World, classify, classify_drawing,
};

/// A run that is to be written.
pub struct FolderRun<'a, M> {
    /// Where, and whether one is there already.
    pub folder: &'a RunFolderArgs,
    /// What is run.
    pub manifest: &'a M,
    /// How many mutants it looks at.
    pub n_selected: u64,
    /// Where progress is shown.
    pub terminal: &'a Terminal,
}

impl<M: RunManifest> FolderRun<'_, M> {
    /// The folder, locked.
    pub fn open(&self) -> Result<OutputDir> {
        Ok(match self.folder.resume {
            true => OutputDir::resume(&self.folder.out, self.manifest)?,
            false => OutputDir::create(&self.folder.out, self.manifest)?,
        })
    }

    /// Decides all mutants after those that are in `output`, until the time of the run is up.
    pub fn decide<W: World>(&self, world: W, output: &OutputDir) -> Result<Ended<W::Counts>> {
        self.decide_drawing(world, output, &mut Draw::new(0, 0))
    }

    /// The same, and draws mutants to be decided again.
    pub fn decide_drawing<W: World>(&self, world: W, output: &OutputDir, draw: &mut Draw) -> Result<Ended<W::Counts>> {
        let bar = self.terminal.progress(self.n_selected);
        let mut log = Log::resume(output)?;
        let counts = classify_drawing(world, &mut log, &mut |done| bar.set_position(done), draw)?;
        bar.finish_and_clear();
        let n_undecided = self.n_selected - counts.n_counted();
        let early = (n_undecided > 0).then(|| {
            // Where the time was up while earlier records were read, they are all kept.
            let at_least = if log.is_read() { "" } else { "at least " };
            let (n_done, folder) = (counts.n_counted(), output.path().display());
            let done = format!("{at_least}{n_done} of {} mutants are in {folder}", self.n_selected);
            Early {
                n_undecided,
                why: stopped(&done, &interrupt::watch()),
            }
        });
        Ok(Ended { counts, early })
    }
}

/// How far a run came.
pub struct Ended<C> {
    /// The counts of the mutants that it came to.
    pub counts: C,
    /// Why it did not come to all of them.
    pub early: Option<Early>,
}

/// The time was up, or the user ended the run.
pub struct Early {
    /// How many mutants have no verdict yet.
    pub n_undecided: u64,
    /// What is said about it.
    pub why: anyhow::Error,
}

impl<C> Ended<C> {
    /// The counts of all mutants; where the run ended early, what it came to is shown first.
    ///
    /// # Errors
    /// Why the run ended early.
    pub fn whole(self, show: impl FnOnce(&C, u64) -> Result<()>) -> Result<C> {
        let Some(Early { n_undecided, why }) = self.early else {
            return Ok(self.counts);
        };
        show(&self.counts, n_undecided)?;
        Err(why)
    }
}

/// Decides the mutants of a world, so many of them, after those that are in `log`, and shows how far it is.
pub fn decide<W: World>(world: W, log: &mut Log, n_selected: u64, terminal: &Terminal) -> Result<W::Counts> {
    let bar = terminal.progress(n_selected);
    let counts = classify(world, log, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    Ok(counts)
}

/// Why a run ended early, and what is kept of it.
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

/// Says where the mutants without a meaning are named.
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

/// Names what was decided again, and each mutant about which the plain game says something else; whether there is none.
pub fn said_verified(verified: Option<&Verified>, terminal: &Terminal) -> bool {
    let Some(verified) = verified else { return true };
    for Difference { id, by, found, game } in &verified.differences {
        let (found, game) = (found.name(), game.name());
        terminal.message(&format!(
            "error: {id}: {found}, decided by {by}, but {game} by the plain game; this is an error of tamper: please report it"
        ));
    }
    let ways = verified.ways.iter().map(|(way, n)| format!("{n} by {way}"));
    let ways: Vec<_> = ways.collect();
    let unknown = match verified.unknown {
        0 => String::new(),
        n => format!(", {n} not decided within the limits"),
    };
    terminal.note(&format!(
        "verified: {} mutants decided again by the plain game ({}), {} differences{unknown}",
        verified.total(),
        ways.join(", "),
        verified.differences.len()
    ));
    verified.differences.is_empty()
}
