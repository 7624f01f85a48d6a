//! A program under test that is spoken to over a connection.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive as _, Zero};

use super::error::SutError;
use super::link::Link;
use super::protocol::{Heard, Say};
use super::target::{Target, TimeMode, Timing};
use crate::suite::{Observed, Sut};

/// Lines that may come before an answer.
const MAX_LINES: usize = 10_000;

/// A program under test. One that failed to answer is ended, and started anew at the next [`Sut::reset`].
pub struct RemoteSut {
    target: Target,
    supervisor: Option<PathBuf>,
    timing: Timing,
    link: Option<Link>,
    /// The wall time that is now for the tester (real time only).
    now: Instant,
}

impl RemoteSut {
    /// Nothing is started before the first [`Sut::reset`].
    pub fn new(target: Target, timing: Timing) -> Self {
        Self {
            target,
            supervisor: None,
            timing,
            link: None,
            now: Instant::now(),
        }
    }

    /// Programs get a supervisor, which ends them and all that they started when this process ends, however it does:
    /// `tamper`, the program of this package.
    #[must_use]
    pub fn supervised_by(mut self, tamper: PathBuf) -> Self {
        self.supervisor = Some(tamper);
        self
    }

    /// Calls `talk` with the connection, and drops the connection if that fails.
    fn with_link<T>(&mut self, talk: impl FnOnce(&mut Link, Timing) -> Result<T, SutError>) -> Result<T, SutError> {
        let link = self.link.as_mut().ok_or(SutError::Ended { status: None })?;
        let said = talk(link, self.timing);
        if said.is_err() {
            self.link = None;
        }
        said
    }

    /// What the shell says when it has not started the program.
    fn not_started(&self, error: SutError) -> SutError {
        match (error, &self.target) {
            (SutError::Ended { status: Some(status) }, Target::Command(command))
                if matches!(status.code(), Some(126 | 127)) =>
            {
                let command = command.clone();
                SutError::NotStarted { command, status }
            }
            (error, _) => error,
        }
    }

    fn wait_accelerated(&mut self, at_most: &BigRational) -> Result<Observed, SutError> {
        const AWAITED: &str = "done";
        let (heard, line) = self.with_link(|link, timing| {
            link.say(&Say::Delay(at_most).to_string())?;
            answer(link, timing.patience, AWAITED, |heard| {
                matches!(heard, Heard::Done | Heard::Output { .. })
            })
        })?;
        match heard {
            Heard::Output {
                action,
                after: Some(after),
            } if after <= *at_most => Ok(Observed::Output { action, after }),
            // An output without its time, or after more time than has passed.
            Heard::Output { .. } => {
                self.link = None;
                Err(SutError::Unexpected {
                    line,
                    awaited: "output ACTION after TIME",
                })
            }
            _ => Ok(Observed::Silence),
        }
    }

    fn wait_real(&mut self, at_most: &BigRational, unit: Duration) -> Result<Observed, SutError> {
        let start = self.now;
        let deadline = start + wall(at_most, unit);
        let heard = self.with_link(|link, _| {
            for _ in 0..MAX_LINES {
                let Some((line, at)) = link.hear(deadline)? else {
                    return Ok(None);
                };
                match Heard::parse(&line) {
                    Some(Heard::Output { action, after: None }) => return Ok(Some((action, at, false))),
                    Some(Heard::Refused(Some(action))) => return Ok(Some((action, at, true))),
                    Some(Heard::Remark) => (),
                    _ => {
                        let awaited = "output ACTION";
                        return Err(SutError::Unexpected { line, awaited });
                    }
                }
            }
            Err(SutError::Babbles {
                awaited: "output",
                n_lines: MAX_LINES,
            })
        })?;
        let Some((action, at, refused)) = heard else {
            self.now = deadline;
            return Ok(Observed::Silence);
        };
        self.now = at.clamp(start, deadline);
        if refused {
            return Ok(Observed::Refused { action });
        }
        let after = model_time(self.now - start, unit).min(at_most.clone());
        Ok(Observed::Output { action, after })
    }
}

impl Sut for RemoteSut {
    type Error = SutError;

    fn reset(&mut self) -> Result<(), SutError> {
        let is_ready = |heard: &Heard| *heard == Heard::Ready;
        if self.link.is_none() {
            let supervisor = self.supervisor.as_deref();
            self.link = Some(Link::open(&self.target, supervisor, self.timing.patience)?);
            let greeted = self.with_link(|link, timing| {
                link.say(&Say::Hello(timing.mode).to_string())?;
                answer(link, timing.patience, "ready", is_ready)
            });
            greeted.map_err(|error| self.not_started(error))?;
        }
        self.with_link(|link, timing| {
            link.say(&Say::Reset.to_string())?;
            // What the last test left behind may come first.
            answer(link, timing.patience, "ready", is_ready)
        })?;
        self.now = Instant::now();
        Ok(())
    }

    fn input(&mut self, action: &str) -> Result<bool, SutError> {
        self.with_link(|link, timing| {
            link.say(&Say::Input(action).to_string())?;
            if timing.mode == TimeMode::Accelerated {
                let is_answer = |heard: &Heard| matches!(heard, Heard::Ok | Heard::Refused(None));
                let (heard, _) = answer(link, timing.patience, "ok", is_answer)?;
                return Ok(heard == Heard::Ok);
            }
            // A refusal comes when it comes.
            Ok(true)
        })
    }

    fn wait(&mut self, at_most: &BigRational) -> Result<Observed, SutError> {
        match self.timing.mode {
            TimeMode::Accelerated => self.wait_accelerated(at_most),
            TimeMode::Real(unit) => self.wait_real(at_most, unit),
        }
    }
}

impl Drop for RemoteSut {
    fn drop(&mut self) {
        if let Some(link) = &mut self.link {
            // It may have ended already.
            let _ = link.say(&Say::Quit.to_string());
        }
    }
}

/// The first line that `is_answer`; before `ready` anything may come, before other answers only remarks.
fn answer(
    link: &mut Link,
    patience: Duration,
    awaited: &'static str,
    is_answer: impl Fn(&Heard) -> bool,
) -> Result<(Heard, String), SutError> {
    let deadline = Instant::now() + patience;
    for _ in 0..MAX_LINES {
        let Some((line, _)) = link.hear(deadline)? else {
            return Err(SutError::Hangs { awaited, patience });
        };
        match Heard::parse(&line) {
            Some(heard) if is_answer(&heard) => return Ok((heard, line)),
            Some(Heard::Remark) => (),
            Some(_) if awaited == "ready" => (),
            _ => return Err(SutError::Unexpected { line, awaited }),
        }
    }
    Err(SutError::Babbles {
        awaited,
        n_lines: MAX_LINES,
    })
}

/// Model time as wall time, rounded down to nanoseconds.
fn wall(time: &BigRational, unit: Duration) -> Duration {
    let nanos = (time * BigRational::from(BigInt::from(unit.as_nanos()))).to_integer();
    Duration::from_nanos(nanos.to_u64().unwrap_or(u64::MAX))
}

/// Wall time as model time.
fn model_time(time: Duration, unit: Duration) -> BigRational {
    let unit = BigInt::from(unit.as_nanos());
    if unit.is_zero() {
        return BigRational::zero();
    }
    BigRational::new(BigInt::from(time.as_nanos()), unit)
}
