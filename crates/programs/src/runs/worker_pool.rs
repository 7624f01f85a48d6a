//! All tests of a suite, with several instances of the program side by side.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::attempt::{Instance, NeverStarted};
use super::outcome::TestRun;
use super::run_test::{Unfinished, examine};
use super::trial::{Manner, Trials};
use crate::remote::RemoteSut;
use tamper_runs::ExperimentError;
use tamper_suite::n_events;

/// Interval between checks whether the run is to end.
const TICK: Duration = Duration::from_millis(20);
/// Time for which a run that is to end waits for tests that are about to end.
const LAST_MOMENT: Duration = Duration::from_millis(200);

/// The manner of running tests, and the conditions that end the run before all tests are done.
#[derive(Clone)]
pub struct Halt {
    /// The manner of running each test.
    pub manner: Manner,
    /// Whether the first failure ends the run.
    pub fail_fast: bool,
    /// Set when the run is to end.
    pub interrupt: Arc<AtomicBool>,
    /// The time at which the run ends.
    pub deadline: Option<Instant>,
}

/// The result of a run.
#[derive(Debug)]
pub struct Ran {
    /// The tests that were run, in the order of the suite.
    pub runs: Vec<TestRun>,
    /// The reason for which it ended.
    pub end: RunEnd,
}

/// The reason for which a run ended.
#[derive(Debug)]
pub enum RunEnd {
    /// All tests are done.
    Done,
    /// A test failed, and the first failure was to end the run.
    FailFast,
    /// The run was interrupted.
    Interrupted,
    /// Its time is up.
    TimeUp,
    /// The program never became ready.
    NeverStarted(NeverStarted),
}

/// Runs `trials` with an instance of the program per member of `suts`. `hear` is told of each finished test, in the order in which
/// they finish. A run that is to end in the middle of tests leaves them to their threads, whose programs end with this process.
///
/// # Errors
/// The error of `hear`.
pub fn run_tests(
    trials: Trials,
    suts: Vec<RemoteSut>,
    halt: &Halt,
    hear: &mut dyn FnMut(&TestRun) -> Result<(), ExperimentError>,
) -> Result<Ran, ExperimentError> {
    let shared = Arc::new(Shared {
        trials,
        manner: halt.manner.clone(),
        fail_fast: halt.fail_fast,
        next: AtomicUsize::new(0),
        n_seen: AtomicUsize::new(0),
        is_closed: AtomicBool::new(false),
        stop: AtomicBool::new(false),
    });
    let (sender, receiver) = channel();
    let threads: Vec<_> = suts
        .into_iter()
        .enumerate()
        .map(|(number, sut)| {
            let (shared, sender) = (Arc::clone(&shared), sender.clone());
            std::thread::spawn(move || shared.work(number, sut, &sender))
        })
        .collect();
    drop(sender);
    let mut done = Collected {
        shared: &shared,
        runs: Vec::new(),
        end: RunEnd::Done,
    };
    let is_over = done.collect(&receiver, halt, hear)?;
    let Collected { mut runs, end, .. } = done;
    if is_over {
        for thread in threads {
            // A panic of a thread has already been reported.
            let _ = thread.join();
        }
    }
    runs.sort_by_key(|(at, _)| *at);
    Ok(Ran {
        runs: runs.into_iter().map(|(_, run)| run).collect(),
        end,
    })
}

/// The state that all threads share.
struct Shared {
    trials: Trials,
    manner: Manner,
    fail_fast: bool,
    /// The test that is run next.
    next: AtomicUsize,
    /// Number of inputs and outputs of the finished tests.
    n_seen: AtomicUsize,
    /// Whether no further test is begun.
    is_closed: AtomicBool,
    /// Whether running tests are abandoned.
    stop: AtomicBool,
}

enum News {
    Run(usize, Box<TestRun>),
    NeverStarted(NeverStarted),
}

impl Shared {
    fn work(&self, number: usize, sut: RemoteSut, news: &Sender<News>) {
        let mut instance = Instance::new(sut);
        for done in 0.. {
            if self.is_closed.load(Ordering::Relaxed) {
                return;
            }
            let Some(at) = self.trials.next(&self.next, number, done) else {
                return;
            };
            let Some(trial) = self.trials.get(at, self.n_seen.load(Ordering::Relaxed)) else {
                return;
            };
            let said = match examine(trial, &mut instance, &self.manner, &self.stop) {
                Ok(run) => {
                    self.n_seen.fetch_add(n_events(&run.log), Ordering::Relaxed);
                    if self.fail_fast && run.outcome.is_failure() {
                        self.close();
                    }
                    news.send(News::Run(at, Box::new(run)))
                }
                Err(Unfinished::Stopped) => return,
                Err(Unfinished::NeverStarted(never)) => {
                    // An error means that the run is over.
                    let _ = news.send(News::NeverStarted(never));
                    return;
                }
            };
            if said.is_err() {
                return;
            }
        }
    }

    /// Lets no further test begin.
    fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }
}

/// The finished tests.
struct Collected<'s> {
    shared: &'s Shared,
    runs: Vec<(usize, TestRun)>,
    end: RunEnd,
}

impl Collected<'_> {
    /// Collects news until all threads have ended or the run is to end.
    fn collect(
        &mut self,
        news: &Receiver<News>,
        halt: &Halt,
        hear: &mut dyn FnMut(&TestRun) -> Result<(), ExperimentError>,
    ) -> Result<bool, ExperimentError> {
        let mut last_moment = None;
        loop {
            match news.recv_timeout(TICK) {
                Ok(News::Run(at, run)) => {
                    hear(&run)?;
                    if halt.fail_fast && run.outcome.is_failure() {
                        self.ends(RunEnd::FailFast);
                    }
                    self.runs.push((at, *run));
                }
                Ok(News::NeverStarted(never)) => {
                    self.shared.close();
                    self.ends(RunEnd::NeverStarted(never));
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(true),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = Instant::now();
            if last_moment.is_none()
                && let Some(end) = halt.is_due(now)
            {
                self.shared.close();
                self.shared.stop.store(true, Ordering::Relaxed);
                self.ends(end);
                last_moment = Some(now + LAST_MOMENT);
            }
            if last_moment.is_some_and(|last| now >= last) {
                return Ok(false);
            }
        }
    }

    /// Sets the reason for the end, unless there is one already.
    fn ends(&mut self, end: RunEnd) {
        if matches!(self.end, RunEnd::Done) {
            self.end = end;
        }
    }
}

impl Halt {
    fn is_due(&self, now: Instant) -> Option<RunEnd> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(RunEnd::Interrupted);
        }
        self.deadline.is_some_and(|due| now >= due).then_some(RunEnd::TimeUp)
    }
}
