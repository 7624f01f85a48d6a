//! The end of a command that does not end by itself: a signal, or the time for all of it.
//!
//! Every command is watched by a thread of its own. A command that can say what is kept is asked first and has
//! [`GRACE`] to answer; then, as for all others, the process ends: what is written has its name only when it is whole, and
//! drafts are taken away.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, LazyLock, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};

use super::exit::ExitCode;
use tamper::experiment::abandon_drafts;

/// How long a command may take to say by itself what is done.
const GRACE: Duration = Duration::from_millis(800);
/// How often the thread looks.
const TICK: Duration = Duration::from_millis(20);

/// Raised by the first Ctrl-C or request to end; the second one ends the program at once.
static RAISED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Whether the command looks at the flag.
static IS_ASKED: AtomicBool = AtomicBool::new(false);
/// Whether there is a record with which the command can go on.
static IS_RECORDED: AtomicBool = AtomicBool::new(false);
/// What helps a command that does not end in time.
static ADVICE: OnceLock<&str> = OnceLock::new();

/// The flag that a signal raises, for a command that looks at it and says what is kept.
pub fn watch() -> Arc<AtomicBool> {
    IS_ASKED.store(true, Ordering::Relaxed);
    Arc::clone(&RAISED)
}

/// Says that what is done is recorded from here on, so that `--resume` goes on with it.
pub fn recorded() {
    IS_RECORDED.store(true, Ordering::Relaxed);
}

/// Says what helps if the command does not end in time.
pub fn advise(advice: &'static str) {
    // The first advice stands.
    let _ = ADVICE.set(advice);
}

/// Time after which a command ends, and the option that says so.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// Milliseconds from the start.
    pub after_ms: u64,
    /// As in `--total-timeout`.
    pub option: &'static str,
}

/// Watches a command until it is dropped.
#[derive(Debug)]
pub struct Guard(Option<(mpsc::Sender<()>, JoinHandle<()>)>);

impl Guard {
    /// Watches the command that starts now.
    pub fn start(end: Option<End>) -> Result<Self> {
        listen()?;
        let started = Instant::now();
        let end = end.and_then(|end| Some((started.checked_add(Duration::from_millis(end.after_ms))?, end.option)));
        let (sender, receiver) = mpsc::channel();
        let watcher = std::thread::Builder::new().spawn(move || {
            let mut raised = None;
            while receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let now = Instant::now();
                if RAISED.load(Ordering::Relaxed) {
                    let since: Instant = *raised.get_or_insert(now);
                    if !IS_ASKED.load(Ordering::Relaxed) || now - since >= GRACE {
                        end_now(ExitCode::Interrupted, "interrupted");
                    }
                }
                if let Some((due, option)) = end
                    && now.saturating_duration_since(due) >= GRACE
                {
                    end_now(ExitCode::Unknown, &format!("stopped: the time is up ({option})"));
                }
            }
        });
        Ok(Self(Some((sender, watcher.context("cannot start a thread")?))))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some((sender, watcher)) = self.0.take() {
            drop(sender);
            // A panic of the watcher has nothing more to spoil here.
            let _ = watcher.join();
        }
    }
}

/// Listens to signals; once per process.
fn listen() -> Result<()> {
    static LISTENS: OnceLock<()> = OnceLock::new();
    if LISTENS.set(()).is_err() {
        return Ok(());
    }
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first one finds the flag down.
        register_conditional_shutdown(signal, ExitCode::Interrupted as i32, Arc::clone(&RAISED))
            .and_then(|_| register(signal, Arc::clone(&RAISED)))
            .context("cannot listen to Ctrl-C")?;
    }
    Ok(())
}

fn end_now(code: ExitCode, why: &str) -> ! {
    // From here on no file gets its name.
    let _abandoned = abandon_drafts();
    let kept = "what is recorded is kept, and the same command with --resume goes on from there";
    let kept = IS_RECORDED.load(Ordering::Relaxed).then_some(kept);
    let advice = ADVICE.get().copied().filter(|_| code == ExitCode::Unknown);
    let more = kept.or(advice).map_or(String::new(), |more| format!("; {more}"));
    // Nobody may be left to read it.
    let _ = writeln!(std::io::stderr(), "{why}{more}");
    std::process::exit(code as i32)
}
