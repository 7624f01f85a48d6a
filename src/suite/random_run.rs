//! A random test: inputs that the specification takes, at random times, for as long as every event is one that it allows.
//!
//! It expects nothing and knows no mutant: what is allowed the [`Monitor`] says after each event. It is the baseline that suites
//! are compared with.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero as _;

use super::TestVerdict;
use super::drive::{Astray, Broken, Driven, Ending, Event, Failure, Log, What};
use super::error::SuiteFailure;
use super::monitor::{Monitor, Ruling, Trace};
use super::sut::{Observed, Sut};
use crate::features::Random;
use crate::text::Budget;

/// Outputs that are heard after a test, until one of them is what was expected.
const MAX_LATE: usize = 1_000;

/// How random tests are drawn, and what judges them.
#[derive(Clone, Copy)]
pub struct RandomWalk<'m> {
    /// The specification.
    pub monitor: &'m Monitor,
    /// How far the time of an output may be off, in time units.
    pub tolerance: &'m BigRational,
    /// Inputs and waits of a test; one more wait of `longest` ends it.
    pub n_steps: usize,
    /// The longest wait, in time units.
    pub longest: u32,
    /// Limits of each judgement.
    pub budget: &'m Budget,
    /// Asked before each step whether the test is to end there.
    pub is_over: &'m dyn Fn() -> bool,
}

/// Why a random test ends without a verdict.
#[derive(Debug)]
pub enum Unjudged<E> {
    /// The program cannot be tested.
    Sut(E),
    /// What it did cannot be judged.
    Judge(SuiteFailure),
}

/// Runs a random test against `sut`: it passes if all that happened is allowed, and fails at the first event that is not. It ends
/// inconclusively if an input came to a state in which the specification need not take it, which it cannot always know before.
///
/// # Errors
/// The system cannot be tested, or its log not be judged.
pub fn drive_randomly<S: Sut>(
    walk: RandomWalk<'_>,
    random: &mut Random,
    sut: &mut S,
) -> Result<Driven, Broken<Unjudged<S::Error>>> {
    let mut run = Run {
        walk,
        now: BigRational::zero(),
        log: Log::default(),
    };
    match run.finish(random, sut) {
        Ok((verdict, failure)) => Ok(Driven {
            verdict,
            failure,
            // It awaits nothing: what ends it so is an input of which the specification says nothing.
            ending: (verdict == TestVerdict::Inconclusive).then_some(Ending::Lost),
            until: run.log.until(run.now),
            lateness: run.log.lateness,
            log: run.log.events,
            waits: Vec::new(),
        }),
        Err(error) => Err(Broken {
            error,
            log: run.log.events,
            waits: Box::default(),
        }),
    }
}

struct Run<'m> {
    walk: RandomWalk<'m>,
    /// In time units since the start.
    now: BigRational,
    log: Log,
}

type Verdict = (TestVerdict, Option<Failure>);

impl Run<'_> {
    fn finish<S: Sut>(&mut self, random: &mut Random, sut: &mut S) -> Result<Verdict, Unjudged<S::Error>> {
        sut.reset().map_err(Unjudged::Sut)?;
        if let Some(measured) = sut.measured() {
            self.log.was_late(1, measured.doubt);
        }
        let quarters = 4 * self.walk.longest as usize;
        for _ in 0..self.walk.n_steps {
            if (self.walk.is_over)() {
                return Ok((TestVerdict::Pass, None));
            }
            // Short waits meet windows, long ones deadlines.
            let most = [0, 4, quarters][random.below(3)];
            let ended = self.wait(quarter(random.below(most + 1)), sut)?;
            if let Some(verdict) = ended {
                return Ok(verdict);
            }
            if let Some(verdict) = self.give(random, sut)? {
                return Ok(verdict);
            }
        }
        let ended = self.wait(quarter(quarters), sut)?;
        Ok(ended.unwrap_or((TestVerdict::Pass, None)))
    }

    /// Waits so long, or until something comes; the verdict, if the test ends.
    fn wait<S: Sut>(&mut self, delay: BigRational, sut: &mut S) -> Result<Option<Verdict>, Unjudged<S::Error>> {
        match sut.wait(&delay).map_err(Unjudged::Sut)? {
            Observed::Silence => self.now += delay,
            Observed::Output { action, after } => {
                self.now += after.min(delay);
                self.hears(What::Output(format!("{action}!")), sut);
            }
            Observed::Refused { action } => self.hears(What::Refused(format!("{action}?")), sut),
        }
        self.judged(sut)
    }

    /// Gives an input that the specification takes, or none.
    fn give<S: Sut>(&mut self, random: &mut Random, sut: &mut S) -> Result<Option<Verdict>, Unjudged<S::Error>> {
        let until = self.log.until(self.now.clone());
        let fair = self.walk.monitor.fair_inputs(self.trace(&until), self.walk.budget);
        let fair = fair.map_err(Unjudged::Judge)?;
        // One time in so many it waits instead.
        let Some(input) = fair.get(random.below(fair.len() + 1)) else {
            return Ok(None);
        };
        let is_taken = sut
            .input(input.strip_suffix('?').unwrap_or(input))
            .map_err(Unjudged::Sut)?;
        let measured = sut.measured();
        let at = measured.as_ref().map_or(&self.now, |measured| &measured.at).clone();
        self.log.does(What::Input((*input).to_owned()), at);
        if let Some(measured) = measured {
            let step = self.log.events.len();
            self.log.was_late(step, measured.doubt);
        }
        if !is_taken {
            self.hears(What::Refused((*input).to_owned()), sut);
        }
        self.judged(sut)
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
            tolerance: self.walk.tolerance,
        }
    }

    /// The verdict, if what happened until now ends the test.
    fn judged<S: Sut>(&mut self, sut: &mut S) -> Result<Option<Verdict>, Unjudged<S::Error>> {
        let until = self.log.until(self.now.clone());
        let ruling = self.walk.monitor.ruling(self.trace(&until), self.walk.budget);
        let breach = match ruling.map_err(Unjudged::Judge)? {
            Ruling::Legal => return Ok(None),
            Ruling::Beyond { .. } => return Ok(Some((TestVerdict::Inconclusive, None))),
            Ruling::Illegal(breach) => breach,
        };
        let mut failure = breach.failure(&self.log.events, &until);
        if failure.came.what == What::Silence {
            self.log.does(What::Silence, until);
            self.listen_on(&mut failure, sut);
        }
        Ok(Some((TestVerdict::Fail, Some(failure))))
    }

    /// After a fail as nothing came: what was expected may be late.
    fn listen_on<S: Sut>(&mut self, failure: &mut Failure, sut: &mut S) {
        let longest = BigRational::from_integer(self.walk.longest.into());
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
            failure.astray = failure.late(&Event {
                at: self.now.clone(),
                what,
            });
            if failure.astray.is_some() || left.is_zero() {
                return;
            }
        }
        self.now += left;
        failure.astray = Some(Astray::Never {
            until: self.log.until(self.now.clone()),
        });
    }
}

fn quarter(n: usize) -> BigRational {
    BigRational::new(BigInt::from(n), BigInt::from(4))
}
