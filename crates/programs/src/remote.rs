//! A program under test at the other end of a connection.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive as _, Zero};

use super::error::SutError;
use super::link::{Link, Opening};
use super::protocol::{Request, Response};
use super::remarks::{Noted, Remark, Remarks, Source};
use super::stall_detector::StallDetector;
use super::target::{Target, TimeMode, Timing};
use tamper_suite::{Measured, Observed, Refusals, Sut};

/// Maximum number of lines before an answer.
const MAX_LINES: usize = 10_000;
/// Maximum time to listen for late outputs after a test (real time only).
const MOST_OVERTIME: Duration = Duration::from_secs(2);
/// Time that the last remarks of a failed program may take to arrive.
const LAST_REMARKS: Duration = Duration::from_millis(20);

/// A program under test. A program that fails to answer is ended, and started again at the next [`Sut::reset`].
pub struct RemoteSut {
    target: Target,
    supervisor: Option<PathBuf>,
    job: Option<usize>,
    timing: Timing,
    refusals: Refusals,
    link: Option<Link>,
    remarks: Arc<Remarks>,
    clock: WallClock,
}

/// Time on the wall (real time only).
struct WallClock {
    /// Notices when this process is held up.
    stall_detector: Option<StallDetector>,
    /// The time at which the program was ready.
    start: Instant,
    /// The current moment for the tester, which keeps to the times that it planned.
    now: Instant,
    /// The time of the last event, and its possible error.
    last: Instant,
    doubt: Duration,
}

impl WallClock {
    fn new() -> Self {
        let now = Instant::now();
        Self {
            stall_detector: None,
            start: now,
            now,
            last: now,
            doubt: Duration::ZERO,
        }
    }

    /// Sets the start: the program reported at this moment that it was ready.
    fn starts(&mut self, at: Instant) {
        (self.start, self.now) = (at, at);
        self.hears(at);
    }

    /// Notes a message of the program, which was noticed at this moment.
    fn hears(&mut self, at: Instant) {
        self.last = at;
        self.doubt = self
            .stall_detector
            .as_ref()
            .map_or(Duration::ZERO, |stall_detector| stall_detector.doubt(at));
    }

    /// Notes an act of the tester, which began at this moment and has just ended.
    fn does(&mut self, from: Instant) {
        self.last = from;
        self.doubt = from.elapsed();
    }
}

impl RemoteSut {
    /// Nothing is started before the first [`Sut::reset`].
    pub fn new(target: Target, timing: Timing) -> Self {
        Self {
            target,
            supervisor: None,
            job: None,
            timing,
            refusals: Refusals::Error,
            link: None,
            remarks: Arc::default(),
            clock: WallClock::new(),
        }
    }

    /// Takes the remarks of the program since the last call, in the order of arrival: its `log` lines and its standard error, the
    /// last 64 KiB. If there was more, the first remark says how much.
    pub fn take_remarks(&mut self) -> Vec<Remark> {
        let (lines, n_dropped) = self.remarks.take();
        let dropped = (n_dropped > 0).then(|| Remark::dropped(n_dropped));
        let start = self.clock.start;
        let at = |noted: &Noted| match self.timing.mode {
            TimeMode::Accelerated => noted.now.clone(),
            TimeMode::Real(unit) => model_time(noted.wall.saturating_duration_since(start), unit),
        };
        let remarks = lines.into_iter().map(|noted| Remark {
            at: at(&noted),
            source: noted.source,
            text: noted.text,
        });
        dropped.into_iter().chain(remarks).collect()
    }

    /// Gives programs a supervisor (`tamper`, the program of this package), which ends them and all that they started when this
    /// process ends in any way.
    #[must_use]
    pub fn supervised_by(mut self, tamper: PathBuf) -> Self {
        self.supervisor = Some(tamper);
        self
    }

    /// Sets the meaning of a refused input. If refusals mean nothing, the input counts as taken, and the refusal becomes a remark.
    #[must_use]
    pub fn with_refusals(mut self, refusals: Refusals) -> Self {
        self.refusals = refusals;
        self
    }

