//! A test that is decided while it runs: its guide decides each next act, and it lasts as long as the specification allows every
//! event, which the [`Monitor`] checks after each.

use num_rational::BigRational;
use num_traits::Zero as _;

use crate::TestVerdict;
use crate::drive::{Broken, DriveResult, Driven, Ending, Event, EventLog, Failure, UnexpectedOutput, What, concluded};
use crate::error::SuiteFailure;
use crate::monitor::{Monitor, Ruling, Trace};
use crate::sut::{Observed, Sut};
use tamper_text::Budget;

/// Maximum number of outputs that are heard after a test until one of them is the expected one.
const MAX_LATE: usize = 1_000;

/// The inputs that the specification takes now, whatever state it is in, as `name?`.
pub type AllowedInputs<'f> = dyn FnMut() -> Result<Vec<String>, SuiteFailure> + 'f;

/// The guide of a test, which decides its waits and inputs. Times are on the test's schedule, in time units since it began.
pub trait TestPolicy {
    /// The time for which the test waits now, unless an output comes; `None` ends the test.
    fn wait(&mut self, now: &BigRational) -> Option<BigRational>;

    /// The input that the test gives after that wait, one of the `fair` ones; `None` for no input.
    ///
    /// # Errors
    /// The fair inputs cannot be determined.
    fn give(&mut self, now: &BigRational, fair: &mut AllowedInputs<'_>) -> Result<Option<String>, SuiteFailure>;

    /// Tells that the test has heard an output or given an input, which was allowed.
    fn saw(&mut self, what: &What, now: &BigRational);
}

/// The judge of a test while it runs, and the limits of the test.
#[derive(Clone, Copy)]
pub struct OnlineOracle<'m> {
    /// The specification.
    pub monitor: &'m Monitor,
    /// Maximum error of the time of an output, in time units.
    pub tolerance: &'m BigRational,
    /// Number of time units for which the test keeps listening for a missing output.
    pub longest: u32,
    /// Limits of each judgement.
    pub budget: &'m Budget,
    /// Checked before each step: whether the test is to end there.
    pub is_over: &'m dyn Fn() -> bool,
}

/// The reason for which a test ends without a verdict.
#[derive(Debug)]
pub enum Unjudged<E> {
    /// The program cannot be tested.
    Sut(E),
    /// The log cannot be judged.
    Judge(SuiteFailure),
}

/// Runs a test against `sut` as `guide` says. It passes if all events are allowed, and fails at the first event that is not. It
/// ends inconclusively if an input came to a state in which the specification need not take it, which it cannot always know before.
///
/// # Errors
/// The system cannot be tested, or its log not be judged.
pub fn drive_online<S: Sut, G: TestPolicy>(
    oracle: OnlineOracle<'_>,
    guide: &mut G,
    sut: &mut S,
) -> Result<Driven, Broken<Unjudged<S::Error>>> {
    let mut run = OnlineRun {
        oracle,
        now: BigRational::zero(),
        log: EventLog::default(),
    };
    let ended = run.finish(guide, sut);
    concluded(ended, run.log, run.now, Vec::new())
}

struct OnlineRun<'m> {
    oracle: OnlineOracle<'m>,
    /// The current time, in time units since the start.
    now: BigRational,
    log: EventLog,
}

