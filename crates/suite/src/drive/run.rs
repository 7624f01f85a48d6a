//! The run of a test.

use std::error::Error;
use std::fmt;

use num_rational::BigRational;
use num_traits::{Signed as _, Zero as _};

use super::ending::{Ending, Wait, ending};
use super::failure::{Failure, UnexpectedOutput};
use super::log::{Event, EventLog, Lateness, What};
use super::reaction::reaction;
use super::window::DelayWindow;
use crate::sut::{Measured, Observed, Sut};
use crate::test_case::{Act, Jump, Next, Node, Rule, TestCase, TestVerdict};

/// Number of steps after which a test with a loop is left undecided.
const MAX_STEPS: usize = 100_000;
/// Maximum number of outputs that are heard after a test until one of them is the expected one.
const MAX_LATE: usize = 1_000;
/// Minimum number of time units to listen for late outputs.
const LEAST_OVERTIME: u32 = 10;

/// A test that was run to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driven {
    /// The verdict with which the test ended.
    pub verdict: TestVerdict,
    /// The reason for a fail.
    pub failure: Option<Failure>,
    /// The ending of the test, if it neither passed nor failed.
    pub ending: Option<Ending>,
    /// The events of the run, in the order of time.
    pub log: Vec<Event>,
    /// The time until which the system was listened to, in time units: an event that is not in the log did not happen before.
    pub until: BigRational,
    /// The greatest lateness of the tester, if time was measured.
    pub lateness: Option<Lateness>,
    /// The waits of the test, one after the other; empty for a random test, which does not know them.
    pub waits: Vec<Wait>,
}

impl Driven {
    /// Whether the test failed while the tester was later than `tolerance` (in time units) allows: then the fail may be the
    /// tester's fault and is no verdict. A pass remains one.
    pub fn is_doubtful(&self, tolerance: &BigRational) -> bool {
        let is_late = self.lateness.as_ref().is_some_and(|late| late.exceeds(tolerance));
        self.verdict == TestVerdict::Fail && is_late
    }
}

/// A test that ended because the system cannot be tested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken<E> {
    /// The failure of the program under test.
    pub error: E,
    /// The events before the program failed, in the order of time.
    pub log: Vec<Event>,
    /// The waits until then, as in [`Driven`].
    pub waits: Box<[Wait]>,
}

impl<E: fmt::Display> fmt::Display for Broken<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<E: Error> Error for Broken<E> {}

/// Runs `test` against `sut` from its initial state. An output counts as made at any moment within `tolerance` time units of the
/// observed one, and the tester stops waiting only `tolerance` later than the test says: so a test fails only if none of these
/// moments is allowed. A test stays on its path if one of these moments does, and keeps to its schedule, so deviations do not add
/// up: it continues as if the output had been made at that moment, and acts that have become due since are made now. If a test
/// fails after it has thus passed over a moment that was allowed but not on its path, it ends inconclusively, as it does not know
/// what is allowed there.
///
/// The test decides by its schedule; the log has the times that [`Sut::measured`] tells. If a test fails because nothing came, the
/// tester keeps listening, to tell a late output from one that never comes.
///
/// # Errors
/// The system cannot be tested.
///
/// # Panics
/// If the test refers to nodes or clocks that it does not have (see [`TestCase::check`]).
pub fn drive<S: Sut>(test: &TestCase, sut: &mut S, tolerance: &BigRational) -> Result<Driven, Broken<S::Error>> {
    let mut run = DrivenTest {
        test,
        tolerance,
        node: 0,
        clocks: vec![BigRational::zero(); test.clocks.len()],
        entered: BigRational::zero(),
        now: BigRational::zero(),
        is_bent: false,
        overdue: None,
        log: EventLog::default(),
        waits: Vec::new(),
    };
    let ended = run.finish(sut);
    concluded(ended, run.log, run.now, run.waits)
}