    /// Sets the number that a command finds in its environment, as `TAMPER_JOB`: it may run beside others, and can derive a port
    /// from the number.
    #[must_use]
    pub fn as_job(mut self, job: usize) -> Self {
        self.job = Some(job);
        self
    }

    /// Calls `talk` with the connection, and drops the connection if that fails.
    fn with_link<T>(
        &mut self,
        talk: impl FnOnce(&mut Session<'_>, Timing) -> Result<T, SutError>,
    ) -> Result<T, SutError> {
        let link = self.link.as_mut().ok_or(SutError::Ended { status: None })?;
        let mut both = Session {
            link,
            remarks: &self.remarks,
            refusals: self.refusals,
        };
        let said = talk(&mut both, self.timing);
        if said.is_err() {
            self.give_up();
        }
        said
    }

    /// Ends the program, as it cannot be tested.
    fn give_up(&mut self) {
        std::thread::sleep(LAST_REMARKS);
        self.link = None;
    }

    /// Recognises the exit status by which the shell says that it has not started the program; other errors are unchanged.
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
        let answer = self.with_link(|talk, timing| {
            talk.link.say(&Request::Delay(at_most).to_string())?;
            talk.answer(timing.patience, AWAITED, |heard| {
                matches!(heard, Response::Done | Response::Output { .. })
            })
        })?;
        match answer.heard {
            Response::Output {
                action,
                after: Some(after),
            } if after <= *at_most => {
                self.remarks.pass(&after);
                Ok(Observed::Output { action, after })
            }
            // An output without its time, or with a time greater than the delay.
            Response::Output { .. } => {
                self.give_up();
                Err(SutError::Unexpected {
                    line: answer.line,
                    awaited: "output ACTION after TIME",
                })
            }
            _ => {
                self.remarks.pass(at_most);
                Ok(Observed::Silence)
            }
        }
    }

    fn wait_real(&mut self, at_most: &BigRational, unit: Duration) -> Result<Observed, SutError> {
        let start = self.clock.now;
        let deadline = start + wall(at_most, unit);
        let came = self.with_link(|talk, _| talk.output(deadline))?;
        let Some((heard, at)) = came else {
            self.clock.now = deadline;
            self.clock.does(Instant::now());
            return Ok(Observed::Silence);
        };
        self.clock.now = at.clamp(start, deadline);
        self.clock.hears(at);
        Ok(match heard {
            Spontaneous::Refused(action) => Observed::Refused { action },
            Spontaneous::Output(action) => Observed::Output {
                action,
                after: model_time(at.saturating_duration_since(start), unit),
            },
        })
    }
}

impl Sut for RemoteSut {
    type Error = SutError;

    fn reset(&mut self) -> Result<(), SutError> {
        let is_ready = |heard: &Response| *heard == Response::Ready;
        if self.clock.stall_detector.is_none() && matches!(self.timing.mode, TimeMode::Real(_)) {
            self.clock.stall_detector = Some(StallDetector::start());
        }
        self.remarks.set_now(BigRational::zero());
        if self.link.is_none() {
            let opening = Opening {
                target: &self.target,
                supervisor: self.supervisor.as_deref(),
                job: self.job,
            };
            self.link = Some(Link::open(opening, self.timing.patience, &self.remarks)?);
            let greeted = self.with_link(|talk, timing| {
                talk.link.say(&Request::Hello(timing.mode).to_string())?;
                talk.answer(timing.start_patience, "ready", is_ready)
            });
            greeted.map_err(|error| self.not_started(error))?;
        }
        let ready = self.with_link(|talk, timing| {
            talk.link.say(&Request::Reset.to_string())?;
            // Lines that the last test left behind may come first.
            talk.answer(timing.patience, "ready", is_ready)
        })?;
        self.clock.starts(ready.at);
        Ok(())
    }