impl OnlineRun<'_> {
    fn finish<S: Sut, G: TestPolicy>(&mut self, guide: &mut G, sut: &mut S) -> Result<DriveResult, Unjudged<S::Error>> {
        sut.reset().map_err(Unjudged::Sut)?;
        if let Some(measured) = sut.measured() {
            self.log.was_late(1, measured.doubt);
        }
        while !(self.oracle.is_over)()
            && let Some(delay) = guide.wait(&self.now)
        {
            let ended = self.wait(delay, guide, sut)?;
            if let Some(verdict) = ended {
                return Ok(verdict);
            }
            if let Some(verdict) = self.give(guide, sut)? {
                return Ok(verdict);
            }
        }
        Ok(DriveResult::plain(TestVerdict::Pass))
    }

    /// Waits for `delay`, or until something comes. Returns the verdict if the test ends.
    fn wait<S: Sut, G: TestPolicy>(
        &mut self,
        delay: BigRational,
        guide: &mut G,
        sut: &mut S,
    ) -> Result<Option<DriveResult>, Unjudged<S::Error>> {
        match sut.wait(&delay).map_err(Unjudged::Sut)? {
            Observed::Silence => {
                self.now += delay;
                self.judged(sut)
            }
            Observed::Output { action, after } => {
                self.now += after.min(delay);
                self.heard(What::Output(format!("{action}!")), guide, sut)
            }
            Observed::Refused { action } => self.heard(What::Refused(format!("{action}?")), guide, sut),
        }
    }

    fn heard<S: Sut, G: TestPolicy>(
        &mut self,
        what: What,
        guide: &mut G,
        sut: &mut S,
    ) -> Result<Option<DriveResult>, Unjudged<S::Error>> {
        self.hears(what.clone(), sut);
        let ended = self.judged(sut)?;
        if ended.is_none() {
            guide.saw(&what, &self.now);
        }
        Ok(ended)
    }

    /// Gives an input that the specification takes, or none.
    fn give<S: Sut, G: TestPolicy>(
        &mut self,
        guide: &mut G,
        sut: &mut S,
    ) -> Result<Option<DriveResult>, Unjudged<S::Error>> {
        let mut fair = || {
            let until = self.log.until(self.now.clone());
            let fair = self
                .oracle
                .monitor
                .fair_inputs(self.trace(&until), self.oracle.budget)?;
            Ok(fair.into_iter().map(str::to_owned).collect())
        };
        let Some(input) = guide.give(&self.now, &mut fair).map_err(Unjudged::Judge)? else {
            return Ok(None);
        };
        let is_taken = sut
            .input(input.strip_suffix('?').unwrap_or(&input))
            .map_err(Unjudged::Sut)?;
        let measured = sut.measured();
        let at = measured.as_ref().map_or(&self.now, |measured| &measured.at).clone();
        let what = What::Input(input.clone());
        self.log.does(what.clone(), at);
        if let Some(measured) = measured {
            let step = self.log.events.len();
            self.log.was_late(step, measured.doubt);
        }
        if !is_taken {
            self.hears(What::Refused(input), sut);
        }
        let ended = self.judged(sut)?;
        if ended.is_none() {
            guide.saw(&what, &self.now);
        }
        Ok(ended)
    }

    fn hears<S: Sut>(&mut self, what: What, sut: &mut S) {
        let measured = sut.measured();
        let at = measured.as_ref().map_or(&self.now, |measured| &measured.at).clone();
        let step = self.log.hears(what, at);
        if let Some(measured) = measured {
            self.log.was_late(step, measured.doubt);
        }
    }

    fn trace<'t>(&'t self, until: &'t BigRational) -> Trace<'t> {
        Trace {
            events: &self.log.events,
            until,
            tolerance: self.oracle.tolerance,
        }
    }

    /// The verdict, if the events so far end the test.
    fn judged<S: Sut>(&mut self, sut: &mut S) -> Result<Option<DriveResult>, Unjudged<S::Error>> {
        let until = self.log.until(self.now.clone());
        let ruling = self.oracle.monitor.ruling(self.trace(&until), self.oracle.budget);
        let breach = match ruling.map_err(Unjudged::Judge)? {
            Ruling::Legal => return Ok(None),
            // The test awaits nothing: it ends because the specification says nothing about an input.
            Ruling::Beyond { .. } => return Ok(Some(DriveResult::inconclusive(Ending::Lost))),
            Ruling::Illegal(breach) => breach,
        };
        let mut failure = breach.failure(&self.log.events, &until);
        if failure.came.what == What::Silence {
            self.log.does(What::Silence, until);
            self.listen_on(&mut failure, sut);
        }
        Ok(Some(DriveResult::fail(failure)))
    }

    /// Listens on after a fail for silence: the expected output may be late.
    fn listen_on<S: Sut>(&mut self, failure: &mut Failure, sut: &mut S) {
        let longest = BigRational::from_integer(self.oracle.longest.into());
        let mut left = sut.most_overtime().map_or(longest.clone(), |most| most.min(longest));
        for _ in 0..MAX_LATE {
            let Ok(Observed::Output { action, after }) = sut.wait(&left) else {
                break;
            };
            let passed = after.min(left.clone());
            self.now += &passed;
            left -= passed;
            let what = What::Output(format!("{action}!"));
            self.hears(what.clone(), sut);
            failure.unexpected = failure.late(&Event {
                at: self.now.clone(),
                what,
            });
            if failure.unexpected.is_some() || left.is_zero() {
                return;
            }
        }
        self.now += left;
        failure.unexpected = Some(UnexpectedOutput::Never {
            until: self.log.until(self.now.clone()),
        });
    }
}