/// The result of a test that ended at the time `now`, with its log and waits.
pub(crate) fn concluded<E>(
    ended: Result<DriveResult, E>,
    log: EventLog,
    now: BigRational,
    waits: Vec<Wait>,
) -> Result<Driven, Broken<E>> {
    match ended {
        Ok(DriveResult {
            verdict,
            failure,
            ending,
        }) => Ok(Driven {
            verdict,
            failure,
            ending,
            until: log.until(now),
            lateness: log.lateness,
            log: log.events,
            waits,
        }),
        Err(error) => Err(Broken {
            error,
            log: log.events,
            waits: waits.into(),
        }),
    }
}

struct DrivenTest<'t> {
    test: &'t TestCase,
    tolerance: &'t BigRational,
    node: usize,
    /// The clocks on entering the node.
    clocks: Vec<BigRational>,
    /// The time at which the node was entered; within the tolerance it may count as another moment than the observed one.
    entered: BigRational,
    /// The current time on the test's schedule.
    now: BigRational,
    /// Whether an output was taken to be made at another moment than the observed one, although the observed moment was allowed, too.
    is_bent: bool,
    /// The event that came after the tester should have stopped waiting, but before it did.
    overdue: Option<Event>,
    log: EventLog,
    waits: Vec<Wait>,
}

/// The result of a test.
pub(crate) struct DriveResult {
    verdict: TestVerdict,
    failure: Option<Failure>,
    ending: Option<Ending>,
}

impl DriveResult {
    pub fn plain(verdict: TestVerdict) -> Self {
        Self {
            verdict,
            failure: None,
            ending: None,
        }
    }
    pub fn inconclusive(ending: Ending) -> Self {
        Self {
            ending: Some(ending),
            ..Self::plain(TestVerdict::Inconclusive)
        }
    }
    pub fn fail(failure: Failure) -> Self {
        Self {
            failure: Some(failure),
            ..Self::plain(TestVerdict::Fail)
        }
    }
}

/// The next step of the test, or the event that makes it fail.
enum Stepped {
    Next(Next),
    Fail(Event),
}

impl<'t> DrivenTest<'t> {
    fn finish<S: Sut>(&mut self, sut: &mut S) -> Result<DriveResult, S::Error> {
        sut.reset()?;
        if let Some(measured) = sut.measured() {
            self.log.was_late(1, measured.doubt);
        }
        for _ in 0..MAX_STEPS {
            let (node, clocks) = (self.node, self.clocks.clone());
            let wait = Wait::of(&self.test.nodes[node], &clocks, self.entered.clone());
            self.waits.push(wait.clone());
            let (since, n_events) = (self.log.events.last().cloned(), self.log.events.len());
            match self.step(sut)? {
                Stepped::Next(Next::Node(_)) => {}
                Stepped::Next(Next::Verdict(TestVerdict::Inconclusive)) => {
                    let parts = &self.test.nodes[node];
                    let came = self.log.events.get(n_events);
                    return Ok(DriveResult::inconclusive(ending(parts, chosen(parts, &clocks), came)));
                }
                Stepped::Next(Next::Verdict(verdict)) => return Ok(DriveResult::plain(verdict)),
                Stepped::Fail(came) => {
                    let mut failure = Failure {
                        expected: wait.expected,
                        since,
                        entered: wait.since,
                        came,
                        unexpected: None,
                    };
                    if failure.came.what == What::Silence {
                        self.listen_on(&mut failure, sut);
                    }
                    return Ok(match self.is_bent {
                        true => DriveResult::inconclusive(Ending::Lost),
                        false => DriveResult::fail(failure),
                    });
                }
            }
        }
        Ok(DriveResult::inconclusive(Ending::Lost))
    }