    fn input(&mut self, action: &str) -> Result<bool, SutError> {
        let from = Instant::now();
        let taken = self.with_link(|talk, timing| {
            talk.link.say(&Request::Input(action).to_string())?;
            if timing.mode == TimeMode::Accelerated {
                let is_answer = |heard: &Response| matches!(heard, Response::Ok | Response::Refused(None));
                let answer = talk.answer(timing.patience, "ok", is_answer)?;
                return Ok(answer.heard == Response::Ok || talk.ignores(action, answer.at));
            }
            // A refusal may come at any later time.
            Ok(true)
        });
        self.clock.does(from);
        taken
    }

    fn wait(&mut self, at_most: &BigRational) -> Result<Observed, SutError> {
        match self.timing.mode {
            TimeMode::Accelerated => self.wait_accelerated(at_most),
            TimeMode::Real(unit) => self.wait_real(at_most, unit),
        }
    }

    fn measured(&mut self) -> Option<Measured> {
        let TimeMode::Real(unit) = self.timing.mode else {
            return None;
        };
        let since = self.clock.last.saturating_duration_since(self.clock.start);
        // Whole microseconds: the measurement is not finer.
        let since = Duration::from_micros(u64::try_from(since.as_micros()).unwrap_or(u64::MAX));
        Some(Measured {
            at: model_time(since, unit),
            doubt: model_time(self.clock.doubt, unit),
        })
    }

    fn most_overtime(&self) -> Option<BigRational> {
        match self.timing.mode {
            TimeMode::Accelerated => None,
            TimeMode::Real(unit) => Some(model_time(MOST_OVERTIME, unit)),
        }
    }
}

impl Drop for RemoteSut {
    fn drop(&mut self) {
        if let Some(link) = &mut self.link {
            link.part(&Request::Quit.to_string());
        }
    }
}

/// A connection, with the destination of its remarks.
struct Session<'a> {
    link: &'a mut Link,
    remarks: &'a Remarks,
    refusals: Refusals,
}

/// An awaited line, with its time of arrival.
struct TimedResponse {
    heard: Response,
    line: String,
    at: Instant,
}

/// A message that a program sends unasked, in real time.
enum Spontaneous {
    Output(String),
    Refused(String),
}

impl Session<'_> {
    /// The first line for which `is_answer` holds; before `ready` anything may come, before other answers only remarks.
    fn answer(
        &mut self,
        patience: Duration,
        awaited: &'static str,
        is_answer: impl Fn(&Response) -> bool,
    ) -> Result<TimedResponse, SutError> {
        let deadline = Instant::now() + patience;
        for _ in 0..MAX_LINES {
            let Some((line, at)) = self.link.hear(deadline)? else {
                return Err(self.link.overdue(awaited, patience));
            };
            match Response::parse(&line) {
                Some(heard) if is_answer(&heard) => return Ok(TimedResponse { heard, line, at }),
                Some(Response::Remark(text)) => self.remark(text, at),
                Some(_) if awaited == "ready" => (),
                _ => return Err(SutError::Unexpected { line, awaited }),
            }
        }
        Err(SutError::Babbles {
            awaited,
            n_lines: MAX_LINES,
        })
    }

    /// The next unasked message before the deadline, with its time of arrival.
    fn output(&mut self, deadline: Instant) -> Result<Option<(Spontaneous, Instant)>, SutError> {
        for _ in 0..MAX_LINES {
            let Some((line, at)) = self.link.hear(deadline)? else {
                return Ok(None);
            };
            match Response::parse(&line) {
                Some(Response::Output { action, after: None }) => return Ok(Some((Spontaneous::Output(action), at))),
                Some(Response::Refused(Some(action))) if self.ignores(&action, at) => (),
                Some(Response::Refused(Some(action))) => return Ok(Some((Spontaneous::Refused(action), at))),
                Some(Response::Remark(text)) => self.remark(text, at),
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
    }

    /// Whether refusals mean nothing; then the refusal is kept as a remark.
    fn ignores(&self, action: &str, at: Instant) -> bool {
        let ignores = self.refusals == Refusals::Never;
        if ignores {
            self.remark(Some(format!("refused {action}")), at);
        }
        ignores
    }

    fn remark(&self, text: Option<String>, at: Instant) {
        if let Some(text) = text {
            self.remarks.note(Source::Log, text, at);
        }
    }
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
