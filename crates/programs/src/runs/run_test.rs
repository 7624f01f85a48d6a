//! A test that is run as often as asked for, and its outcome.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use num_rational::BigRational;
use num_traits::Zero as _;

use super::attempt::{Attempt, Instance, NeverStarted};
use super::failure_location::{Place, awaited};
use super::finding::Finding;
use super::judged::{Judged, Weighed};
use super::outcome::{Outcome, Tally, TestRun};
use super::trial::{Manner, Repeats, Trial};
use crate::error::SutError;
use crate::remarks::Remark;
use tamper_suite::{Driven, Ending, Event, TestVerdict, Wait, Words};

/// Maximum number of starts of a program that does not become ready, one after the other.
const MOST_STARTS: u32 = 3;
/// Pause between two starts.
const PAUSE: Duration = Duration::from_millis(200);
/// Maximum number of repetitions of a test in which the tester was late.
const MOST_LATE: u32 = 3;

/// The reason for which a test was not run to its end.
pub(super) enum Unfinished {
    Stopped,
    NeverStarted(NeverStarted),
}

/// Runs `trial` as often as asked for.
pub(super) fn examine(
    trial: Trial<'_>,
    instance: &mut Instance,
    manner: &Manner,
    stop: &AtomicBool,
) -> Result<TestRun, Unfinished> {
    let started = Instant::now();
    let mut seen = TestObservations::default();
    loop {
        let attempt = started_attempt(trial, instance, manner, stop)?;
        let remarks = instance.sut.take_remarks();
        match attempt {
            Attempt::Ended(driven) => {
                let (judged, weighed) = weigh(&driven, manner);
                seen.add(trial, VisibleRun::new(*driven, judged, remarks), weighed, &manner.words);
            }
            Attempt::Broken { why, log, waits } => {
                seen.broke(why, VisibleRun::new(broken(log, waits), Judged::Not, remarks))
            }
            // These do not count as runs: see `started_attempt`.
            Attempt::NotReady(..) | Attempt::Stopped => {}
        }
        match seen.late_in_turn {
            0 => {}
            1..=MOST_LATE => continue,
            _ => break,
        }
        let Tally { runs, fails, .. } = seen.tally;
        let is_done = match manner.repeats {
            Repeats::Times(times) => runs >= times,
            Repeats::AfterFailure(more) => runs > fails || runs > more,
        };
        if is_done || seen.broken.is_some() || seen.differs.is_some() {
            break;
        }
    }
    let tally = seen.tally;
    let Some((outcome, mut shown)) = seen.conclude() else {
        return Err(Unfinished::Stopped);
    };
    // A random test does not know what is allowed. Asking the judge takes about as long as the test; for tests that pass nobody
    // needs the answer.
    if let Some(judge) = &manner.judge
        && shown.driven.waits.is_empty()
        && outcome != Outcome::Pass
    {
        shown.driven.waits = judge.waits(&shown.driven, &manner.words);
    }
    let awaited = awaited(&shown.driven);
    Ok(TestRun {
        test: trial.id(),
        purpose: trial.purpose(),
        outcome,
        tally,
        log: shown.driven.log,
        until: shown.driven.until,
        lateness: shown.driven.lateness,
        awaited,
        judged: shown.judged,
        remarks: shown.remarks,
        wall: started.elapsed(),
    })
}

/// Runs a test once; a program that does not become ready is started several times.
fn started_attempt(
    trial: Trial<'_>,
    instance: &mut Instance,
    manner: &Manner,
    stop: &AtomicBool,
) -> Result<Attempt, Unfinished> {
    let mut tries = 0;
    loop {
        // Remarks made before this test belong to no test.
        instance.sut.take_remarks();
        let (error, said) = match instance.attempt(trial, manner, stop) {
            Attempt::Stopped => return Err(Unfinished::Stopped),
            Attempt::NotReady(error, said) => (error, said),
            attempt => return Ok(attempt),
        };
        tries += 1;
        // If the shell finds no program, it will find none later.
        if tries == MOST_STARTS || matches!(error, SutError::NotStarted { .. }) {
            return Err(Unfinished::NeverStarted(NeverStarted { tries, error, said }));
        }
        std::thread::sleep(PAUSE);
    }
}