    /// Waits and acts in the node once. Returns the next step.
    fn step<S: Sut>(&mut self, sut: &mut S) -> Result<Stepped, S::Error> {
        let node = &self.test.nodes[self.node];
        let planned =
            chosen(node, &self.clocks).and_then(|rule| Some((rule, DelayWindow::of(&rule.when, &self.clocks)?)));
        let Some((rule, window)) = planned else {
            return Ok(Stepped::Next(Next::Verdict(TestVerdict::Inconclusive)));
        };
        // An act that was due before now is due now.
        let since = &self.now - &self.entered;
        let delay = (self.patience(rule, &window) - since).max(BigRational::zero());
        match sut.wait(&delay)? {
            Observed::Silence => {
                self.now += &delay;
                self.act(rule, &window.earliest(), sut)
            }
            Observed::Refused { action } => Ok(self.refused(&action, sut)),
            Observed::Output { action, after } => {
                let is_overdue = after > delay;
                self.now += after.min(delay);
                let action = format!("{action}!");
                let what = What::Output(action.clone());
                match rule.act {
                    // The tester stops at its time, even if it looks up late.
                    Act::Stop(verdict) if is_overdue => {
                        let stopped = self.stop(verdict);
                        self.overdue = Some(self.heard(what, sut));
                        Ok(stopped)
                    }
                    _ => {
                        let came = self.heard(what, sut);
                        Ok(self.output(&action, came))
                    }
                }
            }
        }
    }

    /// The time after entering the node at which the rule acts: as soon as possible, but awaited outputs are given the tolerance.
    fn patience(&self, rule: &Rule, window: &DelayWindow) -> BigRational {
        match rule.act {
            Act::Stop(_) => window.earliest() + self.tolerance,
            _ => window.earliest(),
        }
    }

    /// The node's reaction to an output that comes now.
    fn output(&mut self, action: &str, came: Event) -> Stepped {
        let node = &self.test.nodes[self.node];
        let since = &self.now - &self.entered;
        let reaction = reaction(node, &self.clocks, action, &since, self.tolerance);
        self.is_bent |= reaction.is_bent;
        let next = match reaction.jump {
            Some(jump) => {
                self.pass_time(&reaction.after);
                self.jump(jump)
            }
            None => Next::Verdict(node.otherwise),
        };
        stepped(next, came)
    }

    /// Acts now, which counts as the delay `due` after the node was entered.
    fn act<S: Sut>(&mut self, rule: &'t Rule, due: &BigRational, sut: &mut S) -> Result<Stepped, S::Error> {
        match &rule.act {
            Act::Stop(verdict) => {
                let stepped = self.stop(*verdict);
                if let Some(measured) = sut.measured() {
                    let step = self.log.events.len();
                    self.log.was_late(step, measured.at - &self.now);
                }
                Ok(stepped)
            }
            Act::Input { action, then } => {
                let taken = sut.input(action.strip_suffix('?').unwrap_or(action));
                self.gave(action, sut);
                if !taken? {
                    return Ok(self.refused(action.strip_suffix('?').unwrap_or(action), sut));
                }
                self.pass_time(due);
                let fits = |jump: &&Jump| jump.when.iter().all(|atom| atom.holds(&self.clocks));
                let next = match then.iter().find(fits) {
                    Some(jump) => {
                        let next = self.jump(jump);
                        // If the jump sets all clocks, nothing older counts: the input was given now and not before.
                        if (0..self.clocks.len()).all(|clock| jump.resets.iter().any(|(reset, _)| *reset == clock)) {
                            self.entered = self.now.clone();
                        }
                        next
                    }
                    None => Next::Verdict(TestVerdict::Pass),
                };
                match next {
                    Next::Verdict(_) => self.last_word(next, sut),
                    Next::Node(_) => Ok(Stepped::Next(next)),
                }
            }
        }
    }

    /// After the last input, waits for the tolerance, in which the system may still report that it refused the input.
    fn last_word<S: Sut>(&mut self, next: Next, sut: &mut S) -> Result<Stepped, S::Error> {
        if self.tolerance.is_zero() {
            return Ok(Stepped::Next(next));
        }
        match sut.wait(self.tolerance)? {
            Observed::Refused { action } => return Ok(self.refused(&action, sut)),
            Observed::Output { action, after } => {
                self.now += after.min(self.tolerance.clone());
                self.heard(What::Output(format!("{action}!")), sut);
            }
            Observed::Silence => self.now += self.tolerance,
        }
        Ok(Stepped::Next(next))
    }

