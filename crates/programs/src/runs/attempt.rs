//! A single run of a test.

use std::sync::atomic::{AtomicBool, Ordering};

use num_rational::BigRational;

use super::trial::{Manner, Trial};
use crate::error::SutError;
use crate::remarks::Remark;
use crate::remote::RemoteSut;
use tamper_features::Random;
use tamper_suite::{Broken, Driven, Event, Measured, Observed, RandomGuide, Sut, Unjudged, Wait, drive, drive_online};
use tamper_text::visible;

/// A program that never became ready.
#[derive(Debug, thiserror::Error)]
#[error("{}{}", why(*.tries, .error), quoted(.said))]
pub struct NeverStarted {
    /// Number of tries, one after the other.
    pub tries: u32,
    /// The error of the last try.
    pub error: SutError,
    /// The remarks of the program in the last try.
    pub said: Vec<Remark>,
}

fn why(tries: u32, error: &SutError) -> String {
    match error {
        SutError::NotStarted { .. } | SutError::Unreachable { .. } => error.to_string(),
        error if tries > 1 => format!("the program cannot be started ({tries} tries): {error}"),
        error => format!("the program cannot be started: {error}"),
    }
}

fn quoted(said: &[Remark]) -> String {
    said.iter()
        .map(|remark| format!("\n  {}", visible(&remark.text)))
        .collect()
}

/// The result of running a test once.
pub(super) enum Attempt {
    /// It ended with a verdict.
    Ended(Box<Driven>),
    /// It ended without a verdict: the program was there, and then could not be tested, or its log could not be judged.
    Broken {
        why: String,
        log: Vec<Event>,
        waits: Vec<Wait>,
    },
    /// It did not begin: the program was not there, and could not be started. With the program's remarks.
    NotReady(SutError, Vec<Remark>),
    /// It was stopped in the middle, as the run is to stop.
    Stopped,
}

/// An instance of the program.
pub(super) struct Instance {
    pub sut: RemoteSut,
    /// Whether it runs, as far as known.
    is_ready: bool,
}

impl Instance {
    pub fn new(sut: RemoteSut) -> Self {
        Self { sut, is_ready: false }
    }

    /// Runs `trial` once; `stop` ends it in the middle.
    pub fn attempt(&mut self, trial: Trial<'_>, manner: &Manner, stop: &AtomicBool) -> Attempt {
        let mut watched = Watched { instance: self, stop };
        let tolerance = &manner.words.tolerance;
        let driven = match trial {
            Trial::Test(test) => drive(test, &mut watched, tolerance).map_err(|Broken { error, log, waits }| Broken {
                error: Unjudged::Sut(error),
                log,
                waits,
            }),
            Trial::Random(tests, number) => match &manner.judge {
                Some(judge) => {
                    let mut random = Random::new(tests.seed_of(number));
                    let mut guide = RandomGuide::new(&mut random, RandomGuide::N_STEPS, tests.longest);
                    let is_over = || tests.is_over();
                    let oracle = judge.oracle(tolerance, tests.longest, &is_over);
                    drive_online(oracle, &mut guide, &mut watched)
                }
                None => return Attempt::Stopped,
            },
            Trial::Adaptive(tests, at) => match &manner.judge {
                Some(judge) => {
                    let oracle = judge.oracle(tolerance, tests.longest(), &|| false);
                    tests.drive(at, oracle, &mut watched)
                }
                None => return Attempt::Stopped,
            },
        };
        match driven {
            Ok(driven) => Attempt::Ended(Box::new(driven)),
            Err(Broken { error, log, waits }) => match error {
                Unjudged::Sut(Trouble::Stopped) => Attempt::Stopped,
                Unjudged::Sut(Trouble::NotReady(error)) => Attempt::NotReady(error, self.sut.take_remarks()),
                Unjudged::Sut(Trouble::Sut(error)) => Attempt::Broken {
                    why: format!("the program {error}"),
                    log,
                    waits: waits.into(),
                },
                Unjudged::Judge(failure) => Attempt::Broken {
                    why: format!("what was seen cannot be judged: {failure}"),
                    log,
                    waits: waits.into(),
                },
            },
        }
    }
}

enum Trouble {
    Stopped,
    /// The program was not ready when it was started again.
    NotReady(SutError),
    Sut(SutError),
}

/// An instance that tells whether the program was there at all, and stops on request.
struct Watched<'i> {
    instance: &'i mut Instance,
    stop: &'i AtomicBool,
}

impl Watched<'_> {
    fn ask<T>(&mut self, ask: impl FnOnce(&mut RemoteSut) -> Result<T, SutError>) -> Result<T, Trouble> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Trouble::Stopped);
        }
        let answer = ask(&mut self.instance.sut);
        if answer.is_err() {
            self.instance.is_ready = false;
        }
        answer.map_err(Trouble::Sut)
    }
}

impl Sut for Watched<'_> {
    type Error = Trouble;

    fn reset(&mut self) -> Result<(), Trouble> {
        let was_ready = self.instance.is_ready;
        match self.ask(RemoteSut::reset) {
            Ok(()) => self.instance.is_ready = true,
            Err(Trouble::Sut(error)) if !was_ready => return Err(Trouble::NotReady(error)),
            Err(trouble) => return Err(trouble),
        }
        Ok(())
    }

    fn input(&mut self, action: &str) -> Result<bool, Trouble> {
        self.ask(|sut| sut.input(action))
    }

    fn wait(&mut self, at_most: &BigRational) -> Result<Observed, Trouble> {
        self.ask(|sut| sut.wait(at_most))
    }

    fn measured(&mut self) -> Option<Measured> {
        self.instance.sut.measured()
    }

    fn most_overtime(&self) -> Option<BigRational> {
        self.instance.sut.most_overtime()
    }
}
