//! A suite that the page asked for: made, and run against all mutants, in a separate thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::ValueEnum as _;
use serde_json::{Value, json};

use super::decided::DecidedRun;
use crate::cli::arguments::strategy::StrategyArg;
use crate::cli::testing::suites::judging;
use crate::cli::testing::testgen::TestgenArgs;
use tamper::experiment::Timer;
use tamper::experiment::killing::{Fate, KillGoal, Score, candidates_of_run, generate, ignoring, judge};
use tamper::formats::suite_json::{Pruning, Suite, write_suite};

/// The number of steps in which a run against all mutants is shown.
const STEPS: usize = 24;
/// The error of a suite whose making was stopped.
const STOPPED: &str = "stopped";

/// The suite that the page asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AskedSuite {
    /// The strategy of its tests.
    pub strategy: StrategyArg,
    /// Whether it is for programs.
    pub for_programs: bool,
}

impl AskedSuite {
    /// Parses the request of a page: a strategy, and `programs` for a suite for programs.
    pub fn parse(text: &str) -> Option<Self> {
        let (strategy, for_programs) = match text.split_once(' ') {
            None => (text, false),
            Some((strategy, "programs")) => (strategy, true),
            Some(_) => return None,
        };
        let strategy = StrategyArg::from_str(strategy, false).ok()?;
        Some(Self { strategy, for_programs })
    }

    /// The request as options of `tamper testgen`.
    fn options(self) -> Vec<String> {
        let strategy = self.strategy.to_possible_value();
        let mut options = vec!["--strategy".to_owned()];
        options.extend(strategy.map(|value| value.get_name().to_owned()));
        if self.strategy == StrategyArg::Fewest {
            options.extend(["--kill", "potential"].map(str::to_owned));
        }
        if self.for_programs {
            options.extend(["--for", "programs"].map(str::to_owned));
        }
        options
    }
}

/// A finished suite, and its kills among the killable mutants.
pub struct MadeSuite {
    /// The suite.
    pub suite: Suite,
    /// The kills of its tests.
    pub score: Score,
}

impl MadeSuite {
    /// The file of the suite, as `tamper testgen --out` writes it.
    pub fn file(&self) -> String {
        write_suite(&self.suite)
    }
}

/// The progress, as numbers of mutants.
#[derive(Default)]
struct SuiteProgress {
    all: AtomicU64,
    tested: AtomicU64,
    run: AtomicU64,
    killed: AtomicU64,
    stop: Arc<AtomicBool>,
}

/// A suite that is being made. The thread ends soon after this is dropped.
pub struct Making {
    progress: Arc<SuiteProgress>,
    /// `None` after the result was taken.
    thread: Option<JoinHandle<Result<MadeSuite>>>,
}

impl Making {
    /// Begins a suite for the killable mutants of a run.
    pub fn start(run: &Arc<DecidedRun>, asked: AskedSuite) -> Self {
        let progress = Arc::new(SuiteProgress::default());
        let (run, shared) = (Arc::clone(run), Arc::clone(&progress));
        let thread = std::thread::spawn(move || made(&run, asked, &shared));
        Self {
            progress,
            thread: Some(thread),
        }
    }

    /// Whether the thread has ended.
    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the thread, and returns the suite.
    pub fn result(mut self) -> Result<MadeSuite> {
        let ended = self.thread.take().context(STOPPED)?.join();
        ended.map_err(|_| anyhow!("an error of tamper: no suite was made"))?
    }

    /// Ends the thread without a result.
    pub fn stop(&self) {
        self.progress.stop.store(true, Ordering::Relaxed);
    }

    /// The progress, as the page shows it.
    pub fn json(&self) -> Value {
        let [all, tested, run, killed] = [
            &self.progress.all,
            &self.progress.tested,
            &self.progress.run,
            &self.progress.killed,
        ]
        .map(|count| count.load(Ordering::Relaxed));
        json!({ "all": all, "tested": tested, "run": run, "killed": killed })
    }
}

/// Makes the suite, and runs it against all mutants that it is made for.
fn made(decided: &DecidedRun, asked: AskedSuite, progress: &SuiteProgress) -> Result<MadeSuite> {
    let timer = Timer::new(decided.plan.limits).until(Arc::clone(&progress.stop));
    let tester = decided.mutated.tester(&timer)?;
    let options = asked.options();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let options = TestgenArgs::options_of(&options, tester.automaton(), &decided.plan.mutation)?;
    let set = decided.mutated.mutants(&decided.plan)?;
    let found = candidates_of_run(&*set, &decided.selection, &decided.path(), None, &tester, &timer)?;
    let candidates = ignoring(found.candidates, options.refusals, &timer);
    progress.all.store(candidates.len() as u64, Ordering::Relaxed);
    let is_done = |done| progress.tested.store(done, Ordering::Relaxed);
    let generated = generate(&tester, &candidates, &options, &timer, &is_done)?;
    let judging = judging(KillGoal::Potential, options.refusals, &options.mutation);
    let mut judged = Vec::new();
    // Each mutant is judged independently, as in shares of a score.
    for some in candidates.chunks(candidates.len().div_ceil(STEPS).max(1)) {
        if progress.stop.load(Ordering::Relaxed) {
            bail!(STOPPED);
        }
        let more = judge(&tester, some, &generated.tests, &judging, &timer)?;
        let killed = more.iter().filter(|judged| judged.fate == Fate::Killed).count();
        progress.killed.fetch_add(killed as u64, Ordering::Relaxed);
        progress.run.fetch_add(more.len() as u64, Ordering::Relaxed);
        judged.extend(more);
    }
    if progress.stop.load(Ordering::Relaxed) {
        bail!(STOPPED);
    }
    Ok(MadeSuite {
        score: Score::of(generated.tests.len(), judged),
        suite: Suite {
            specification: decided.mutated.specification(),
            refusals: options.refusals,
            pruning: Pruning::default(),
            tests: generated.tests,
            mutants: generated.mutants,
        },
    })
}

impl Drop for Making {
    fn drop(&mut self) {
        self.stop();
    }
}