    /// Fails the test for a refused input: the specification takes every input that a test gives.
    fn refused<S: Sut>(&mut self, action: &str, sut: &mut S) -> Stepped {
        let what = What::Refused(format!("{action}?"));
        let at = sut.measured().map_or_else(|| self.now.clone(), |measured| measured.at);
        self.log.hears(what.clone(), at.clone());
        Stepped::Fail(Event { at, what })
    }

    /// Stops with the verdict, as nothing came until now.
    fn stop(&mut self, verdict: TestVerdict) -> Stepped {
        let came = self.log.does(What::Silence, self.now.clone()).clone();
        stepped(Next::Verdict(verdict), came)
    }

    /// Notes the input that was just given.
    fn gave<S: Sut>(&mut self, action: &str, sut: &mut S) {
        let measured = sut.measured();
        let at = measured.as_ref().map_or(&self.now, |measured| &measured.at);
        self.log.does(What::Input(action.to_owned()), at.clone());
        if let Some(Measured { at, doubt }) = measured {
            let step = self.log.events.len();
            self.log.was_late(step, at - &self.now + doubt);
        }
    }

    /// Notes an event of the system, which happens now for the tester.
    fn heard<S: Sut>(&mut self, what: What, sut: &mut S) -> Event {
        let measured = sut.measured();
        let at = measured.as_ref().map_or(&self.now, |measured| &measured.at).clone();
        let step = self.log.hears(what.clone(), at.clone());
        if let Some(Measured { at, doubt }) = measured {
            // The tester may have looked too late, or the event was handed over so late that the tester has acted in the meantime.
            self.log.was_late(step, (at - &self.now).abs());
            self.log.was_late(step, doubt);
        }
        Event { at, what }
    }

    /// Listens on after a fail for silence: the expected output may be late.
    fn listen_on<S: Sut>(&mut self, failure: &mut Failure, sut: &mut S) {
        let mut left = overtime(self.test);
        if let Some(most) = sut.most_overtime() {
            left = left.min(most);
        }
        let mut heard = self.overdue.take();
        for _ in 0..MAX_LATE {
            failure.unexpected = heard.as_ref().and_then(|event| failure.late(event));
            if failure.unexpected.is_some() {
                return;
            }
            match sut.wait(&left) {
                Ok(Observed::Output { action, after }) => {
                    let passed = after.min(left.clone());
                    self.now += &passed;
                    left -= passed;
                    heard = Some(self.heard(What::Output(format!("{action}!")), sut));
                }
                Ok(Observed::Silence) => {
                    self.now += left;
                    break;
                }
                // The program's first wrong event is the one that counts.
                Ok(Observed::Refused { .. }) | Err(_) => break,
            }
        }
        failure.unexpected = Some(UnexpectedOutput::Never {
            until: self.log.until(self.now.clone()),
        });
    }

    /// Takes the jump from the present clock values.
    fn jump(&mut self, jump: &Jump) -> Next {
        for (clock, value) in &jump.resets {
            self.clocks[*clock] = BigRational::from_integer((*value).into());
        }
        if let Next::Node(node) = jump.next {
            self.node = node;
        }
        jump.next
    }

    /// Lets `delay` pass since the node was entered.
    fn pass_time(&mut self, delay: &BigRational) {
        self.entered += delay;
        for clock in &mut self.clocks {
            *clock += delay;
        }
    }
}

/// The rule by which the tester acts in `node`, entered at `clocks`.
fn chosen<'t>(node: &'t Node, clocks: &[BigRational]) -> Option<&'t Rule> {
    node.rules
        .iter()
        .find(|rule| rule.from.iter().all(|atom| atom.holds(clocks)))
}

/// The next step, or the fail by the event `came`.
fn stepped(next: Next, came: Event) -> Stepped {
    match next {
        Next::Verdict(TestVerdict::Fail) => Stepped::Fail(came),
        next => Stepped::Next(next),
    }
}

/// Number of time units to listen for late outputs: the largest bound of the test, but at least `LEAST_OVERTIME`.
fn overtime(test: &TestCase) -> BigRational {
    let bounds = test.conditions().flatten().map(|atom| atom.bound.abs());
    bounds.fold(BigRational::from_integer(LEAST_OVERTIME.into()), BigRational::max)
}