/// Assesses a run by the test, the judge and the tester's lateness.
fn weigh(driven: &Driven, manner: &Manner) -> (Judged, Weighed) {
    if driven.is_doubtful(&manner.words.tolerance) {
        return (Judged::Not, Weighed::Late);
    }
    match &manner.judge {
        Some(judge) => judge.weigh(driven, &manner.words),
        None => (Judged::Not, Weighed::Stands),
    }
}

/// The visible part of a run.
struct VisibleRun {
    driven: Driven,
    judged: Judged,
    remarks: Vec<Remark>,
}

impl VisibleRun {
    fn new(driven: Driven, judged: Judged, remarks: Vec<Remark>) -> Self {
        Self {
            driven,
            judged,
            remarks,
        }
    }
}

/// The result of a run that ended in the middle.
fn broken(log: Vec<Event>, waits: Vec<Wait>) -> Driven {
    Driven {
        verdict: TestVerdict::Inconclusive,
        failure: None,
        ending: None,
        until: log.last().map_or_else(BigRational::zero, |event| event.at.clone()),
        log,
        lateness: None,
        waits,
    }
}

/// The observations of a test so far.
#[derive(Default)]
struct TestObservations {
    tally: Tally,
    /// Number of times that the tester was late since the last run that counts.
    late_in_turn: u32,
    /// The run that the test fails and the judge allows.
    differs: Option<(Finding, VisibleRun)>,
    /// The first run that failed.
    failed: Option<(Finding, VisibleRun)>,
    broken: Option<(Finding, VisibleRun)>,
    /// The last run in which the tester was late.
    late: Option<(Finding, VisibleRun)>,
    /// The last run that did not reach the purpose.
    unreached: Option<(Finding, VisibleRun)>,
    /// The last run that passed.
    passed: Option<VisibleRun>,
}

impl TestObservations {
    fn add(&mut self, trial: Trial<'_>, shown: VisibleRun, weighed: Weighed, words: &Words) {
        if let Weighed::Late = weighed {
            self.tally.late += 1;
            self.late_in_turn += 1;
            let finding = Finding::of_lateness(&shown.driven, words);
            self.late = Some((finding, shown));
            return;
        }
        self.tally.runs += 1;
        self.late_in_turn = 0;
        match (weighed, shown.driven.verdict) {
            (Weighed::Differ(finding), _) => self.differs = Some((finding, shown)),
            (Weighed::Forgiven(finding), _) => self.unreached = Some((finding, shown)),
            (Weighed::Breach(finding), _) => self.fails(finding, shown),
            (_, TestVerdict::Fail) => self.fails(Finding::of_driven(&shown.driven, words), shown),
            (_, TestVerdict::Pass) => self.passed = Some(shown),
            // Most tests look for a forbidden output at the end of their path, from which a correct program cannot lead on. The
            // program came there and did what is allowed, so the fault did not show, which is all that the test can find out.
            (_, TestVerdict::Inconclusive) if shown.driven.ending == Some(Ending::Watched) => self.passed = Some(shown),
            (_, TestVerdict::Inconclusive) => {
                let finding = trial.unreached(&shown.driven, words);
                self.unreached = Some((finding, shown));
            }
        }
    }

    fn fails(&mut self, finding: Finding, shown: VisibleRun) {
        self.tally.fails += 1;
        self.failed.get_or_insert((finding, shown));
    }

    fn broke(&mut self, why: String, shown: VisibleRun) {
        self.tally.runs += 1;
        self.late_in_turn = 0;
        let place = Place::at(shown.driven.until.clone());
        self.broken = Some((Finding::plain(why).placed(place), shown));
    }

    /// The outcome of the test, and the run that shows it.
    fn conclude(self) -> Option<(Outcome, VisibleRun)> {
        let was_fine = self.passed.is_some() || self.unreached.is_some();
        let failed = if was_fine { Outcome::Unsteady } else { Outcome::Fail };
        let with = |found: Option<(Finding, VisibleRun)>, outcome: fn(Finding) -> Outcome| {
            found.map(|(finding, shown)| (outcome(finding), shown))
        };
        with(self.differs, Outcome::Differs)
            .or(with(self.failed, failed))
            .or(with(self.broken, Outcome::Broken))
            .or(self.passed.map(|shown| (Outcome::Pass, shown)))
            .or(with(self.unreached, Outcome::Inconclusive))
            .or(with(self.late, Outcome::Late))
    }
}
