//! The end of a command from outside: by a signal, or by a limit on its time or memory.
//!
//! A separate thread watches every command. A command that can say what is kept is asked first and has [`GRACE`] to answer. Then the
//! process ends, as it does for all other commands: a file gets its name only when it is whole, and drafts are deleted.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use clap::ArgMatches;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};

use super::exit::ExitCode;
use tamper::experiment::{Timer, abandon_drafts};
use tamper::text::allocated;

/// The time that a command has after its limit to end with a message about what is done: what is left of a second, to give back memory, is
/// the process's own end.
const GRACE: Duration = Duration::from_millis(600);
/// The same after a signal, which asks for an end within a second of a run that holds less.
const SIGNAL_GRACE: Duration = Duration::from_millis(800);
/// The intervals at which the thread checks: usually, and with a limit on memory.
const TICKS: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(2)];

/// Raised by the first Ctrl-C or request to end; the second one ends the program at once.
static RAISED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Whether the command looks at the flag.
static IS_ASKED: AtomicBool = AtomicBool::new(false);
/// Whether there is a record from which the command can be continued.
static IS_RECORDED: AtomicBool = AtomicBool::new(false);
/// Advice for a command that does not end in time.
static ADVICE: OnceLock<&str> = OnceLock::new();
/// The text that is printed if the command ends now.
static LAST_WORDS: Mutex<Option<String>> = Mutex::new(None);

/// The flag that a signal raises, for a command that checks it and ends with a message.
pub fn watch() -> Arc<AtomicBool> {
    IS_ASKED.store(true, Ordering::Relaxed);
    Arc::clone(&RAISED)
}

/// Notes that the work is recorded from here on, so that `--resume` can continue it.
pub fn recorded() {
    IS_RECORDED.store(true, Ordering::Relaxed);
}

/// Sets the advice that is printed if the command does not end in time.
pub fn advise(advice: &'static str) {
    // The first advice stands.
    let _ = ADVICE.set(advice);
}

/// Sets the text that is printed as the result if a limit ends the command from here on.
pub fn last_words(words: Option<String>) {
    *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = words;
}

/// Prints the available part of a result that a limit has cut off.
pub fn say_last_words() {
    if let Some(words) = LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // Nobody may be left to read it.
        let _ = writeln!(std::io::stdout(), "{}", words.trim_end());
    }
}

/// The limits at which a command ends, whatever it does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ends {
    /// The time limit of the whole command, in milliseconds.
    pub total_ms: Option<u64>,
    /// The time limit of a decision, and thus of reading its models, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Whether a single decision is all that the command does.
    pub is_decision: bool,
    /// The memory limit, in bytes.
    pub max_memory: Option<u64>,
}

impl Ends {
    /// The limits of the subcommand that was typed.
    pub fn of(matches: &ArgMatches) -> Self {
        let Some((name, matches)) = matches.subcommand() else {
            return Self::default();
        };
        let limit = |id| matches.try_get_one::<u64>(id).ok().flatten().copied();
        Self {
            total_ms: limit("total_timeout"),
            timeout_ms: limit("timeout"),
            is_decision: matches!(name, "coverage" | "families" | "features" | "refine"),
            max_memory: limit("max_memory"),
        }
    }

    /// The reason why a command that has run for `time` ends now; `None` if it may continue.
    fn passed(&self, time: Duration) -> Option<&'static str> {
        let is_over =
            |end: Option<u64>| end.is_some_and(|end| time >= Duration::from_millis(end).saturating_add(GRACE));
        let is_one = self.is_decision || !Timer::has_begun();
        // A command that checks its budget has ended before.
        if self
            .max_memory
            .is_some_and(|most| allocated() > most.saturating_add(most / 5))
        {
            Some("stopped: the memory is used up (--max-memory)")
        } else if is_over(self.total_ms) {
            Some("stopped: the time is up (--total-timeout)")
        } else if is_one && is_over(self.timeout_ms) {
            Some("stopped: the time is up (--timeout)")
        } else {
            None
        }
    }
}

/// Watches a command until it is dropped.
#[derive(Debug)]
pub struct Guard(Option<(mpsc::Sender<()>, JoinHandle<()>)>);

impl Guard {
    /// Watches the command that starts now.
    pub fn start(ends: Ends) -> Result<Self> {
        listen()?;
        let started = Instant::now();
        let total = ends.total_ms.map(Duration::from_millis);
        if let Some(end) = total.and_then(|total| started.checked_add(total)) {
            Timer::end_all(end);
        }
        let tick = TICKS[usize::from(ends.max_memory.is_some())];
        let (sender, receiver) = mpsc::channel();
        let watcher = std::thread::Builder::new().spawn(move || {
            let mut raised = None;
            while receiver.recv_timeout(tick) == Err(RecvTimeoutError::Timeout) {
                let now = Instant::now();
                if RAISED.load(Ordering::Relaxed) {
                    let since: Instant = *raised.get_or_insert(now);
                    if !IS_ASKED.load(Ordering::Relaxed) || now - since >= SIGNAL_GRACE {
                        end_now(ExitCode::Interrupted, "interrupted");
                    }
                }
                if let Some(why) = ends.passed(now - started) {
                    end_now(ExitCode::Unknown, why);
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
            // A panic of the watcher does no more harm here.
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
        // In this order: at the first signal, the flag is still down.
        register_conditional_shutdown(signal, ExitCode::Interrupted as i32, Arc::clone(&RAISED))
            .and_then(|_| register(signal, Arc::clone(&RAISED)))
            .context("cannot listen to Ctrl-C")?;
    }
    Ok(())
}

fn end_now(code: ExitCode, why: &str) -> ! {
    if code == ExitCode::Unknown {
        say_last_words();
    }
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
